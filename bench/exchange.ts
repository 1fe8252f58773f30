import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { serveRepository } from "@octavo/shared/testing/git-server";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { importInto, waitForGit } from "./imports.js";
import { forgetPeak, memoryOf } from "./processes.js";
import type { Line } from "./report.js";
import { discard, generateRepository } from "./repositories.js";
import { merge, proposeEdit, spaceAt, spaceOf, untilSearchable } from "./spaces.js";
import { specificationOf } from "./specifications.js";

const PAGES = 9_000;
const BYTES = 4_300;
const PRINTED = 100;
const SPECIFICATION = 5_000_000;

/**
 * What comes into a space and goes out of it: a repository of 9,000 pages, the same after one file was changed, one changed
 * page sent back, 100 pages as PDF, and a specification of 5 MB, each beside a client who reads one small page after the
 * other.
 */
export async function measureExchange(stack: Stack, call: Client): Promise<Line[]> {
  const beside = await bystanderOf(call);
  return [
    ...(await repositories(stack, call, beside)),
    await printed(stack, call, beside),
    await specification(call, beside),
  ];
}

/** Does a piece of work; returns its seconds, and the longest wait of somebody else in ms. */
type Beside = (work: () => Promise<unknown>) => Promise<{ seconds: number; waited: number }>;

async function bystanderOf(call: Client): Promise<Beside> {
  const { space, pages } = await spaceOf(call, 20);
  const path = `/spaces/${space}/content/page/${pages[0]!.id}`;
  return async (work) => {
    const since = performance.now();
    let over = false;
    const done = work().finally(() => {
      over = true;
    });
    let waited = 0;
    while (!over) {
      const begun = performance.now();
      await call("GET", path);
      waited = Math.max(waited, performance.now() - begun);
      await sleep(5);
    }
    await done;
    return { seconds: (performance.now() - since) / 1000, waited };
  };
}

const lineOf = (
  what: string,
  { seconds, waited }: { seconds: number; waited: number },
  atMost?: number,
): Line => ({
  what,
  measured: `${seconds.toFixed(2)} s, others wait ${waited.toFixed(0)} ms at most`,
  result: seconds,
  unit: "s",
  ...(atMost !== undefined && { target: { atMost } }),
});

async function repositories(stack: Stack, call: Client, beside: Beside): Promise<Line[]> {
  const folder = generateRepository({ pages: PAGES, bytes: BYTES });
  const repository = await serveRepository(folder);
  const clone = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  try {
    // As hosts keep what is pushed: otherwise it is packed while it is fetched.
    await run("git", ["repack", "-adq"], { cwd: repository.folder });
    const fetchedFirst = await secondsOf(() =>
      run("git", ["clone", "--quiet", "--bare", "--depth=1", repository.url, clone]),
    );
    const content = await stack.pidOf("services/content");
    forgetPeak(content);
    let space = "";
    const first = await beside(async () => {
      space = (await importInto(call, repository)).space;
    });
    const { peak } = memoryOf(content);
    const indexed = await beside(() => untilSearchable(call, space));
    appendFileSync(join(repository.folder, "chapter-7", "page-145.md"), "\nOne more line.\n");
    await repository.commit("Change one page");
    const fetchedAgain = await secondsOf(() =>
      run("git", ["fetch", "--quiet", "--depth=1", repository.url, "main"], { cwd: clone }),
    );
    const again = await beside(() => git(call, space, "import", repository.url));
    const library = await spaceAt(call, space);
    await merge(call, await proposeEdit(call, library, library.pages[500]!, "Say more"));
    const exported = await beside(() => git(call, space, "export", repository.url));
    return [
      {
        what: `import of ${PAGES} pages by git`,
        measured: `${first.seconds.toFixed(1)} s, a fetch alone ${fetchedFirst.toFixed(1)} s, others wait ${first.waited.toFixed(0)} ms at most`,
        result: PAGES / first.seconds,
        unit: "pages/s",
        target: { atLeast: 600 },
      },
      {
        what: "peak memory of content meanwhile",
        measured: `${peak.toFixed(0)} MB`,
        result: peak,
        unit: "MB",
        target: { atMost: 300 },
      },
      lineOf("until the search finds all of them", indexed),
      {
        what: "the same again after one file was changed, but for the fetch",
        measured: `${again.seconds.toFixed(2)} s, a fetch alone ${fetchedAgain.toFixed(2)} s, others wait ${again.waited.toFixed(0)} ms at most`,
        result: again.seconds - fetchedAgain,
        unit: "s",
        target: { atMost: 2 },
      },
      lineOf("export of one changed page", exported),
    ];
  } finally {
    await repository.close();
    discard(folder);
    discard(clone);
  }
}

const run = promisify(execFile);

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1000;
}

async function git(call: Client, space: string, way: "import" | "export", url: string) {
  const input = { url, ref: "refs/heads/main", ...(way === "export" && { commitMessage: "Export" }) };
  await ok(call("POST", `/spaces/${space}/git/${way}`, input));
  await waitForGit(call, space);
}

async function printed(stack: Stack, call: Client, beside: Beside): Promise<Line> {
  const { space } = await spaceOf(call, PRINTED, BYTES);
  const { body } = await ok(call<{ url: string }>("GET", `/spaces/${space}/pdf`));
  const address = new URL(body.url);
  const made = await beside(async () => {
    const response = await fetch(`${stack.base}${address.pathname}${address.search}`);
    if (!response.ok) throw new Error(`The PDF was refused with ${response.status}`);
    await response.arrayBuffer();
  });
  return lineOf(`PDF of ${PRINTED} pages`, made, 5);
}

async function specification(call: Client, beside: Beside): Promise<Line> {
  const { body: orgs } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const specs = `/orgs/${orgs.items[0]!.id}/openapi`;
  const text = JSON.stringify(specificationOf(SPECIFICATION));
  const processed = await beside(async () => {
    await ok(call("POST", specs, { slug: "large", source: { text } }));
    for (;;) {
      const { body } = await ok(
        call<{ processingState: string; lastProcessErrorCode?: string }>("GET", `${specs}/large`),
      );
      if (body.lastProcessErrorCode) throw new Error(`Not processed: ${body.lastProcessErrorCode}`);
      if (body.processingState === "complete") return;
      await sleep(50);
    }
  });
  return lineOf("an OpenAPI document of 5 MB", processed, 10);
}

async function ok<T extends { status: number; body: unknown }>(response: Promise<T>): Promise<T> {
  const made = await response;
  if (made.status >= 300) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
  return made;
}
