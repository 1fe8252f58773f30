import { createServer } from "node:http";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { createHttpServer } from "@octavo/shared/http";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../files/collect.js";
import { listeners } from "../library/audience/listeners.js";
import { purge } from "../library/spaces/purge.js";
import { publishedFileRoute } from "../reading/published-files/download.js";
import { router } from "../router.js";
import { hashOf } from "../store/bodies.js";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const integrations = t.call({ kind: "service", service: "integrations" });
const { verifier } = testKeys("gateway");
const HOUR_MS = 3_600_000;
let hours = 0;
const inTime = () => ({ ...t.ctx, clock: () => new Date(Date.now() + hours * HOUR_MS) });
const api = await listen(
  createHttpServer({
    name: "content",
    version: "0",
    router,
    verifier,
    base: t.ctx,
    unready: async () => [],
    rawRoutes: [publishedFileRoute(inTime)],
    log: t.ctx.log,
  }),
);
/** Serves `/<text>/<name>` as a file that holds the text; nothing below `/gone`. */
const source = await listen(
  createServer(({ url = "" }, res) => {
    const [, text = ""] = url.split("/");
    if (text === "gone") return void res.writeHead(404).end("no");
    res.end(decodeURIComponent(text));
  }),
);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await Promise.all([api.close(), source.close()]);
  await t.drop();
});

const SOURCE = { type: "integration:models:pets", props: { kind: "cat" } };
const BY = { integration: "models", installation: "i1", organization: "acme" };
const isKept = (text: string) => t.ctx.storage.has(hashOf(text));

const spaceOf = async (computedSource: object = SOURCE) =>
  (await admin.spaces.create({ organizationId: "acme", computedSource: computedSource as never })).id;

const announced = (text: string, name = "cat.txt") => ({
  name,
  contentType: "text/plain",
  size: Buffer.byteLength(text),
  downloadURL: `${source.url}/${encodeURIComponent(text)}/${name}`,
});
const receive = (spaceId: string, file: object) =>
  integrations.computed.receive({ spaceId, by: BY, file: file as ReturnType<typeof announced> });

let version = 0;
/** Keeps a result of the source of a space, with a file of each text; its page shows the first. */
async function fill(spaceId: string, files: Record<string, string>) {
  version += 1;
  const [wanted] = await integrations.computed.wanted({ spaceId, versions: { models: version } });
  const { key, inputs } = wanted!;
  const filled = [];
  for (const [name, text] of Object.entries(files))
    filled.push({ id: `id of ${name}`, name, ...(await receive(spaceId, announced(text, name))) });
  const [{ id: first } = { id: "none" }] = filled;
  const image = {
    object: "block",
    type: "image",
    isVoid: true,
    data: { ref: { kind: "file", file: first } },
  };
  const nodes = [{ object: "block", type: "images", data: {}, nodes: [image] }];
  const page = {
    type: "document" as const,
    title: "Cats",
    computed: SOURCE,
    pages: [],
    document: { object: "document", data: {}, nodes } as never,
  };
  return integrations.computed.fill({ spaceId, key, inputs, pages: [page], files: filled, by: BY });
}

const filesOf = async (spaceId: string) => (await admin.content.files({ spaceId })).items;
const namesIn = async (spaceId: string) => (await filesOf(spaceId)).map(({ name }) => name);

async function show(space: string, pinned?: string) {
  const site = `site of ${space}`;
  const spaces = [
    { space, visibility: "public" as const, url: `http://sites.test/${space}/`, revision: pinned },
  ];
  const audience = { site, organization: "acme", published: true, epoch: 0, spaces };
  await deliver(t.ctx, listeners, SiteAudience, site, audience);
  const { revision } = await admin.spaces.get({ spaceId: space });
  const visitor = { kind: "reader" as const, organization: "acme", site, epoch: 0, space, revision };
  return { revision, visitor: t.call({ ...visitor, token: newId() }) };
}

test("the files of a source are among those of its revision, and its documents name them", async () => {
  const spaceId = await spaceOf();
  const { revision: before } = await admin.spaces.get({ spaceId });
  expect(await fill(spaceId, { "cat.txt": "a cat" })).toEqual({ left: [] });
  const [file, ...others] = await filesOf(spaceId);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ name: "cat.txt", size: 5, contentType: "text/plain" });
  const { nodes } = await admin.content.pageDocument({
    spaceId,
    pageId: (await admin.content.pages({ spaceId })).pages[0]!.id,
  });
  expect(JSON.stringify(nodes)).toContain(JSON.stringify({ kind: "file", file: file!.id }));
  const { files } = await admin.content.revision({ spaceId });
  expect(files).toMatchObject([{ id: file!.id }]);
  expect(await admin.content.file({ spaceId, fileId: file!.id })).toMatchObject({ name: "cat.txt" });

  expect((await admin.content.files({ spaceId, computed: false })).items).toEqual([]);
  const bare = admin.content.file({ spaceId, fileId: file!.id, computed: false });
  await expect(bare).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await admin.revisionContent.files({ spaceId, revisionId: before })).items).toEqual([]);
  const computed = await admin.computed.revision({ spaceId, source: SOURCE, seed: "s" });
  expect(computed.files).toMatchObject([{ id: file!.id, name: "cat.txt" }]);
  // It keeps its id in the next result.
  await fill(spaceId, { "cat.txt": "another cat" });
  expect(await filesOf(spaceId)).toMatchObject([{ id: file!.id, size: 11 }]);
});

test("files of sources and of the space itself are one list, page by page", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, { "a.txt": "a", "b.txt": "b", "c.txt": "c" });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const own = ["d.txt", "e.txt"].map((name) => ({ name, base64: Buffer.from(name).toString("base64") }));
  const changes = [{ operation: "insert_files" as const, files: own }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const seen: string[] = [];
  let page: string | undefined;
  do {
    const { items, next, count } = await admin.content.files({ spaceId, limit: 2, page });
    expect(count).toBe(5);
    seen.push(...items.map(({ name }) => name));
    page = next?.page;
  } while (page !== undefined);
  expect(seen.toSorted()).toEqual(["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]);
});

test.each([
  ["gone", { ...announced("gone") }, "BAD_REQUEST", "404 from the address"],
  ["shorter than announced", { ...announced("short"), size: 6 }, "BAD_REQUEST", "has 5 bytes, 6 were"],
  ["larger than announced", { ...announced("large"), size: 4 }, "PAYLOAD_TOO_LARGE", ""],
  ["no image", { ...announced("text"), contentType: "image/png" }, "BAD_REQUEST", "image/png was announced"],
  ["in a private network", { ...announced("x"), downloadURL: "http://10.1.2.3/x" }, "BAD_REQUEST", ""],
  ["beyond the limit of a file", { ...announced("x"), size: 100 * 1024 * 1024 + 1 }, "BAD_REQUEST", "size"],
  ["named like a path", { ...announced("x"), name: "../x" }, "BAD_REQUEST", "slashes"],
])("a file of a source that is %s is refused, and not kept", async (_, file, code, message) => {
  const spaceId = await spaceOf();
  const refusal = { code, message: expect.stringContaining(message) };
  await expect(receive(spaceId, file)).rejects.toMatchObject(refusal);
  expect(await isKept("short")).toBe(false);
  expect(await isKept("text")).toBe(false);
});

test("files are received for integrations alone, and for spaces of the organization that they are at work in", async () => {
  const spaceId = await spaceOf();
  const input = { spaceId, by: { ...BY, organization: "beta" }, file: announced("foreign") };
  await expect(integrations.computed.receive(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.computed.receive({ ...input, by: BY })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await isKept("foreign")).toBe(false);
});

test("a file that was received before a crash is collected after a day, and the source is computed again", async () => {
  const spaceId = await spaceOf();
  await receive(spaceId, announced("lost"));
  expect(await isKept("lost")).toBe(true);
  expect(await namesIn(spaceId)).toEqual([]);
  hours = 25;
  await collect(inTime());
  hours = 0;
  expect(await isKept("lost")).toBe(false);
  await fill(spaceId, { "cat.txt": "lost" });
  expect(await namesIn(spaceId)).toEqual(["cat.txt"]);
  expect(await isKept("lost")).toBe(true);
});

test("a file that was replaced is kept while a revision shows it, and no longer", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, { "cat.txt": "replaced" });
  const { revision } = await admin.spaces.get({ spaceId });
  await fill(spaceId, { "cat.txt": "instead" });
  hours = 25;
  await collect(inTime());
  expect(await isKept("replaced")).toBe(true);
  const earlier = await admin.revisionContent.files({ spaceId, revisionId: revision });
  expect(earlier.items).toMatchObject([{ size: 8 }]);
  for (let n = 0; n < 19; n++) await fill(spaceId, { "cat.txt": "instead" });
  await collect(inTime());
  expect([await isKept("replaced"), await isKept("instead")]).toEqual([false, true]);
  hours = 0;
});

const GIB = 1024 ** 3;
/** Has the space show so many bytes of another source, and returns its result. */
async function another(spaceId: string, key: string, size: number, at: Date) {
  const id = newId();
  const result = { id, space: spaceId, key, inputs: "i", pages: "[]", created_at: at };
  await t.db.insertInto("computed_result").values(result).execute();
  const props = JSON.stringify({ contentType: "video/mp4", size });
  const file = { result: id, id, name: "large.mp4", hash: `large ${id}`, props };
  await t.db.insertInto("computed_file").values(file).execute();
  return id;
}

test("a file for which a space has no room is left out, and the pages are shown without it", async () => {
  const spaceId = await spaceOf();
  await another(spaceId, "other", GIB - 6, new Date());
  const result = await fill(spaceId, { "one.txt": "12345", "two.txt": "67890", "same.txt": "12345" });
  expect(result).toEqual({ left: ["two.txt"] });
  expect((await namesIn(spaceId)).toSorted()).toEqual(["one.txt", "same.txt"]);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([{ title: "Cats" }]);
});

test("of all results the oldest lose their files where all are too large, but not what is shown now", async () => {
  const spaceId = await spaceOf();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const shown = await another(spaceId, "shown", GIB, ago(60));
  const oldest = await another(spaceId, "often", GIB / 2, ago(50));
  const older = await another(spaceId, "often", GIB / 2, ago(40));
  const latest = await another(spaceId, "often", GIB / 2, ago(30));
  await fill(spaceId, {});
  const rows = await t.db
    .selectFrom("computed_file")
    .select("result")
    .where("result", "in", [shown, oldest, older, latest])
    .execute();
  expect(rows.map(({ result }) => result).toSorted()).toEqual([shown, older, latest].toSorted());
});

test("the files that were computed for a space go with it", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, { "cat.txt": "purged" });
  await admin.spaces.remove({ spaceId });
  hours = 8 * 24;
  await purge(inTime(), spaceId);
  await collect(inTime());
  hours = 0;
  expect(await isKept("purged")).toBe(false);
});

test("visitors of a public space read them at addresses that last, while they are shown", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, { "a cat.txt": "published" });
  const { visitor, revision: revisionId } = await show(spaceId);
  const [file] = (await visitor.content.files({ spaceId })).items;
  const path = `/v1/spaces/${spaceId}/files/${hashOf("published")}/a%20cat.txt`;
  expect(file!.downloadURL).toBe(`http://octavo.test${path}`);
  expect((await visitor.publishedFiles.list({ spaceId, revisionId })).items).toEqual([
    { id: file!.id, hash: hashOf("published") },
  ]);
  const read = async (at = path) => {
    const { status, text } = await api.send("GET", at, {});
    return status === 200 ? text : status;
  };
  expect(await read()).toBe("published");
  await fill(spaceId, { "a cat.txt": "newer" });
  expect(await read()).toBe("published");
  hours = 3;
  expect(await read()).toBe(404);
  expect(await read(path.replace(hashOf("published"), hashOf("newer")))).toBe("newer");
  // A release of the site still shows what was there before.
  await show(spaceId, revisionId);
  expect(await read()).toBe("published");
  await show(spaceId);
  expect(await read()).toBe(404);
  await admin.spaces.remove({ spaceId });
  expect(await read(path.replace(hashOf("published"), hashOf("newer")))).toBe(404);
  hours = 0;
});

test("what was computed for a source that no page declares is no file of the space", async () => {
  const spaceId = await spaceOf({ ...SOURCE, props: { kind: "dog" } });
  const asked = admin.computed.revision({ spaceId, source: SOURCE, seed: "s" });
  await expect(asked).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  version += 1;
  const wanted = await integrations.computed.wanted({ spaceId, versions: { models: version } });
  const { key, inputs } = wanted.find(({ props }) => props.kind === "cat")!;
  const files = [{ name: "x.txt", ...(await receive(spaceId, announced("asked for"))) }];
  await integrations.computed.fill({ spaceId, key, inputs, pages: [], files, by: BY });
  await show(spaceId);
  expect(await namesIn(spaceId)).toEqual([]);
  const path = `/v1/spaces/${spaceId}/files/${hashOf("asked for")}/x.txt`;
  expect((await api.send("GET", path, {})).status).toBe(404);
});
