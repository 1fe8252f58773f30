import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnsafe } from "../../files/unsafe.js";
import { contentTest } from "../../testing/content.js";
import { keepInStep } from "../sync/step.js";
import { filesIn, gitTest, write } from "../testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, run, send, edit, close } = gitTest(t);
t.directory.member("acme", { user: "ada", role: "admin", teams: [] });
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const files = (...names: string[]) => ({
  operation: "insert_files" as const,
  files: names.map((name) => ({ name, base64: Buffer.from(name).toString("base64") })),
});
const page = { operation: "insert_page" as const, title: "Home", document: { markdown: "Text.\n" } };
const unsafe = (error: unknown) => ({ state: "failure", reason: "unsafe_files", error });

async function deleteFiles(spaceId: string, isMeant: (name: string) => boolean) {
  const { items } = await admin.content.files({ spaceId });
  const meant = items.filter(({ name }) => isMeant(name));
  await edit(
    spaceId,
    meant.map(({ id }) => ({ operation: "delete_file", file: id })),
  );
}

test.each([
  ["evil.js", true],
  ["EVIL.JS", true],
  ["setup.exe. ", true],
  ["install.min.mjs", true],
  ["run.ps1", true],
  ["archive.js.zip", false],
  ["data.json", false],
  ["js", false],
  [".js", false],
  ["drawing.svg", false],
  ["openapi.yaml", false],
])("%j is unsafe: %s", (name, is) => {
  expect(isUnsafe(name)).toBe(is);
});

test("files that can be run stop an export, which names them, until they are deleted", async () => {
  const spaceId = await t.space();
  await edit(spaceId, [page, files("evil.js", "good.png")]);
  const target = await emptyRepository();
  expect(await send(spaceId, target.url)).toMatchObject(
    unsafe(expect.stringMatching(/delete_file.*: evil\.js$/)),
  );
  expect(await filesIn(target.folder)).toEqual({});
  expect(await send(spaceId, target.url, { force: true })).toMatchObject(unsafe(expect.any(String)));
  await deleteFiles(spaceId, (name) => name === "evil.js");
  expect(await send(spaceId, target.url)).toMatchObject({ state: "success" });
  expect(Object.keys(await filesIn(target.folder)).sort()).toEqual([
    ".gitbook/assets/good.png",
    "README.md",
    "SUMMARY.md",
  ]);
});

test("of many such files the first ten are named, and the rest counted", async () => {
  const spaceId = await t.space();
  await edit(spaceId, [page, files(...Array.from({ length: 13 }, (_, at) => `${at}.exe`))]);
  const { error } = await send(spaceId, (await emptyRepository()).url);
  expect(error!.match(/\d+\.exe/g)).toHaveLength(10);
  expect(error).toMatch(/ and 3 more$/);
});

test("a file that can be run and is in the repository already stops nothing, and goes when the repository has it no more", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n", ".gitbook/assets/theirs.js": "run()" });
  const spaceId = await t.space();
  await run(spaceId, source.url);
  const { id } = (await admin.content.pages({ spaceId })).pages[0]!;
  const edited = { operation: "update_page" as const, page: id, document: { markdown: "# Home\n\nMore.\n" } };
  await edit(spaceId, [edited]);
  expect(await send(spaceId, source.url)).toMatchObject({ state: "success" });
  expect(await send(spaceId, source.url, { force: true })).toMatchObject({ state: "success" });
  const other = await emptyRepository();
  expect(await send(spaceId, other.url, { force: true })).toMatchObject(
    unsafe(expect.stringMatching(/: \.gitbook\/assets\/theirs\.js$/)),
  );
  await rm(join(source.folder, ".gitbook/assets/theirs.js"));
  await source.commit("Without it");
  expect(await run(spaceId, source.url)).toMatchObject({ state: "success" });
  expect((await admin.content.files({ spaceId })).items).toEqual([]);
  expect(await send(spaceId, other.url, { force: true })).toMatchObject({ state: "success" });
});

test("an import takes away what was added to a space and can be run, as all that the repository lacks", async () => {
  const source = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await run(spaceId, source.url);
  await edit(spaceId, [files("ours.js")]);
  expect(await send(spaceId, source.url)).toMatchObject(unsafe(expect.any(String)));
  expect(await run(spaceId, source.url, { force: true })).toMatchObject({ state: "success" });
  expect((await admin.content.files({ spaceId })).items).toEqual([]);
  expect(await send(spaceId, source.url)).toMatchObject({ state: "success" });
});

test("a space in step says why nothing goes out, still takes pushes in, and goes on once the file is deleted", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  await admin.gitSync.update({ spaceId, url: server.url, ref: "refs/heads/main" });
  const step = () =>
    keepInStep(t.ctx, { space: spaceId, signal: new AbortController().signal, isLast: true });
  await step();
  await edit(spaceId, [files("evil.js", "good.png")]);
  await step();
  expect((await admin.git.info({ spaceId })).operation).toMatchObject(unsafe(expect.any(String)));
  await write(server.folder, { "pushed.md": "# Pushed\n" });
  await server.commit("Pushed");
  await step();
  const titles = async () => (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);
  expect(await titles()).toEqual(["Home", "Pushed"]);
  expect((await admin.git.info({ spaceId })).operation).toMatchObject(unsafe(expect.any(String)));
  await deleteFiles(spaceId, isUnsafe);
  await step();
  expect((await admin.git.info({ spaceId })).operation).toMatchObject({ state: "success" });
  expect(Object.keys(await filesIn(server.folder)).sort()).toEqual([
    ".gitbook/assets/good.png",
    "README.md",
    "pushed.md",
  ]);
});
