import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { type GitWay, wayTo } from "../harness/git-way.js";
import { type Stack, startStack } from "../harness/stack.js";

// A space and a repository that are both written to, while the service that keeps them in step is killed.

const run = promisify(execFile);
const SECRET = "a secret of some length";
const SEED = 20;
const STEPS = 50;
/** Steps at which a merge and a push change the same page differently; both conflicts are open for a while. */
const CONFLICTS: Record<number, string> = { 14: "A", 18: "B" };
/** Steps at which somebody decides a conflict. */
const DECISIONS: Record<number, string> = { 24: "A", 28: "B" };
/** Five tries have pauses of 84 s together, and each of them takes its time on a machine that is busy. */
const REFLECTED_WITHIN_MS = 240_000;
const ALL_WITHIN_MS = 1_200_000;

let stack: Stack;
let call: Client;
let database: Database;
let server: GitServer;
let way: GitWay;
/** Where somebody works on the repository. */
let work: string;
let space: string;

/** What both sides are to show in the end: the text of each page, by its title. */
const texts = new Map<string, string>();
/** The ids that pages were first seen with. */
const ids = new Map<string, string>();
/** The commits that were pushed by hand. */
const pushed: string[] = [];
/** Pages that are in conflict: nobody writes them until it is decided. */
const disputed = new Set<string>();

beforeAll(async () => {
  stack = await startStack();
  call = createClient({ ...stack, patienceMs: 30_000 });
  database = openDatabase(stack);
  const home = await mkdtemp(join(tmpdir(), "octavo-in-step-"));
  const source = join(home, "source");
  work = join(home, "work");
  await mkdir(source);
  for (const title of ["A", "B", "C", "D", "E", "F"]) {
    texts.set(title, textOf(title, "First."));
    await writeFile(join(source, fileOf(title)), textOf(title, "First."));
  }
  const items = [...texts.keys()].map((title) => `- [${title}](${fileOf(title)})\n`).join("");
  await writeFile(join(source, "SUMMARY.md"), `# Contents\n\n${items}`);
  server = await serveRepository(source);
  way = await wayTo(server.url);
  await run("git", ["clone", "--quiet", server.url, work]);
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "In step" })).body.id;
  const settings = { url: way.url, ref: "refs/heads/main", secret: SECRET };
  expect((await call("PUT", `/spaces/${space}/git/sync`, settings)).status).toBe(200);
  await equal();
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
  await way?.close();
  await server?.close();
  if (work) await rm(join(work, ".."), { recursive: true, force: true });
});

const textOf = (title: string, text: string) => `# ${title}\n\n${text}\n`;
const fileOf = (title: string) => `${title.toLowerCase()}.md`;

// The side of the repository

const git = async (...args: string[]) =>
  (
    await run("git", ["-c", "user.name=Bea", "-c", "user.email=bea@example.com", ...args], { cwd: work })
  ).stdout.trim();

type Files = Map<string, { text: string; file: string }>;

/** The texts and files of the pages in a folder, by the titles. */
async function filesIn(folder: string): Promise<Files> {
  const found: Files = new Map();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".md") || file === "SUMMARY.md" || file.startsWith(".git/")) continue;
    const text = await readFile(join(folder, file), "utf8");
    found.set(/^# (.*)$/m.exec(text)?.[1] ?? file, { text, file });
  }
  return found;
}

/** The commit that the branch leads to. */
const tip = async () => (await readFile(join(server.folder, ".git/refs/heads/main"), "utf8")).trim();

/** Somebody pushes a change on top of what the branch holds, and the host of the repository calls the webhook. */
async function push(subject: string, change: (files: Files) => Promise<void>) {
  await eventually(async () => {
    await git("fetch", "--quiet");
    await git("reset", "--quiet", "--hard", "origin/main");
    await change(await filesIn(work));
    await git("add", "--all");
    await git("commit", "--quiet", "-m", subject);
    await git("push", "--quiet", "origin", "HEAD:main");
    return true;
  });
  pushed.push(await git("rev-parse", "HEAD"));
}

const write = (file: string, text: string) => writeFile(join(work, file), text);

async function changeContents(change: (contents: string) => string) {
  await write("SUMMARY.md", change(await readFile(join(work, "SUMMARY.md"), "utf8")));
}

async function announcePush() {
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
  const sent = () => call.send("POST", `/spaces/${space}/git/webhook`, headers, body);
  await eventually(async () => (await sent()).status === 204);
}

// The side of the space

interface Page {
  id: string;
  title: string;
  path: string;
}

/** The pages of the space, or of a change request. */
async function pagesAt(one: string): Promise<Page[]> {
  return (await call<{ pages: Page[] }>("GET", `${one}/content/pages`)).body.pages;
}

async function textAt(one: string, { id }: Page): Promise<string> {
  return (await call<{ markdown: string }>("GET", `${one}/content/page/${id}?format=markdown`)).body.markdown;
}

/** A change request with a change, made from the pages that it shows; not merged yet. */
async function prepare(subject: string, change: (pages: Page[]) => object): Promise<string> {
  const { body } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, { subject });
  const one = `/spaces/${space}/change-requests/${body.id}`;
  const changes = [change(await pagesAt(one))];
  expect((await call("POST", `${one}/content`, { changes })).status, subject).toBe(200);
  return one;
}

async function merge(one: string) {
  const { body } = await call("POST", `${one}/merge`);
  // The response of an earlier try may have been lost.
  expect((await call<{ status: string }>("GET", one)).body.status, JSON.stringify(body)).toBe("merged");
}

const pageOf = (pages: Page[], title: string) => pages.find((page) => page.title === title)!.id;

const rewrite = (title: string, markdown: string) => (pages: Page[]) => ({
  operation: "update_page",
  page: pageOf(pages, title),
  document: { markdown },
});

const conflict = async () =>
  (await call<{ conflict?: string }>("GET", `/spaces/${space}/git/sync`)).body.conflict;

// Both

/** Resolves when a side shows a page as it was written last, by whichever side: then it is written on top of that. */
async function seen(side: "merge" | "push", title: string) {
  const isSeen = async () => {
    if (side === "push") return (await filesIn(server.folder)).get(title)?.text === texts.get(title);
    const page = (await pagesAt(`/spaces/${space}`)).find((page) => page.title === title);
    return page !== undefined && (await textAt(`/spaces/${space}`, page)) === texts.get(title);
  };
  await eventually(isSeen, REFLECTED_WITHIN_MS).catch(async (cause: unknown) => {
    throw new Error(`${title} does not come in for a ${side}: ${JSON.stringify(await state())}`, { cause });
  });
}

async function state() {
  const { body } = await call("GET", `/spaces/${space}/git/info`);
  return { operation: body.operation, sync: (await call("GET", `/spaces/${space}/git/sync`)).body };
}

/** Waits until the service reports that both sides are in step, and reads them: they show what was written. */
async function equal() {
  const isInStep = async () => {
    const [known] = await database.query<{ commit: string; same: boolean }>(
      `select s.commit, s.seq = b.seq and not exists (
         select from content.git_operation o where o.space = s.space and o.state = 'running') as same
       from content.git_state s join content.branch b on b.id = s.space where s.space = $1`,
      [space],
    );
    return known?.same && known.commit === (await tip());
  };
  await eventually(isInStep, REFLECTED_WITHIN_MS).catch(async (cause: unknown) => {
    throw new Error(`Both sides stay different: ${JSON.stringify(await state())}`, { cause });
  });
  const written = Object.fromEntries([...texts].sort());
  const files = [...(await filesIn(server.folder))].map(([title, { text }]) => [title, text]);
  expect(Object.fromEntries(files.sort())).toEqual(written);
  const pages = await pagesAt(`/spaces/${space}`);
  for (const { title, id } of pages) ids.set(title, ids.get(title) ?? id);
  const shown = await Promise.all(
    pages.map(async (page) => [page.title, await textAt(`/spaces/${space}`, page)]),
  );
  expect(Object.fromEntries(shown.sort())).toEqual(written);
}

/** Numbers from 0 to 1, the same in each run. */
function numbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = numbers(SEED);
/** The pages that each side writes most. */
const own = { merge: ["A", "B", "C"], push: ["D", "E", "F"] };

function pick(side: "merge" | "push"): string {
  const writable = [...texts.keys()].filter((title) => !disputed.has(title));
  const mine = writable.filter((title) => own[side].includes(title));
  const among = mine.length > 0 && random() < 0.8 ? mine : writable;
  return among[Math.floor(random() * among.length)]!;
}

/** One merge: mostly of another text, else of a new page or a deletion. */
async function mergeStep(step: number) {
  const kind = random();
  if (kind < 0.12) {
    const title = `Merged ${step}`;
    texts.set(title, textOf(title, "New."));
    own.merge.push(title);
    const document = { markdown: texts.get(title) };
    return merge(await prepare(title, () => ({ operation: "insert_page", title, document })));
  }
  const title = pick("merge");
  await seen("merge", title);
  if (kind < 0.18 && title.length > 1) {
    texts.delete(title);
    return merge(
      await prepare(`Delete ${title}`, (pages) => ({ operation: "delete_page", page: pageOf(pages, title) })),
    );
  }
  texts.set(title, textOf(title, `Merge ${step}.`));
  await merge(await prepare(`Merge ${step}`, rewrite(title, texts.get(title)!)));
}

/** One push: mostly of another text, else of a new page, a deletion, or a renamed file. */
async function pushStep(step: number) {
  const kind = random();
  if (kind < 0.12) {
    const title = `Pushed ${step}`;
    texts.set(title, textOf(title, "New."));
    own.push.push(title);
    return push(title, async () => {
      await write(`pushed-${step}.md`, texts.get(title)!);
      await changeContents((contents) => `${contents.trimEnd()}\n- [${title}](pushed-${step}.md)\n`);
    });
  }
  const title = pick("push");
  await seen("push", title);
  if (kind < 0.18 && title.length > 1) {
    texts.delete(title);
    return push(`Delete ${title}`, async (files) => {
      const { file } = files.get(title)!;
      await rm(join(work, file));
      await changeContents((contents) => contents.replace(new RegExp(`^.*\\(${file}\\).*\\n`, "m"), ""));
    });
  }
  if (kind < 0.26)
    return push(`Rename ${title}`, async (files) => {
      const { file } = files.get(title)!;
      await mkdir(join(work, `moved-${step}`));
      await git("mv", file, `moved-${step}/${file.split("/").at(-1)}`);
      await changeContents((contents) =>
        contents.replace(`(${file})`, `(moved-${step}/${file.split("/").at(-1)})`),
      );
    });
  texts.set(title, textOf(title, `Push ${step}.`));
  await push(`Push ${step}`, async (files) => write(files.get(title)!.file, texts.get(title)!));
}

/** Both sides write the same page before either receives the other one. */
async function dispute(step: number, title: string) {
  await equal();
  const before = await conflict();
  const open = way.shut();
  await merge(await prepare(`Ours ${step}`, rewrite(title, textOf(title, `Ours ${step}.`))));
  texts.set(title, textOf(title, `Theirs ${step}.`));
  await push(`Theirs ${step}`, async (files) => write(files.get(title)!.file, texts.get(title)!));
  disputed.add(title);
  open();
  await announcePush();
  if (!before) await eventually(conflict, REFLECTED_WITHIN_MS);
  // What the repository has is what both show until it is decided.
  await equal();
}

async function decide(step: number, title: string) {
  const one = `/spaces/${space}/change-requests/${await conflict()}`;
  texts.set(title, textOf(title, `Both ${step}.`));
  const changes = [rewrite(title, texts.get(title)!)(await pagesAt(one))];
  expect((await call("POST", `${one}/content`, { changes })).status).toBe(200);
  await merge(one);
  disputed.delete(title);
}

/** Where the service is killed. Both sides are equal before, so that no step waits for what is held. */
const KILLS: Record<number, (step: number) => Promise<void>> = {
  // A push came through, which the service does not record, and somebody writes the same page on top of it.
  8: async (step) => {
    const pushed = way.after("push");
    texts.set("A", textOf("A", `Merge ${step}.`));
    await merge(await prepare(`Merge ${step}`, rewrite("A", texts.get("A")!)));
    const release = await pushed;
    await killContent(release);
    texts.set("A", textOf("A", `On top ${step}.`));
    await push(`On top ${step}`, async (files) => write(files.get("A")!.file, texts.get("A")!));
    await announcePush();
  },
  // In the middle of the transaction of an import, while the space has changed as well.
  21: async (step) => {
    const open = way.shut();
    await mergeStep(step);
    await pushStep(step);
    const block = await database.block("content.git_state");
    open();
    await announcePush();
    await block.waits("insert into");
    await killContent(() => block.release());
  },
  // While it fetches.
  37: async (step) => {
    await pushStep(step);
    const fetched = way.before("fetch");
    await announcePush();
    const release = await fetched;
    await killContent(release);
  },
};

async function killContent(release: () => void | Promise<void>) {
  await stack.kill("services/content");
  await release();
  await stack.ready();
}

test(
  "fifty merges and pushes in turn, two of them in conflict, leave both sides equal although the service is killed",
  async () => {
    for (let step = 0; step < STEPS; step += 1) {
      const [disputing, deciding, killing] = [CONFLICTS[step], DECISIONS[step], KILLS[step]];
      if (disputing) await dispute(step, disputing);
      else if (deciding) await decide(step, deciding);
      else if (killing) {
        await equal();
        await killing(step);
      } else if (random() < 0.5) await mergeStep(step);
      else {
        await pushStep(step);
        await announcePush();
      }
    }
    await announcePush();
    await equal();
    expect(await conflict()).toBeUndefined();
    const commit = await tip();
    await git("fetch", "--quiet");
    const history = (await git("rev-list", commit)).split("\n");
    expect(pushed.filter((commit) => !history.includes(commit))).toEqual([]);
    // Pages are the ones that they were; no decision was needed about what was written on top of what was seen.
    const now = await pagesAt(`/spaces/${space}`);
    for (const { title, id } of now) expect(id, title).toBe(ids.get(title));
    const open = await database.query(
      "select subject from content.change_request where space = $1 and status <> 'merged'",
      [space],
    );
    expect(open).toEqual([]);
    // In step, there is nothing to do.
    const looks = await database.query<{ count: number }>(
      "select count(*)::int as count from content.git_operation",
    );
    await announcePush();
    await eventually(
      async () =>
        (await database.query("select from content_jobs._private_jobs where key like 'git.sync:%'"))
          .length === 0,
      30_000,
    );
    expect(
      await database.query<{ count: number }>("select count(*)::int as count from content.git_operation"),
    ).toEqual(looks);
    expect(await tip()).toBe(commit);
  },
  ALL_WITHIN_MS,
);
