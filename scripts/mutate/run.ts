import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../attack/random.js";
import startServers from "../../packages/launcher/src/testing.js";
import { type Mutant, mutantsOf } from "./mutants.js";
import { switchedSource } from "./switched.js";
import { tryMutants } from "./try.js";

const usage = `npm run mutate -- <folder or file> … [--tests <folder or file>]… [--limit <number>]
                  [--sample <number> [--seed <number>]]

Changes one place of a source after the other and runs the tests that come across it: a mutant that none of them notices
survives. Prints the survivors, which no test comes across (unreached) and which are noticed by a limit of time alone
(on a busy machine perhaps by chance), and the score of each file: the share of those that were noticed. Without --tests,
the tests beside the sources are run; with it, those named first come first: name the fast ones before the slow ones.
--limit   so many mutants of each file at most, spread over it
--sample  so many mutants of all files together, by chance: an estimate of the score in less time
--seed    repeats an earlier choice`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    limit: { type: "string", default: "1000" },
    sample: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean" },
  },
});
// A test among the sources is one that stands behind --tests without a --tests of its own.
const isMisused = positionals.length === 0 || positionals.some((path) => path.endsWith(".test.ts"));
if (values.help || isMisused) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 64);
}
const root = resolve(import.meta.dirname, "../..");
const files = positionals.flatMap((path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
    : [path],
);
const sources = files.filter(
  (file) => file.endsWith(".ts") && !/\.test\.ts$|(^|\/)testing[^/]*\.ts$|\.d\.ts$/.test(file),
);

const places = sources.flatMap((file) =>
  spread(mutantsOf(file, readFileSync(file, "utf8")), Number(values.limit)).map((mutant) => ({
    file,
    mutant,
  })),
);
const chosen = values.sample ? sampleOf(places, Number(values.sample)) : places;

const numbered = new Map(chosen.map((one, number) => [number, one]));
const touched = [...new Set(chosen.map(({ file }) => file))];
const tests = values.tests ?? [...new Set(touched.map(dirname))];
const order = {
  root,
  switched: Object.fromEntries(touched.map((file) => [resolve(file), switchedOf(file)])),
  tests,
  mutants: [...numbered.keys()],
};
const progress = (tried: number) => process.stderr.write(`${tried} of ${chosen.length}\r`);

const stop = await startServers();
const outcomes = await tryMutants(order, progress).finally(stop);
for (const [number, { file, mutant }] of numbered) {
  const outcome = outcomes.get(number);
  if (outcome === undefined) report(file, mutant, "unreached");
  if (outcome === "unnoticed") report(file, mutant, "survived");
  if (outcome === "late") report(file, mutant, "by time");
}
for (const file of touched) scoreOf(relative(root, resolve(file)), (one) => one.file === file);
if (touched.length > 1) scoreOf("all", () => true);

function switchedOf(file: string): string {
  const own = [...numbered].filter(([, one]) => one.file === file);
  return switchedSource(
    readFileSync(file, "utf8"),
    new Map(own.map(([number, { mutant }]) => [number, mutant])),
  );
}

/** Prints the share of mutants that were noticed. */
function scoreOf(name: string, belongs: (one: { file: string }) => boolean) {
  const own = [...numbered].filter(([, one]) => belongs(one)).map(([number]) => outcomes.get(number));
  const late = own.filter((outcome) => outcome === "late").length;
  const noticed = late + own.filter((outcome) => outcome === "noticed").length;
  const share = `${((100 * noticed) / own.length).toFixed(1).padStart(5)} %  ${noticed}/${own.length}`;
  process.stdout.write(`${share}  ${name}${late > 0 ? `, ${late} of them by time alone` : ""}\n`);
}

function report(file: string, { at, from, to }: Mutant, what: string) {
  const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 80);
  process.stdout.write(`${what.padEnd(9)}  ${file}:${at}  ${short(from)} → ${short(to)}\n`);
}

function spread<T>(items: T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit);
  return Array.from(
    { length: Math.min(limit, items.length) },
    (_, index) => items[Math.floor(index * step)]!,
  );
}

/** So many of the items, chosen by chance, in their order. */
function sampleOf<T>(items: T[], size: number): T[] {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
  process.stdout.write(`Seed ${seed}: ${Math.min(size, items.length)} of ${items.length}\n`);
  const random = createRandom(seed);
  let missing = size;
  return items.filter((_, index) => {
    const taken = random.below(items.length - index) < missing;
    if (taken) missing -= 1;
    return taken;
  });
}
