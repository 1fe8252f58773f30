import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { GitServer } from "@octavo/shared/testing/git-server";
import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { forgetPeak, memoryOf } from "./processes.js";
import { type Line, median } from "./report.js";
import { discard, generateRepository, servePacked, tenfold } from "./repositories.js";
import { realTexts, repositoryOf } from "./texts.js";

const rounds = 3;

interface Imported {
  seconds: number;
  /** The most memory that the content service held, MB. */
  peak: number;
}

/** A corpus by git over HTTP, against a clone of it whose bodies are inserted as plain rows; and ten times as much. */
export async function measureImports(
  stack: Stack,
  call: Client,
  client: pg.Client,
  corpus?: string,
): Promise<Line[]> {
  const folder = corpus ?? generateRepository({ pages: 824, bytes: 6_500 });
  const large = corpus ? tenfold(corpus) : generateRepository({ pages: 8_240, bytes: 6_500 });
  await client.query("create table reference.body (path text primary key, body text not null)");
  const [once, ten] = await Promise.all([servePacked(folder), servePacked(large)]);
  try {
    await importInto(call, once);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(await cloneAndInsert(client, once));
      ours.push((await importInto(call, once)).seconds);
    }
    const inTurn = await importedAnew(stack, call, Array(10).fill(once));
    const atOnce = await importedAnew(stack, call, [ten]);
    const seconds = median(ours);
    const files = markdownFiles(once.folder).length;
    return [
      await measureMany(call, client, corpus),
      {
        what: `import of ${files} markdown files by git`,
        measured: `${seconds.toFixed(2)} s`,
        reference: `${median(bare).toFixed(2)} s`,
        result: seconds / median(bare),
        target: { atMost: 5 },
      },
      {
        what: "import ten times as large, peak memory of content",
        measured: `${atOnce.peak.toFixed(0)} MB`,
        result: atOnce.peak,
        unit: "MB",
        target: { atMost: 400 },
      },
      {
        what: "the same, against ten imports in turn",
        measured: `${atOnce.peak.toFixed(0)} MB`,
        reference: `${inTurn.peak.toFixed(0)} MB`,
        result: atOnce.peak / inTurn.peak,
        target: { atMost: 1.05 },
      },
      {
        what: "import ten times as large, time",
        measured: `${atOnce.seconds.toFixed(2)} s`,
        reference: `${inTurn.seconds.toFixed(2)} s`,
        result: atOnce.seconds / inTurn.seconds,
      },
    ];
  } finally {
    await Promise.all([once.close(), ten.close()]);
    if (!corpus) discard(folder);
    discard(large);
  }
}

const PAGES = 10_000;

/** Many pages of real text, against a clone of them whose bodies are inserted as plain rows. */
async function measureMany(call: Client, client: pg.Client, corpus?: string): Promise<Line> {
  const folder = repositoryOf(realTexts(PAGES, 4_300, corpus));
  const many = await servePacked(folder);
  try {
    const bare = PAGES / (await cloneAndInsert(client, many));
    const ours = PAGES / (await importInto(call, many)).seconds;
    return {
      what: `import of ${PAGES} pages of real text`,
      measured: `${ours.toFixed(0)} pages/s`,
      reference: `${bare.toFixed(0)} pages/s`,
      result: ours,
      target: { atLeast: 600 },
      unit: "pages/s",
    };
  } finally {
    await many.close();
    discard(folder);
  }
}

/**
 * Imports repositories one after another in a content service that has just started. As many pages are imported before
 * and after: the heap of a process that has worked for longer is larger by some MB, whatever it worked on.
 */
async function importedAnew(stack: Stack, call: Client, repositories: GitServer[]): Promise<Imported> {
  const pid = await restarted(stack, "services/content");
  forgetPeak(pid);
  let seconds = 0;
  for (const repository of repositories) seconds += (await importInto(call, repository)).seconds;
  return { seconds, peak: memoryOf(pid).peak };
}

/** Kills a part and returns the process that the launcher starts in its place. */
async function restarted(stack: Stack, part: string): Promise<number> {
  const before = await stack.pidOf(part);
  await stack.kill(part);
  for (;;) {
    const pid = await stack.pidOf(part).catch(() => before);
    if (pid !== before) {
      await stack.ready();
      return pid;
    }
    await sleep(100);
  }
}

/** Imports a repository into a new space and waits for the end of it. */
export async function importInto(
  call: Client,
  { url }: GitServer,
): Promise<{ space: string; seconds: number }> {
  const { body: orgs } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const made = await call<{ id: string }>("POST", `/orgs/${orgs.items[0]!.id}/spaces`, { title: "Imported" });
  const space = made.body.id;
  const since = performance.now();
  await call("POST", `/spaces/${space}/git/import`, { url, ref: "refs/heads/main" });
  await waitForGit(call, space);
  return { space, seconds: (performance.now() - since) / 1000 };
}

/** Waits for the end of what git does with a space; throws when it failed. */
export async function waitForGit(call: Client, space: string): Promise<void> {
  for (;;) {
    const { body } = await call<{ operation: { state: string; error?: string } }>(
      "GET",
      `/spaces/${space}/git/info`,
    );
    if (body.operation.state === "failure") throw new Error(`Git failed: ${body.operation.error}`);
    if (body.operation.state === "success") return;
    await sleep(20);
  }
}

async function cloneAndInsert(client: pg.Client, { url }: GitServer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  await client.query("truncate reference.body");
  const since = performance.now();
  // Not synchronously: the repository is served by this very process.
  await promisify(execFile)("git", ["clone", "--quiet", url, folder]);
  await client.query("begin");
  for (const path of markdownFiles(folder)) {
    const body = readFileSync(join(folder, path), "utf8").replaceAll("\0", "");
    await client.query({
      name: "body",
      text: "insert into reference.body (path, body) values ($1, $2)",
      values: [path, body],
    });
  }
  await client.query("commit");
  const seconds = (performance.now() - since) / 1000;
  discard(folder);
  return seconds;
}

export const markdownFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".md") && !path.startsWith(".git/"),
  );
