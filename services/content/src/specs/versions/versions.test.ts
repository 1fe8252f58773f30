import { createHttpServer } from "@octavo/shared/http";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { processSource } from "../processing/process.js";
import { documentOf, operation, textOf } from "../testing.js";
import { documentRoutes } from "./download.js";

const t = await contentTest();
const { verifier } = testKeys("gateway");
const api = await listen(
  createHttpServer({
    name: "content",
    version: "0",
    router,
    verifier,
    base: t.ctx,
    unready: async () => [],
    rawRoutes: documentRoutes(() => t.ctx),
    log: t.ctx.log,
  }),
);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await api.close();
  await t.drop();
});

const admin = t.as({ acme: "admin" });
const organizationId = "acme";
let slugs = 0;

/** A specification with a version for each of these paths. */
async function specWith(...paths: object[]) {
  const specSlug = `versions-${++slugs}`;
  const one = { organizationId, specSlug };
  let id = "";
  for (const each of paths) {
    ({ id } = await admin.openapi.createOrUpdate({ ...one, source: { text: textOf(each) } }));
    await processSource(t.ctx, id, new AbortController().signal);
  }
  return { id, one };
}
const fetched = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  api.send(method, new URL(url).pathname, { headers });

test("versions are listed latest first, page by page, and read by their ids", async () => {
  const { one } = await specWith({}, { "/a": { get: operation } }, { "/b": { get: operation } });
  const first = await admin.openapiVersions.list({ ...one, limit: 2 });
  expect(first.count).toBe(3);
  const rest = await admin.openapiVersions.list({ ...one, limit: 2, page: first.next!.page });
  const all = [...first.items, ...rest.items];
  const documents = await Promise.all(
    all.map(async ({ id }) => (await admin.openapiVersions.getContent({ ...one, versionId: id })).filesystem),
  );
  expect(documents.map(([file]) => Object.keys(file!.specification.paths as object))).toEqual([
    ["/b"],
    ["/a"],
    [],
  ]);
  expect(await admin.openapiVersions.getLatest(one)).toEqual(all[0]);
  expect(await admin.openapiVersions.get({ ...one, versionId: all[2]!.id })).toEqual(all[2]);
});

test("the content is a file system of one document", async () => {
  const { one } = await specWith({ "/a": { get: operation } });
  const latest = await admin.openapiVersions.getLatest(one);
  const specification = documentOf({ "/a": { get: operation } });
  expect(await admin.openapiVersions.getLatestContent(one)).toEqual({
    filesystem: [{ dir: "./", isEntrypoint: true, references: [], filename: "openapi.json", specification }],
    url: latest.url,
  });
});

test("the content of a document of version 2 is of version 3; its address serves it as it is", async () => {
  const specSlug = `versions-${++slugs}`;
  const one = { organizationId, specSlug };
  const text = JSON.stringify({ swagger: "2.0", info: { title: "Pets", version: "1" }, paths: {} });
  const { id } = await admin.openapi.createOrUpdate({ ...one, source: { text } });
  await processSource(t.ctx, id, new AbortController().signal);
  const { filesystem, url } = await admin.openapiVersions.getLatestContent(one);
  expect(filesystem[0]!.specification).toMatchObject({ openapi: expect.stringMatching(/^3\.0\./) });
  expect(JSON.parse((await fetched(url)).text)).toMatchObject({ swagger: "2.0" });
});

test("the configured number of versions is kept, the latest ones", async () => {
  const specSlug = `versions-${++slugs}`;
  const one = { organizationId, specSlug };
  const other = (await specWith({ "/a": {} }, { "/b": {} })).one;
  const made: (string | undefined)[] = [];
  for (const [path, kept] of [
    ["/a", 2],
    ["/b", 2],
    ["/c", 2],
    ["/d", 1],
  ] as const) {
    const source = { text: textOf({ [path]: { get: operation } }) };
    const { id } = await admin.openapi.createOrUpdate({ ...one, source });
    await processSource({ ...t.ctx, keptSpecVersions: kept }, id, new AbortController().signal);
    const { items } = await admin.openapiVersions.list(one);
    const latest = (await admin.openapi.get(one)).lastVersion;
    expect(items.map(({ id }) => id)).toEqual([latest, ...made].slice(0, kept));
    made.unshift(latest);
  }
  expect((await admin.openapiVersions.list(other)).count).toBe(2);
});

test("a specification without a version, or with another's, has none: 404", async () => {
  const specSlug = `empty-${++slugs}`;
  await admin.openapi.create({ organizationId, slug: specSlug, source: { text: textOf() } });
  const empty = { organizationId, specSlug };
  const { one } = await specWith({});
  const { id: versionId } = await admin.openapiVersions.getLatest(one);
  const missing = { code: "NOT_FOUND" };
  await expect(admin.openapiVersions.getLatest(empty)).rejects.toMatchObject(missing);
  await expect(admin.openapiVersions.getLatestContent(empty)).rejects.toMatchObject(missing);
  await expect(admin.openapiVersions.get({ ...empty, versionId })).rejects.toMatchObject(missing);
  await expect(admin.openapiVersions.getContent({ ...empty, versionId })).rejects.toMatchObject(missing);
  expect(await admin.openapiVersions.list(empty)).toMatchObject({ items: [], count: 0 });
});

test("versions are for members: strangers get 404, guests 403", async () => {
  const { one } = await specWith({});
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  const guest = t.as({ acme: null }, { id: "guest" });
  for (const name of ["list", "getLatest", "getLatestContent"] as const) {
    await expect(stranger.openapiVersions[name](one)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(guest.openapiVersions[name](one)).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
});

test("the signed address of a version serves its document without a token, until it expires", async () => {
  const { one } = await specWith({ "/a": { get: operation } }, {});
  const { items } = await admin.openapiVersions.list(one);
  const former = items[1]!;
  const response = await fetched(former.url);
  expect(response).toMatchObject({ status: 200, body: documentOf({ "/a": { get: operation } }) });
  expect(response.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
  const known = { "if-none-match": String(response.headers.etag) };
  expect((await fetched(former.url, known)).status).toBe(304);
  expect(await fetched(former.url, {}, "HEAD")).toMatchObject({ status: 200, text: "" });
  const altered = former.url.replace(former.id, items[0]!.id);
  expect((await fetched(altered)).status).toBe(404);
  t.clock.now = () => new Date(Date.now() - 3 * 3_600_000);
  const { url: expired } = await admin.openapiVersions.getLatest(one);
  t.clock.now = () => new Date();
  expect((await fetched(expired)).status).toBe(404);
});

test("the link of a public specification serves its latest document to anybody, that of a private one nothing", async () => {
  const { id, one } = await specWith({ "/a": { get: operation } });
  const link = `http://octavo.test/v1/openapi/${id}`;
  expect((await fetched(link)).status).toBe(404);
  const { urls } = await admin.openapi.update({ ...one, visibility: "public" });
  expect(new URL(urls.published!).pathname).toBe(new URL(link).pathname);
  expect(await fetched(link)).toMatchObject({ status: 200, body: documentOf({ "/a": { get: operation } }) });
  await admin.openapi.createOrUpdate({ ...one, source: { text: textOf({}) } });
  await processSource(t.ctx, id, new AbortController().signal);
  expect((await fetched(link)).body).toEqual(documentOf({}));
  await admin.openapi.update({ ...one, visibility: "private" });
  expect((await fetched(link)).status).toBe(404);
});
