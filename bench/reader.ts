import { setTimeout as sleep } from "node:timers/promises";
import { type Client, eventually } from "../tests/harness/client.js";
import { makerOf } from "../tests/harness/permissions.js";
import type { Stack } from "../tests/harness/stack.js";
import { measureKept, measureKeptThroughGateway } from "./kept.js";
import { readWhole } from "./load.js";
import { memoryOf } from "./processes.js";
import { type Line, median } from "./report.js";

const PAGES = 150;
/** About as long as the longest page of documentation that was found. */
const LONGEST_SECTIONS = 450;
const MERGES = 5;
const SETTLED_MS = 8_000;
/** Where the launcher puts the reader, from the gateway's port. */
const READER = 5;

const section = (number: number): string =>
  [
    `## Section ${number}`,
    "A page holds what a reader came for, and a little **more** than that: where it [stands](page-1.md), and `why`.",
    '{% hint style="info" %}\nSomething to keep in mind.\n{% endhint %}',
    "| name | value |\n| --- | --- |\n| one | 1 |\n| two | 2 |",
    `\`\`\`ts\nexport const value${number} = compute("${number}", { deep: true });\n\`\`\``,
  ].join("\n\n");
const textOf = (sections: number): string =>
  Array.from({ length: sections }, (_, number) => section(number)).join("\n\n");

/**
 * Pages that people read: kept ones against node:http alone with the same bytes and against reads of the API, and those that
 * nobody asked for before, one of them very long, while somebody else reads on; and how soon a merge is seen.
 */
export async function measureReader(stack: Stack, call: Client): Promise<Line[]> {
  const { address, space } = await publish(call);
  const reader = new URL(address);
  reader.port = String(stack.port + READER);
  reader.hostname = "127.0.0.1";
  const at = (path: string) => new URL(path, reader).href;
  // What starting and publishing have left to do, such as an index, is no part of what a page takes.
  await sleep(SETTLED_MS);
  const cold = await timesOf(Array.from({ length: PAGES - 2 }, (_, index) => at(`page-${index + 3}`)));
  const long = await whileReading(at("page-3"), async () => (await timesOf([at("longest")]))[0]!);
  const pid = await stack.pidOf("reader/dist");
  const lines = [
    inMs("cold page of a site, p50", median(cold), 8),
    inMs("longest page of a site, cold", long.result, 400),
    inMs("others wait meanwhile", long.waited, 100),
    inMs("a merge is seen after, at most", Math.max(...(await merges(call, space, reader))), 2_000),
  ];
  lines.push(...(await measureKept(at("page-2"), pid)));
  const page = new URL("page-2", address).href;
  lines.push(...(await measureKeptThroughGateway(stack, page, `/v1/spaces/${space}`)));
  await sleep(3_000);
  const { rss } = memoryOf(pid);
  const held = { what: "memory of the reader after that", measured: `${rss.toFixed(0)} MB`, result: rss };
  return [...lines, { ...held, target: { atMost: 150 }, unit: "MB" }];
}

const inMs = (what: string, ms: number, atMost: number): Line => ({
  what,
  measured: `${ms.toFixed(1)} ms`,
  result: ms,
  unit: "ms",
  target: { atMost },
});

async function timesOf(urls: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const url of urls) {
    const began = performance.now();
    const status = await readWhole(url);
    if (status !== 200) throw new Error(`${url} is ${status}`);
    times.push(performance.now() - began);
  }
  return times;
}

/** Does something while somebody reads one page again and again, and says how long that one waited at most. */
async function whileReading(url: string, work: () => Promise<number>) {
  let [over, waited] = [false, 0];
  const reading = (async () => {
    while (!over) {
      waited = Math.max(waited, ...(await timesOf([url])));
      await sleep(2);
    }
  })();
  const result = await work();
  over = true;
  await reading;
  return { result, waited };
}

/** How many ms after each of some merges its text was seen. */
async function merges(call: Client, space: string, reader: URL): Promise<number[]> {
  const make = makerOf(call);
  const { pages } = await make<{ pages: { id: string; title: string }[] }>(
    ...(["GET", `/spaces/${space}/content/pages`] as const),
  );
  const { id: page } = pages.find(({ title }) => title === "Page 7")!;
  const times: number[] = [];
  for (let merge = 0; merge < MERGES; merge += 1) {
    const word = `seen-${merge}`;
    const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
    const changes = [{ operation: "update_page", page, document: { markdown: `# Page 7\n\n${word}\n` } }];
    await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
    await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
    const began = performance.now();
    while (!(await (await fetch(new URL("page-7", reader))).text()).includes(word)) await sleep(10);
    times.push(performance.now() - began);
  }
  return times;
}

/** A site of many pages, and a long one. */
async function publish(call: Client): Promise<{ address: string; space: string }> {
  const make = makerOf(call);
  const organization = (await make("POST", "/orgs", { title: "Readers of sites" })).id;
  const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Read" })).id;
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  const insert = (title: string, sections: number) => ({
    operation: "insert_page",
    title,
    document: { markdown: `# ${title}\n\n${textOf(sections)}\n` },
  });
  const titles = Array.from({ length: PAGES }, (_, at) => `Page ${at + 1}`);
  const all = [...titles.map((title) => insert(title, 6)), insert("Longest", LONGEST_SECTIONS)];
  for (let at = 0; at < all.length; at += 50)
    await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes: all.slice(at, at + 50) });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
  const site = (await make("POST", `/orgs/${organization}/sites`, { title: "Read", spaces: [space] })).id;
  const path = `/orgs/${organization}/sites/${site}/publish`;
  const { urls } = await make<{ urls: { published: string } }>("POST", path);
  await eventually(async () => (await fetch(urls.published)).status === 200, 30_000);
  return { address: urls.published, space };
}
