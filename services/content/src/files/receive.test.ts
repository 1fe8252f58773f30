import { readdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { listen } from "@octavo/shared/testing/http";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { receive, receiveFrom } from "./receive.js";
import { base64, draft } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const sources: Awaited<ReturnType<typeof listen>>[] = [];
afterAll(async () => {
  await Promise.all(sources.map((server) => server.close()));
  await t.drop();
});

/** The address of a server that responds so. */
async function source(respond: RequestListener): Promise<string> {
  const server = await listen(createServer(respond));
  sources.push(server);
  return `${server.url}/file.txt`;
}

const stored = async () => [
  await t.db.selectFrom("stored_file").select("hash").orderBy("hash").execute(),
  await readdir(t.storageFolder, { recursive: true }),
];

test("a file is fetched from its address", async () => {
  const url = await source((_, res) => res.end("from afar"));
  const { insert, files } = await draft(t);
  await insert({ name: "afar.txt", url });
  expect(await files()).toMatchObject([{ name: "afar.txt", size: 9, contentType: "text/plain" }]);
});

test("an address that is not allowed, or returns no file, too much or half of one is 4xx, and nothing is stored", async () => {
  const { insert, files } = await draft(t);
  const missing = await source((_, res) => res.writeHead(404).end("no"));
  const half = await source((_, res) => {
    res.writeHead(200, { "content-length": 100 }).write("half");
    setImmediate(() => res.destroy());
  });
  const endless = await source((_, res) => Readable.from(Array(64).fill(Buffer.alloc(16_384))).pipe(res));
  const before = await stored();
  const refusals: [string, object][] = [
    ["http://10.1.2.3/file.txt", { reason: "egress_refused" }],
    ["http://localhost:1/file.txt", { reason: "egress_failed" }],
    [missing, {}],
    [half, { reason: "egress_failed" }],
  ];
  for (const [url, details] of refusals) {
    const inserted = insert({ name: "good.txt", base64: base64("good") }, { name: "bad.txt", url });
    await expect(inserted).rejects.toMatchObject({ code: "BAD_REQUEST", details });
  }
  expect(await files()).toEqual([]);
  const tooLarge = receiveFrom(t.ctx, endless, { name: "endless", limit: 100_000 });
  await expect(tooLarge).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  const [rows, entries] = await stored();
  // The good ones are there until they are collected: no entry names them.
  expect(rows!.length - before[0]!.length).toBe(1);
  expect(entries!.length - before[1]!.length).toBeLessThanOrEqual(2);
});

test("base64 that is none is 400, and a file beyond the limit is 413", async () => {
  const { insert, files } = await draft(t);
  const bad = insert({ name: "bad.txt", base64: "not base64!" });
  await expect(bad).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const beyond = insert({ name: "beyond.txt", base64: base64(Buffer.alloc(20 * 1024 * 1024 + 1)) });
  await expect(beyond).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: expect.stringMatching(/^body\.changes\.0\.files\.0: larger than 20971520 bytes/),
  });
  const large = receive(t.ctx, Buffer.alloc(11), { name: "large", limit: 10 });
  await expect(large).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(await files()).toEqual([]);
});

test("a file of 20 MB is taken inside the request", async () => {
  const { insert, files } = await draft(t);
  const size = 20 * 1024 * 1024;
  await insert({ name: "large.bin", base64: base64(Buffer.alloc(size)) });
  expect(await files()).toMatchObject([{ name: "large.bin", size }]);
});

test("nothing is fetched for a request that is refused anyway", async () => {
  const { at } = await draft(t);
  let fetched = 0;
  const url = await source((_, res) => {
    fetched += 1;
    res.end("text");
  });
  const file = { name: "a.txt", url };
  const files = { operation: "insert_files" as const, files: [file] };
  const edit = (...changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) =>
    admin.changeRequests.edit({ ...at, changes });
  await expect(edit({ operation: "delete_page", page: "nobody" }, files)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const many = { ...files, files: Array(17).fill(file) };
  await expect(edit(many, many, many)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: "body.changes: must add at most 50 files",
  });
  await admin.changeRequests.update({ ...at, status: "archived" });
  await expect(edit(files)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(fetched).toBe(0);
  await admin.changeRequests.update({ ...at, status: "draft" });
  await edit(files);
  expect(fetched).toBe(1);
});

test("a file is never received inside a transaction, which would hide it from others", async () => {
  const inside = t.db
    .transaction()
    .execute((db) => receive({ ...t.ctx, db }, Buffer.from("inside"), { name: "inside" }));
  await expect(inside).rejects.toThrow("inside a transaction");
});

test("a space that is transferred while files are fetched for it takes none of them: 404", async () => {
  const admin = t.as({ acme: "admin" });
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const both = t.as({ acme: "admin", beta: "admin" });
  const url = await source(async (_req, res) => {
    await both.spaces.transfer({ spaceId, organization: "beta" });
    res.end("late");
  });
  const changes = [{ operation: "insert_files" as const, files: [{ name: "late.txt", url }] }];
  await expect(admin.changeRequests.edit({ spaceId, changeRequestId, changes })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect((await both.changeRequestContent.files({ spaceId, changeRequestId })).items).toEqual([]);
});
