import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "../tests/harness/client.js";
import { register } from "../tests/harness/people.js";
import type { Stack } from "../tests/harness/stack.js";
import { libraryOf, spread } from "./library.js";
import { pooled, type Run, read, summaryOf, type Target } from "./load.js";
import { longestAsDocument, longPage } from "./long-pages.js";
import type { Loop } from "./loop.js";
import { familyOf } from "./processes.js";
import { type Line, median } from "./report.js";
import { merge, spaceOf } from "./spaces.js";

const rounds = 5;
const seconds = 4;
/** Seconds that a loop has run when the reads beside it begin. */
const AHEAD = 2;
/** Connections of the client that reads small pages, and of the one that loops. */
const READERS = 10;
const LOOPERS = 20;
const PAGES = 500;
const LONG = 2_000_000;
/** How many times slower the 99th of 100 reads may become. */
const SLOWER = 3;

/**
 * How much slower the reads of small pages by one user become while another user, of another organization, loops over one
 * of the most expensive operations with as many connections as it likes: p99 beside p99 alone, each of all requests of
 * some rounds in turns.
 */
export async function measureNeighbours(stack: Stack, call: Client, corpus?: string): Promise<Line[]> {
  const loops = await loopsOf(call, corpus);
  const person = await register(stack, "Neighbour");
  const small = await spaceOf(createClient({ base: stack.base, token: person.token }), PAGES);
  const reader: Target = {
    url: stack.base,
    headers: { authorization: `Bearer ${person.token}` },
    processes: await processesOf(stack),
    paths: spread(small.pages).map(({ id }) => `/v1/spaces/${small.space}/content/page/${id}`),
  };
  await read(reader, READERS, seconds);
  const lines: Line[] = [];
  for (const [what, loop] of Object.entries(loops)) {
    const alone: Run[] = [];
    const beside: Run[] = [];
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      alone.push(await read(reader, READERS, seconds));
      const given = { ...loop, base: stack.base, token: stack.token, clients: LOOPERS };
      const done = runLoop({ ...given, seconds: AHEAD + seconds });
      await sleep(AHEAD * 1_000);
      beside.push(await read(reader, READERS, seconds));
      rates.push((await done) / (AHEAD + seconds));
    }
    const [withLoop, withoutLoop] = [pooled(beside), pooled(alone)];
    const each = beside.map(({ p99 }, round) => (p99 / alone[round]!.p99).toFixed(1));
    lines.push({
      what: `reads beside a loop over ${what}`,
      measured: `${summaryOf(withLoop)}; loop ${median(rates).toFixed(1)}/s, with the ${AHEAD} s before; rounds ${each.join(", ")}`,
      reference: `alone ${summaryOf(withoutLoop)}`,
      result: withLoop.p99 / withoutLoop.p99,
      unit: "times the p99 alone",
      target: { atMost: SLOWER },
    });
    process.stderr.write(`  ${what}: ${lines.at(-1)!.result.toFixed(1)}\n`);
  }
  return lines;
}

/** The operations that take most, by name. */
async function loopsOf(
  call: Client,
  corpus?: string,
): Promise<Record<string, Pick<Loop, "paths" | "merges">>> {
  const { space, texts } = await libraryOf(call, corpus);
  const long = await longSpace(call, LONG);
  const page = `/spaces/${long.space}/content/page/${long.page}`;
  const merges = await Promise.all(
    Array.from({ length: LOOPERS }, () => longSpace(call, longestAsDocument("prose"))),
  );
  return {
    "the tree of 10,000 pages": { paths: [`/spaces/${space}/content/pages`] },
    "all content of 10,000 pages": { paths: [`/spaces/${space}/content`] },
    "the widest search": {
      paths: commonWords(texts).map((word) => `/spaces/${space}/search?query=${word}`),
    },
    "a document of 2 MB": { paths: [`${page}/document`] },
    "markdown of 2 MB": { paths: [`${page}?format=markdown`] },
    "merges of a page of 500 kB": { merges },
  };
}

/** The words that most pages have. */
function commonWords(texts: string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.toLowerCase().match(/[a-z]{4,}/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  return byCount.slice(0, 20).map(([word]) => word);
}

/** A space with one page of so many bytes. */
async function longSpace(call: Client, bytes: number): Promise<{ space: string; page: string }> {
  const { body: list } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const made = await call<{ id: string }>("POST", `/orgs/${list.items[0]!.id}/spaces`, { title: "Long" });
  const space = made.body.id;
  const requests = `/spaces/${space}/change-requests`;
  const { body: opened } = await call<{ id: string }>("POST", requests, {});
  const markdown = longPage("prose", bytes);
  const changes = [{ operation: "insert_page", title: "Long", document: { markdown } }];
  const { status } = await call("POST", `${requests}/${opened.id}/content`, { changes });
  if (status >= 300) throw new Error(`A page was refused with ${status}`);
  await merge(call, `${requests}/${opened.id}`);
  const { body } = await call<{ pages: { id: string }[] }>("GET", `/spaces/${space}/content/pages`);
  return { space, page: body.pages[0]!.id };
}

/** Rounds of a loop that a process of its own runs. */
async function runLoop(loop: Loop): Promise<number> {
  const child = fork(new URL("./loop.ts", import.meta.url).pathname, { execArgv: process.execArgv });
  child.send(loop);
  const [rounds] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`The loop ended with ${code}`);
    }),
  ]);
  return rounds;
}

async function processesOf(stack: Stack) {
  const [gateway, content, postgres] = await Promise.all(
    ["gateway/dist", "services/content", "postgres -D"].map((part) => stack.pidOf(part)),
  );
  return () => ({ gateway: [gateway!], content: [content!], postgres: familyOf(postgres!) });
}
