import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../attack/random.js";
import startServers from "../../packages/launcher/src/testing.js";
import { type Mutant, mutantsOf } from "./mutants.js";

const usage = `npm run mutate -- <folder or file> … [--tests <folder or file>]… [--limit <number>]
                  [--sample <number> [--seed <number>]]

Changes one place of a source after the other and runs the tests: a mutant that none of them notices survives. Prints the
survivors and the score, the share of those that were noticed. Without --tests, the tests beside the source are run; with
it, those named first come first, and the first that fails ends the run: name the fast ones before the slow ones.
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
if (values.help || positionals.length === 0) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 64);
}
/** A mutant that runs so much longer than the tests without one does not end. */
const PATIENCE = 5;
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

const stop = await startServers();
let [noticed, all] = [0, 0];
try {
  for (const file of new Set(chosen.map(({ file }) => file))) {
    const its = chosen.filter((one) => one.file === file).map(({ mutant }) => mutant);
    const [killed, total] = await mutateFile(file, its);
    noticed += killed;
    all += total;
  }
} finally {
  await stop();
}
process.stdout.write(`${scoreOf(noticed, all)}  all\n`);

function scoreOf(noticed: number, all: number): string {
  const share = all === 0 ? 100 : (100 * noticed) / all;
  return `${share.toFixed(1).padStart(5)} %  ${noticed}/${all}`;
}

async function mutateFile(file: string, mutants: Mutant[]): Promise<[noticed: number, all: number]> {
  const source = readFileSync(file, "utf8");
  const tests = values.tests ?? [dirname(file)];
  const began = Date.now();
  if (!(await passes(tests, { file, source }, 600_000, "inherit"))) {
    throw new Error(`The tests of ${file} fail without a mutant`);
  }
  const patienceMs = PATIENCE * (Date.now() - began) + 10_000;
  let noticed = 0;
  for (const mutant of mutants) {
    const mutated = source.slice(0, mutant.start) + mutant.to + source.slice(mutant.end);
    if (await passes(tests, { file, source: mutated }, patienceMs)) report(file, mutant);
    else noticed += 1;
  }
  process.stdout.write(`${scoreOf(noticed, mutants.length)}  ${relative(root, resolve(file))}\n`);
  return [noticed, mutants.length];
}

function report(file: string, { at, from, to }: Mutant) {
  const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 80);
  process.stdout.write(`survived  ${file}:${at}  ${short(from)} → ${short(to)}\n`);
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

/** Runs tests with another text of a file; a run that takes too long counts as failed. */
function passes(
  tests: string[],
  { file, source }: { file: string; source: string },
  withinMs: number,
  stdio: "ignore" | "inherit" = "ignore",
) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "scripts/mutate/vitest.config.ts");
  const args = [vitest, "run", "--config", config, "--root", root, "--bail", "1", "--silent=true", ...tests];
  const env = { ...process.env, MUTANT: JSON.stringify({ file: resolve(file), source, tests }) };
  return new Promise<boolean>((done) => {
    // A group of its own, so that a worker that does not end is ended with it.
    const child = spawn(process.execPath, args, { cwd: root, env, stdio, detached: true });
    const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), withinMs);
    child.once("exit", (code) => {
      clearTimeout(timer);
      done(code === 0);
    });
  });
}
