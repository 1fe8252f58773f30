import autocannon from "autocannon";
import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { importInto } from "./imports.js";
import { ITEMS, headers as referenceHeaders, seedReference, startReference } from "./reference.js";
import { type Line, median } from "./report.js";
import { discard, generateRepository, servePacked } from "./repositories.js";
import { untilSearchable } from "./spaces.js";
import { realTexts } from "./texts.js";

const PAGES = 10_000;
const rounds = 3;
const seconds = 4;
const connections = 10;

const COMMON = "sentence of page says what a reader chapter may want to know about item".split(" ");
/** Each three of them in each order, once. */
const THREES = COMMON.flatMap((one) =>
  COMMON.flatMap((two) => COMMON.map((three) => [one, two, three])),
).filter((words) => new Set(words).size === words.length);

/** What is searched for; `n` is another number each time, and `at` the next one, so that no query comes twice. */
const KINDS: Record<string, (n: number, at: number) => string> = {
  "a word that few pages hold": (n) => String(n),
  // With a stride that has no divisor in common with their number.
  "words that all pages hold": (_, at) => THREES.at((at * 1_009) % THREES.length)!.join(" "),
  "a page by its title": (n) => `page ${n}`,
  "half a word": (n) => `${n} senten`,
  "a phrase": (n) => `"sentence 1 of page ${n}"`,
  "a mistake in a word": (n) => `raeder ${n}`,
};

/** Searches of all kinds over 10,000 pages through gateway and service, against the bare read by key, in turns. */
export async function measureSearch(
  stack: Stack,
  call: Client,
  reference: { url: string; client: pg.Client },
): Promise<Line[]> {
  const space = await seed(call);
  const { body } = await call<{ organization: string }>("GET", `/spaces/${space}`);
  await seedReference(reference.client, realTexts(1_000, 4_300));
  const server = await startReference(reference.url);
  const rows = Array.from({ length: ITEMS }, (_, at) => `/one/${(at * 7_919) % ITEMS}`);
  const bare = { name: "bare", url: server.url, paths: rows, headers: referenceHeaders };
  const headers = { authorization: `Bearer ${stack.token}` };
  const numbers = Array.from({ length: PAGES - 1 }, (_, at) => 1 + ((at * 7_919) % (PAGES - 1)));
  const searches = (query: (n: number, at: number) => string) =>
    numbers.map((n, at) => search(space, query(n, at)));
  const kinds = Object.entries(KINDS).map(([name, query]) => ({
    name,
    url: stack.base,
    headers,
    paths: searches(query),
  }));
  const each = Object.values(KINDS);
  const all = {
    name: "of all kinds, none twice",
    url: stack.base,
    headers,
    paths: numbers.map((n, at) =>
      search(space, each[at % each.length]!(n, -1 - Math.floor(at / each.length))),
    ),
  };
  const again = { ...all, name: "of all kinds, the same 100 again", paths: all.paths.slice(-100) };
  const inOrganization = {
    ...all,
    name: "of all kinds in the organization, none twice",
    paths: all.paths.map((path) => path.replace(`/spaces/${space}/`, `/orgs/${body.organization}/`)),
  };
  const targets = [all, inOrganization, again, ...kinds];
  const perSecond = new Map<string, number[]>();
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { name, url, paths, headers } of [bare, ...targets]) {
        const result = await load(url, paths, headers, round < 0 ? 1 : seconds);
        if (round >= 0) perSecond.set(name, [...(perSecond.get(name) ?? []), result]);
      }
    }
  } finally {
    server.process.kill();
  }
  const of = (name: string) => median(perSecond.get(name)!);
  return targets.map(({ name }) => ({
    what: `search in ${PAGES} pages, ${name}`,
    measured: `${of(name).toFixed(0)}/s`,
    reference: `${of("bare").toFixed(0)}/s`,
    result: of(name) / of("bare"),
    ...(name === all.name && { target: { atLeast: 0.12 } }),
  }));
}

const search = (space: string, query: string) =>
  `/v1/spaces/${space}/search?query=${encodeURIComponent(query)}`;

/** All connections take the next path of one list; the next run goes on where this one ends. */
async function load(url: string, paths: string[], headers: Record<string, string>, duration: number) {
  const setupRequest = (request: autocannon.Request) => {
    const path = paths.shift()!;
    paths.push(path);
    return { ...request, path };
  };
  const result = await autocannon({ url, headers, connections, duration, requests: [{ setupRequest }] });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${paths[0]}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}

async function seed(call: Client): Promise<string> {
  const folder = generateRepository({ pages: PAGES, bytes: 1_200 });
  const repository = await servePacked(folder);
  try {
    const { space } = await importInto(call, repository);
    await untilSearchable(call, space);
    return space;
  } finally {
    await repository.close();
    discard(folder);
  }
}
