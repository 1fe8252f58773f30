import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { runImport } from "./import.js";
import { gitTest, wayTo, write } from "./testing.js";

// A clone is kept for the next operation: for that of the space, or of all with one `repoCacheID`.

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, start, run, send, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
const ways: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  await Promise.all(ways.map((way) => way.close()));
  await close();
  await t.drop();
});

/** Bytes that no pack makes smaller. */
const LARGE = 400_000;

/** A repository with a large file, and the way to it. */
async function repository() {
  const large = randomBytes(LARGE).toString("base64");
  const server = await repositoryOf({ "README.md": "# Home\n", ".gitbook/assets/large.txt": large });
  const way = await wayTo(server.url);
  ways.push(way);
  return { server, way };
}

const titlesOf = async (spaceId: string) =>
  (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);
const keptClones = async () => (await readdir(join(t.ctx.workFolder, "kept")).catch(() => [])).length;

test("operations of an organization with one repoCacheID share a clone, and fetch only what is new", async () => {
  const { server, way } = await repository();
  const shared = { repoCacheID: "handbook" };
  const [one, other] = [await t.space(), await t.space()];
  expect(await run(one, way.url, shared)).toMatchObject({ state: "success" });
  expect(way.passed()).toBeGreaterThan(LARGE);
  expect(await run(other, way.url, shared)).toMatchObject({ state: "success" });
  expect(way.passed()).toBeLessThan(LARGE / 10);
  expect(await titlesOf(other)).toEqual(["Home"]);
  expect((await admin.content.files({ spaceId: other })).items).toMatchObject([{ name: "large.txt" }]);
  await write(server.folder, { "new.md": "# New\n" });
  await server.commit("Add a page");
  expect(await run(other, way.url, shared)).toMatchObject({ state: "success" });
  expect(await send(one, way.url, { ...shared, force: true })).toMatchObject({ state: "success" });
  expect(way.passed()).toBeLessThan(LARGE / 10);
  expect(await titlesOf(other)).toEqual(["Home", "New"]);
});

test("without a repoCacheID a space has a clone of its own, and another organization never has this one's", async () => {
  const { way } = await repository();
  const shared = { repoCacheID: "same" };
  const space = await t.space();
  await run(space, way.url, shared);
  expect(way.passed()).toBeGreaterThan(LARGE);
  await run(await t.space(), way.url);
  expect(way.passed()).toBeGreaterThan(LARGE);
  const foreign = await t.space({ organization: "beta" });
  const operation = await start(t.ctx, foreign, "import", { url: way.url, standalone: false, ...shared });
  await runImport(t.ctx, operation, new AbortController().signal);
  expect(way.passed()).toBeGreaterThan(LARGE);
  const own = await t.space();
  await run(own, way.url);
  expect(way.passed()).toBeGreaterThan(LARGE);
  await run(own, way.url, { force: true });
  expect(way.passed()).toBeLessThan(LARGE / 10);
});

test("of two operations at once that share a clone each has one of its own", async () => {
  const { way } = await repository();
  const shared = { repoCacheID: "at once" };
  await run(await t.space(), way.url, shared);
  const spaces = [await t.space(), await t.space(), await t.space()];
  const ended = await Promise.all(spaces.map((space) => run(space, way.url, shared)));
  expect(ended.map(({ state }) => state)).toEqual(["success", "success", "success"]);
  for (const space of spaces) expect(await titlesOf(space)).toEqual(["Home"]);
  way.passed();
  const before = await keptClones();
  await run(await t.space(), way.url, shared);
  expect(way.passed()).toBeLessThan(LARGE / 10);
  expect(await keptClones()).toBe(before);
});

test("a clone outlasts that the host is away, and is not had by who is refused by the host", async () => {
  const { way } = await repository();
  const space = await t.space();
  await run(space, way.url);
  expect(way.passed()).toBeGreaterThan(LARGE);
  way.set("closed");
  expect(await run(space, way.url, { force: true })).toMatchObject({
    state: "failure",
    reason: "unreachable",
  });
  way.set("open");
  expect(await run(space, way.url, { force: true })).toMatchObject({ state: "success" });
  expect(way.passed()).toBeLessThan(LARGE / 10);
  expect(await run(space, way.url, { force: true, ref: "refs/heads/missing" })).toMatchObject({
    state: "failure",
  });
  expect((await readdir(t.ctx.workFolder)).filter((name) => name !== "kept")).toEqual([]);
});
