import { createHttpServer } from "@octavo/shared/http";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../../files/collect.js";
import { router } from "../../router.js";
import { hashOf } from "../../store/bodies.js";
import { contentTest } from "../../testing/content.js";
import { storedFileRoute } from "./download.js";
import { receiveRoute } from "./receive.js";

const HOUR_MS = 3_600_000;
const t = await contentTest();
const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });
let later = 0;
const inTime = () => ({ ...t.ctx, clock: () => new Date(Date.now() + later) });
const { verifier } = testKeys("gateway");
const api = await listen(
  createHttpServer({
    name: "content",
    version: "0",
    router,
    verifier,
    base: t.ctx,
    unready: async () => [],
    rawRoutes: [receiveRoute(inTime), storedFileRoute(inTime)],
    log: t.ctx.log,
  }),
);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await api.close();
  await t.drop();
});

/** Bytes that begin as a font does, each with a text of its own. */
const fontOf = (text: string) =>
  Buffer.concat([Buffer.from("wOF2\0\x01\0\0", "latin1"), Buffer.from(text)]).toString("latin1");
const pathIn = (url: string) => new URL(url).pathname;

async function begin(bytes: string, organizationId = "acme", name = "acme.woff2") {
  const file = { name, type: "font/woff2" as const, size: bytes.length };
  return admin.storage.upload({ organizationId, kind: "customization_font", file });
}
const send = (url: string, bytes: string) =>
  api.send("PUT", pathIn(url), { headers: { "content-type": "font/woff2" }, body: bytes });
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const take = (keys: string[], organizationId = "acme") => admin.storage.take({ organizationId, keys });
const get = (path: string, headers: Record<string, string> = {}) => api.send("GET", path, { headers });

test("a font is sent to the signed address, and served by its content once it is taken", async () => {
  const bytes = fontOf("served");
  const { object, url, key } = await begin(bytes);
  expect(object).toBe("storage-signed-url");
  expect(await take([key])).toEqual([]);
  expect(await statusOf(send(url, bytes))).toBe(204);
  expect(await statusOf(send(url, bytes))).toBe(204);
  const path = `/v1/orgs/acme/storage/files/${hashOf(bytes)}/acme.woff2`;
  expect(await statusOf(get(path))).toBe(404);
  const format = "woff2";
  expect(await take([key])).toEqual([{ key, url: `http://octavo.test${path}`, format }]);
  const served = await get(path);
  expect([served.status, served.text]).toEqual([200, bytes]);
  expect(served.headers).toMatchObject({
    "content-type": "font/woff2",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
    etag: `"${hashOf(bytes)}"`,
  });
  expect(await statusOf(get(path.replace("acme.woff2", "other.woff2")))).toBe(404);
  expect(await statusOf(get(path, { "if-none-match": served.headers.etag! }))).toBe(304);
});

test("an upload is of its organization: another one can neither take it nor serve it", async () => {
  const bytes = fontOf("of acme");
  const { url, key } = await begin(bytes);
  await send(url, bytes);
  expect(await take([key, "unknown"], "beta")).toEqual([]);
  await take([key]);
  expect(await statusOf(get(`/v1/orgs/beta/storage/files/${hashOf(bytes)}/acme.woff2`))).toBe(404);
});

test("bytes other than those that were announced are refused, and leave the upload open", async () => {
  const bytes = fontOf("announced");
  const { url, key } = await begin(bytes);
  expect(await statusOf(send(url, `${bytes}more`))).toBe(413);
  expect(await statusOf(send(url, bytes.slice(1)))).toBe(400);
  expect(await statusOf(send(url, "<".repeat(bytes.length)))).toBe(400);
  expect(await take([key])).toEqual([]);
  expect(await statusOf(send(url, bytes))).toBe(204);
  expect(await statusOf(send(url, fontOf("Announced")))).toBe(409);
  for (const refused of [bytes.slice(1), "<".repeat(bytes.length), fontOf("Announced")])
    expect(await t.ctx.storage.has(hashOf(refused))).toBe(false);
  expect(await take([key])).toMatchObject([{ url: expect.stringContaining(hashOf(bytes)) }]);
});

test("an address that was altered or has expired is 404", async () => {
  const bytes = fontOf("expired");
  const { url, key } = await begin(bytes);
  const other = await begin(bytes);
  for (const wrong of [
    url.replace(key, other.key),
    url.replace("/acme/", "/beta/"),
    url.slice(0, -1),
    `${url}x`,
    url.replace(key, "unknown"),
  ])
    expect(await statusOf(send(wrong, bytes)), wrong).toBe(404);
  later = 2 * HOUR_MS;
  expect(await statusOf(send(url, bytes))).toBe(404);
  later = 0;
  expect(await statusOf(send(url, bytes))).toBe(204);
});

test("uploads that nothing has taken are removed after a day, and the others stay", async () => {
  const [unused, used] = [fontOf("unused"), fontOf("used")];
  const [one, other] = [await begin(unused), await begin(used)];
  await send(one.url, unused);
  await send(other.url, used);
  await take([other.key]);
  await collect({ ...t.ctx, clock: () => new Date(Date.now() + 25 * HOUR_MS) });
  expect(await take([one.key])).toEqual([]);
  expect(await t.ctx.storage.has(hashOf(unused))).toBe(false);
  expect(await take([other.key])).toHaveLength(1);
  expect(await t.ctx.storage.has(hashOf(used))).toBe(true);
});

test("an upload is 404 for strangers, and 403 for who may not create", async () => {
  const file = { name: "a.woff2", type: "font/woff2" as const, size: 9 };
  const input = { organizationId: "acme", kind: "customization_font" as const, file };
  for (const [roles, code] of [
    [{ beta: "admin" }, "NOT_FOUND"],
    [{ acme: "edit" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
  ] as const) {
    const caller = t.as(roles);
    await expect(caller.storage.upload(input)).rejects.toMatchObject({ code });
    await expect(caller.storage.take({ organizationId: "acme", keys: ["x"] })).rejects.toMatchObject({
      code,
    });
  }
});

test.each([
  ["another kind", { kind: "import_file" }],
  ["a type that is no font", { file: { name: "a.html", type: "text/html", size: 9 } }],
  ["too many bytes", { file: { name: "a.woff2", type: "font/woff2", size: 10 * 1024 * 1024 + 1 } }],
  ["no bytes", { file: { name: "a.woff2", type: "font/woff2", size: 0 } }],
  ["a path for a name", { file: { name: "../a.woff2", type: "font/woff2", size: 9 } }],
])("POST /orgs/{organizationId}/storage/upload with %s is 400", async (_, wrong) => {
  const file = { name: "a.woff2", type: "font/woff2", size: 9 };
  const input = { organizationId: "acme", kind: "customization_font", file, ...wrong };
  await expect(admin.storage.upload(input as never)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("an organization has as many uploads as it may have, and no more", async () => {
  const row = { kind: "customization_font", name: "a.woff2", content_type: "font/woff2", size: 9 };
  const times = { created_at: new Date(), expires_at: new Date() };
  const rows = Array.from({ length: 999 }, (_, n) => ({
    id: `full-${n}`,
    organization: "full",
    ...row,
    ...times,
  }));
  await t.db.insertInto("storage_upload").values(rows).execute();
  const full = t.as({ full: "create" });
  const file = { name: "a.woff2", type: "font/woff2" as const, size: 9 };
  const upload = () => full.storage.upload({ organizationId: "full", kind: "customization_font", file });
  const results = await Promise.allSettled([upload(), upload()]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("the uploads of an organization have an allowance of bytes, and one that does not fit is refused", async () => {
  const MIB = 1024 ** 2;
  const times = { created_at: new Date(), expires_at: new Date() };
  const row = { kind: "import_file", name: "a.zip", content_type: "application/zip", size: 32 * MIB };
  // All but 33 MiB of 2 GiB.
  const rows = Array.from({ length: 63 }, (_, n) => ({
    ...row,
    ...times,
    id: `large-${n}`,
    organization: "large",
    ...(n === 0 && { size: 31 * MIB }),
  }));
  await t.db.insertInto("storage_upload").values(rows).execute();
  const large = t.as({ large: "create", other: "create" });
  const upload = (size: number, organizationId = "large") =>
    large.storage.upload({
      organizationId,
      kind: "import_file",
      file: { name: "a.zip", type: "application/zip", size },
    });
  await upload(MIB);
  const results = await Promise.allSettled([upload(32 * MIB), upload(32 * MIB)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(upload(1)).rejects.toMatchObject({ details: { reason: "storage_full" } });
  await upload(32 * MIB, "other");
});
