import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { type Client, createClient } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";
import { importInto } from "./imports.js";
import { LONG_SHAPES, longestAsDocument, longPage } from "./long-pages.js";
import type { Line } from "./report.js";
import { discard, generateRepository } from "./repositories.js";
import { merge, spaceOf } from "./spaces.js";

/** A page as long as clients may send one, and as imports may bring one. */
const SENT = 2_000_000;
const IMPORTED = 9_500_000;
const PAGES_AT_ONCE = 5;
/** As many as one request can carry. */
const PAGES_SENT = 15;
const TREE = 10_000;
const rounds = 3;

/**
 * How long others wait while one client asks for what is large: the longest turn of content's event loop, in CPU time of
 * its main thread, beside the longest wait of a bystander who asks for one small page after the other.
 */
export async function measureWaits(): Promise<Line[]> {
  const probe = pathToFileURL(resolve(import.meta.dirname, "turns-probe.mjs")).href;
  const file = join(tmpdir(), `octavo-turns-${process.pid}`);
  writeFileSync(file, "");
  const stack = await startStack({
    NODE_OPTIONS: `--import=${probe}`,
    OCTAVO_BENCH_TURNS: file,
  });
  try {
    const call = createClient(stack);
    const watch = await watcher(call, file);
    return await cases(call, watch);
  } finally {
    await stack.stop();
  }
}

type Watch = (what: string, work: () => Promise<unknown>) => Promise<void>;
type Watcher = Watch & { lines: Line[] };

/** Watches what others notice of a piece of work. */
async function watcher(call: Client, file: string): Promise<Watcher> {
  const { space, pages } = await spaceOf(call, 20);
  const path = `/spaces/${space}/content/page/${pages[0]!.id}`;
  const bystander = async (until: Promise<unknown>) => {
    let over = false;
    until.finally(() => (over = true)).catch(() => undefined);
    let longest = 0;
    while (!over) {
      const since = performance.now();
      await call("GET", path);
      longest = Math.max(longest, performance.now() - since);
      await sleep(2);
    }
    return longest;
  };
  const idle = Math.max(await bystander(sleep(1_000)), await bystander(sleep(2_000)));
  const lines: Line[] = [];
  const watch = async (what: string, work: () => Promise<unknown>) => {
    await sleep(200);
    const from = Date.now();
    const done = work();
    const waited = await bystander(done);
    await done;
    const turns = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number));
    const own = turns.filter(([at]) => at! >= from).map(([, spent]) => spent!);
    lines.push({
      what: `others wait while ${what}`,
      measured: `${waited.toFixed(0)} ms`,
      reference: `${idle.toFixed(0)} ms idle`,
      result: Math.max(0, ...own),
      unit: "ms of CPU in one turn",
      target: { atMost: 100 },
    });
    process.stderr.write(`  ${what}: ${lines.at(-1)!.result} ms, bystander ${waited.toFixed(0)} ms\n`);
  };
  return Object.assign(watch, { lines });
}

async function cases(call: Client, watch: Watcher): Promise<Line[]> {
  await tree(call, watch);
  for (const shape of LONG_SHAPES) await documents(call, watch, shape);
  await sending(call, watch);
  await merging(call, watch);
  await importing(call, watch);
  return watch.lines;
}

async function tree(call: Client, watch: Watch) {
  const { space } = await spaceOf(call, TREE);
  const read = (path: string) => async () => {
    for (let round = 0; round < rounds; round++) await ok(call("GET", `/spaces/${space}/${path}`));
  };
  await watch(`the tree of ${TREE} pages is read`, read("content/pages"));
  await watch("the same with all files", read("content"));
  const { body } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, {});
  await watch("the same of a change request", read(`change-requests/${body.id}/content`));
}

/** One page of the largest size: sent, read in all ways, and sent back as a document. */
async function documents(call: Client, watch: Watch, shape: (typeof LONG_SHAPES)[number]) {
  const { space, request } = await openSpace(call);
  const markdown = longPage(shape, SENT);
  await watch(`a page of 2 MB is sent (${shape})`, () => write(call, request, [{ markdown }]));
  await watch(`it is merged into an empty space (${shape})`, () => merge(call, request));
  const { body: tree } = await call<{ pages: { id: string }[] }>("GET", `/spaces/${space}/content/pages`);
  const page = `/spaces/${space}/content/page/${tree.pages[0]!.id}`;
  await watch(`it is read (${shape})`, () => ok(call("GET", `${page}?format=markdown`)));
  await watch(`its document is read (${shape})`, () => ok(call("GET", `${page}/document`)));
  await watch(`its evaluated document is read (${shape})`, () =>
    ok(call("GET", `${page}/document?evaluated=true`)),
  );
  const again = await openSpace(call);
  await write(call, again.request, [{ markdown: longPage(shape, longestAsDocument(shape)) }]);
  await merge(call, again.request);
  const { body: others } = await call<{ pages: { id: string }[] }>(
    "GET",
    `/spaces/${again.space}/content/pages`,
  );
  const { body: document } = await ok(
    call<object>("GET", `/spaces/${again.space}/content/page/${others.pages[0]!.id}/document`),
  );
  const third = await openSpace(call);
  await watch(`a long document is sent (${shape})`, () => write(call, third.request, [{ document }]));
}

async function sending(call: Client, watch: Watch) {
  const { request } = await openSpace(call);
  const markdown = longPage("prose", SENT);
  const pages = Array.from({ length: PAGES_SENT }, () => ({ markdown }));
  await watch(`${PAGES_SENT} pages of 2 MB are sent at once`, () => write(call, request, pages));
}

async function merging(call: Client, watch: Watch) {
  const { space, request } = await openSpace(call);
  const texts = Array.from({ length: PAGES_AT_ONCE }, (_, at) => `Page ${at}\n\n${longPage("prose", SENT)}`);
  await write(
    call,
    request,
    texts.map((markdown) => ({ markdown })),
  );
  await merge(call, request);
  const { body } = await call<{ pages: { id: string }[] }>("GET", `/spaces/${space}/content/pages`);
  const change = async (edit: (text: string) => string) => {
    const requests = `/spaces/${space}/change-requests`;
    const { body: opened } = await call<{ id: string }>("POST", requests, {});
    const changes = body.pages.map(({ id }, at) => ({
      operation: "update_page",
      page: id,
      document: { markdown: edit(texts[at]!) },
    }));
    await ok(call("POST", `${requests}/${opened.id}/content`, { changes }));
    return `${requests}/${opened.id}`;
  };
  const ours = await change((text) => `Ours\n\n${text}`);
  const theirs = await change((text) => `${text}\n\nTheirs\n`);
  await merge(call, ours);
  await watch(`${PAGES_AT_ONCE} pages of 2 MB that both sides changed are compared`, () =>
    ok(call("GET", `${theirs}/changes`)),
  );
  await watch(`${PAGES_AT_ONCE} pages of 2 MB that both sides changed are merged`, () => merge(call, theirs));
}

async function importing(call: Client, watch: Watch) {
  const folder = generateRepository({ pages: 2, bytes: 1_000 });
  for (const [at, shape] of LONG_SHAPES.entries())
    writeFileSync(join(folder, `long-${at}.md`), longPage(shape, IMPORTED));
  const summary = LONG_SHAPES.map((shape, at) => `* [${shape}](long-${at}.md)\n`).join("");
  writeFileSync(join(folder, "SUMMARY.md"), `# Table of contents\n\n* [Start](README.md)\n${summary}`);
  const repository = await serveRepository(folder);
  try {
    await watch(`${LONG_SHAPES.length} pages of 9.5 MB are imported`, () => importInto(call, repository));
  } finally {
    await repository.close();
    discard(folder);
  }
}

const insert = (documents: object[]) => ({
  changes: documents.map((document, at) => ({ operation: "insert_page", title: `Long ${at}`, document })),
});

const write = (call: Client, request: string, documents: object[]) =>
  ok(call("POST", `${request}/content`, insert(documents)));

async function openSpace(call: Client) {
  const { body: list } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const { body } = await call<{ id: string }>("POST", `/orgs/${list.items[0]!.id}/spaces`, { title: "Long" });
  const space = body.id;
  const { body: opened } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, {});
  return { space, request: `/spaces/${space}/change-requests/${opened.id}` };
}

/** A response that is none of a refusal. */
async function ok<T extends { status: number; body: unknown }>(response: Promise<T>): Promise<T> {
  const made = await response;
  if (made.status >= 300) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
  return made;
}
