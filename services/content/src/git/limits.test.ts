import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { runImport } from "./import.js";
import * as operations from "./operations.js";
import { gitTest, wayTo } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, run, send, edit, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const server = await repositoryOf({ "README.md": "# Home\n" });
const git = (args: string[], input: string | Buffer = "") =>
  execFileSync("git", args, { cwd: server.folder, input, maxBuffer: 2 ** 27 })
    .toString()
    .trim();
const blob = (content: string | Buffer) => git(["hash-object", "-w", "--stdin"], content);
/** A tree of entries, each `[mode, oid, name]`. */
const tree = (entries: [mode: string, oid: string, name: string][]) =>
  git(
    ["mktree"],
    entries
      .map(([mode, oid, name]) => `${mode} ${mode === "040000" ? "tree" : "blob"} ${oid}\t${name}\n`)
      .join(""),
  );
/** A tree with `width` names for the same object, again and again: `width ** levels` paths. */
function shared(oid: string, { width, levels }: { width: number; levels: number }): string {
  let mode = "100644";
  let current = oid;
  for (let level = 0; level < levels; level++) {
    const suffix = mode === "100644" ? ".md" : "";
    current = tree(
      Array.from({ length: width }, (_, at) => [mode, current, `n${String(at).padStart(3, "0")}${suffix}`]),
    );
    mode = "040000";
  }
  return current;
}
/** Makes a tree the content of a branch. */
function publish(name: string, content: string, message = "Too much"): string {
  const who = ["-c", "user.name=Octavo", "-c", "user.email=octavo@example.com"];
  const commit = git([...who, "commit-tree", content, "-F", "-"], message);
  git(["update-ref", `refs/heads/${name}`, commit]);
  return `refs/heads/${name}`;
}

const home = blob("# Home\n");
const EMPTY = git(["hash-object", "-w", "-t", "tree", "--stdin"]);

test.each([
  ["names for files", () => shared(home, { width: 10, levels: 10 })],
  [
    "names for empty folders",
    () => {
      const folders = (of: string): string =>
        tree(Array.from({ length: 10 }, (_, at) => ["040000", of, `n${at}`]));
      return Array.from({ length: 10 }).reduce<string>(folders, EMPTY);
    },
  ],
])(
  "an import of ten billion %s fails and names the bound",
  async (what, content) => {
    const ref = publish(what.replaceAll(" ", "-"), content());
    expect(await run(await t.space(), server.url, { ref })).toMatchObject({
      state: "failure",
      error: "The project directory holds more than 200,000 files and folders",
    });
  },
  60_000,
);

test("what lies beside the project directory does not count", async () => {
  const docs = tree([["100644", home, "README.md"]]);
  const ref = publish(
    "beside",
    tree([
      ["040000", docs, "docs"],
      ["040000", shared(home, { width: 10, levels: 10 }), "vendor"],
    ]),
  );
  const request = { ref, repoProjectDirectory: "docs" };
  expect(await run(await t.space(), server.url, request)).toMatchObject({ state: "success" });
});

test("an import of folders without an end of depth fails and names the bound", async () => {
  const ref = "refs/heads/deep";
  const path = `${"deep/".repeat(400)}README.md`;
  // One process for all of the trees.
  const who = "Octavo <octavo@example.com> 0 +0000";
  git(["fast-import", "--quiet"], `commit ${ref}\ncommitter ${who}\ndata 0\nM 100644 ${home} ${path}\n`);
  expect(await run(await t.space(), server.url, { ref })).toMatchObject({
    state: "failure",
    error: expect.stringMatching(/^A path of more than 1000 bytes: deep\/deep/),
  });
});

test("an import of a name of some MB fails and names the bound", async () => {
  const name = "n".repeat(3_000_000);
  const ref = publish("name", tree([["100644", home, `${name}.md`]]));
  expect(await run(await t.space(), server.url, { ref })).toMatchObject({
    state: "failure",
    error: `A path of more than 1000 bytes: ${"n".repeat(100)}…`,
  });
});

test("an import of too many pages, or of texts that are too large together, fails and names the bound", async () => {
  const many = publish("many", shared(home, { width: 240, levels: 2 }));
  expect(await run(await t.space(), server.url, { ref: many })).toMatchObject({
    state: "failure",
    error: "More than 50000 pages",
  });
  const long = blob(`# Long\n\n${"word ".repeat(1_800_000)}\n`);
  const large = publish("large", shared(long, { width: 60, levels: 1 }));
  expect(await run(await t.space(), server.url, { ref: large })).toMatchObject({
    state: "failure",
    error: "More than 512 MB of pages",
  });
});

test("files that are too large together fail an import before any is read", async () => {
  const film = blob(Buffer.alloc(99 * 1024 * 1024));
  const assets = tree(Array.from({ length: 21 }, (_, at) => ["100644", film, `film-${at}.bin`]));
  const content = tree([
    ["100644", home, "README.md"],
    ["040000", tree([["040000", assets, "assets"]]), ".gitbook"],
  ]);
  const ref = publish("films", content);
  expect(await run(await t.space(), server.url, { ref })).toMatchObject({
    state: "failure",
    error: "More than 2048 MB of files",
  });
  expect(await readdir(t.storageFolder, { recursive: true }).catch(() => [])).toEqual([]);
});

test("of a commit's message the beginning is kept", async () => {
  const ref = publish("message", tree([["100644", home, "README.md"]]), `${"🙂".repeat(100_000)}\n`);
  const spaceId = await t.space();
  expect(await run(spaceId, server.url, { ref })).toMatchObject({ state: "success" });
  const { git } = await admin.content.revision({ spaceId });
  expect(git!.message).toBe("🙂".repeat(5_000));
});

test("a host that drips bytes is given up by imports and exports, and neither side has changed", async () => {
  const way = await wayTo(server.url);
  const [taking, giving] = [await t.space(), await t.space()];
  for (const spaceId of [taking, giving]) await run(spaceId, server.url);
  await edit(giving, [{ operation: "insert_page", title: "More", document: { markdown: "Text.\n" } }]);
  const heads = () => git(["for-each-ref"]);
  const before = [heads(), await admin.content.revision({ spaceId: taking })];
  way.set("dripping");
  const ends = await Promise.all([run(taking, way.url, { force: true }), send(giving, way.url)]);
  for (const end of ends)
    expect(end).toMatchObject({ state: "failure", error: "The repository did not respond in time" });
  expect([heads(), await admin.content.revision({ spaceId: taking })]).toEqual(before);
  expect((await readdir(t.base.workFolder)).filter((name) => name !== "kept")).toEqual([]);
  await way.close();
  expect(await send(giving, server.url)).toMatchObject({ state: "success" });
});

test("a fetch that is aborted ends all of git: no connection stays open, and no clone", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  const { port } = silent.address() as AddressInfo;
  const space = await t.space();
  const request = {
    url: `http://127.0.0.1:${port}/x.git`,
    ref: "refs/heads/main",
    force: false,
    standalone: false,
  };
  const id = newId();
  const sealed = t.ctx.vault.seal(JSON.stringify(request), operations.requestOf(id));
  await operations.insert(t.ctx, { id, space, created_by: "someone", request: sealed });
  const stopping = new AbortController();
  const ended = runImport(t.ctx, (await operations.findRunning(t.ctx, id))!, stopping.signal);
  const connected = new Promise<void>((done) =>
    silent.once("connection", (socket) => socket.once("data", () => done())),
  );
  await connected;
  const [socket] = sockets;
  const closed = new Promise((done) => socket!.once("close", done));
  stopping.abort(new Error("the service stops"));
  await expect(ended).rejects.toThrow("the service stops");
  await closed;
  expect((await readdir(t.base.workFolder)).filter((name) => name !== "kept")).toEqual([]);
  silent.close();
});
