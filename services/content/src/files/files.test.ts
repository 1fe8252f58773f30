import { readdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { createHttpServer } from "@octavo/shared/http";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, expect, test } from "vitest";
import { router } from "../router.js";
import { contentTest } from "../testing.js";
import { downloadRoute } from "./download.js";
import { receive, receiveFrom } from "./receive.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { verifier } = testKeys("gateway");
const api = await listen(
  createHttpServer({
    ...{ name: "content", version: "0", router, verifier, base: t.ctx, unready: async () => [] },
    rawRoutes: [downloadRoute(() => t.ctx)],
    log: t.ctx.log,
  }),
);
const sources: Awaited<ReturnType<typeof listen>>[] = [];
afterAll(async () => {
  await Promise.all([api, ...sources].map((server) => server.close()));
  await t.drop();
});

const base64 = (content: string | Buffer) => Buffer.from(content).toString("base64");

/** A change request, with what puts files in it. */
async function draft() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const at = { spaceId, changeRequestId };
  return {
    at,
    insert: (...files: ({ name: string; base64: string } | { name: string; url: string })[]) =>
      admin.changeRequests.edit({ ...at, changes: [{ operation: "insert_files", files }] }),
    files: async () => (await admin.changeRequestContent.files(at)).items,
  };
}

/** A file in a change request, and how it is fetched from its address. */
async function uploaded(name: string, content: string | Buffer) {
  const { insert, files } = await draft();
  await insert({ name, base64: base64(content) });
  const [file] = await files();
  const path = new URL(file!.downloadURL).pathname;
  const fetched = (headers: Record<string, string> = {}, method = "GET") =>
    api.send(method, path, { headers });
  return { file: file!, path, fetched };
}

const box = (type: string, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, Buffer.from(type), content]);
};
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
/** The start of a frame of 3 × 2 pixels. */
const frame = hex("ffc0 0011 08 0002 0003 03 012200 021101 031101 ffd9");
const preview = Buffer.concat([hex("ffe1 c352"), Buffer.alloc(50_000, 1)]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><script>alert(1)</script></svg>';

test.each([
  [
    "png",
    "image/png",
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR42mNkYGCAYgAAHgADYJqbBAAAAABJRU5ErkJggg==",
      "base64",
    ),
  ],
  ["jpeg", "image/jpeg", Buffer.concat([hex("ffd8"), preview, preview, preview, preview, frame])],
  ["gif", "image/gif", Buffer.concat([Buffer.from("GIF89a"), hex("0300 0200 800000 000000 ffffff 3b")])],
  [
    "webp",
    "image/webp",
    Buffer.concat([
      Buffer.from("RIFF"),
      hex("16000000"),
      Buffer.from("WEBPVP8X"),
      hex("0a000000 00000000 020000 010000"),
    ]),
  ],
  ["svg", "image/svg+xml", Buffer.from(svg)],
  [
    "avif",
    "image/avif",
    Buffer.concat([
      box("ftyp", Buffer.from("avif"), hex("00000000"), Buffer.from("avifmif1")),
      box("meta", hex("00000000"), box("iprp", box("ipco", box("ispe", hex("00000000 00000003 00000002"))))),
    ]),
  ],
])("a %s is known by its bytes, and its dimensions are read", async (extension, contentType, content) => {
  const { file } = await uploaded(`picture.${extension}`, content);
  expect(file).toMatchObject({ contentType, size: content.length, dimensions: { width: 3, height: 2 } });
});

test("what the bytes say comes before the name", async () => {
  const gif = Buffer.concat([Buffer.from("GIF89a"), hex("0300 0200 800000 000000 ffffff 3b")]);
  expect((await uploaded("page.html", gif)).file.contentType).toBe("image/gif");
  expect((await uploaded("picture.png", "<script>alert(1)</script>")).file.contentType).toBe("text/plain");
  expect((await uploaded("picture.png", Buffer.from([0, 1, 2]))).file).toMatchObject({
    contentType: "application/octet-stream",
  });
});

test("nothing that may run something is shown inline, and everything is sandboxed", async () => {
  const shown: Record<string, string> = {};
  const contents = {
    "page.html": "<script>alert(1)</script>",
    "drawing.svg": svg,
    "data.xml": '<?xml version="1.0"?><a/>',
    "script.js": "alert(1)",
    "paper.pdf": "%PDF-1.7\n",
    "notes.txt": "hello",
    "notes.unknown": "<script>alert(1)</script>",
  };
  for (const [name, content] of Object.entries(contents)) {
    const { status, headers, text } = await (await uploaded(name, content)).fetched();
    expect([status, text]).toEqual([200, content]);
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    shown[name] = `${headers["content-type"]} ${headers["content-disposition"]!.split(";")[0]}`;
  }
  expect(shown).toEqual({
    "page.html": "text/html attachment",
    "drawing.svg": "image/svg+xml attachment",
    "data.xml": "application/xml attachment",
    "script.js": "text/javascript attachment",
    "paper.pdf": "application/pdf attachment",
    "notes.txt": "text/plain inline",
    "notes.unknown": "text/plain inline",
  });
});

test("a name of any characters is told without breaking the header", async () => {
  const { fetched } = await uploaded('naïve "plan" (1)\'*; x=.txt', "hello");
  expect((await fetched()).headers["content-disposition"]).toBe(
    "inline; filename*=UTF-8''na%C3%AFve%20%22plan%22%20%281%29%27%2A%3B%20x%3D.txt",
  );
});

test("ranges are answered with their part, the size when there is none, and the whole when it changed", async () => {
  const { fetched } = await uploaded("digits.txt", "0123456789");
  const part = async (range: string, more = {}) => {
    const { status, headers, text } = await fetched({ range, ...more });
    return [status, text, headers["content-range"], headers["content-length"]];
  };
  expect(await part("bytes=2-4")).toEqual([206, "234", "bytes 2-4/10", "3"]);
  expect(await part("bytes=7-")).toEqual([206, "789", "bytes 7-9/10", "3"]);
  expect(await part("bytes=-3")).toEqual([206, "789", "bytes 7-9/10", "3"]);
  expect(await part("bytes=8-100")).toEqual([206, "89", "bytes 8-9/10", "2"]);
  for (const whole of ["bytes=0-1,4-5", "bytes=5-2", "bytes=-", "lines=1-2"])
    expect(await part(whole)).toEqual([200, "0123456789", undefined, "10"]);
  for (const beyond of ["bytes=10-", "bytes=100-200", "bytes=-0"]) {
    const { status, headers, body } = await fetched({ range: beyond });
    expect([status, headers["content-range"]]).toEqual([416, "bytes */10"]);
    expect(body.error).toMatchObject({ code: 416, reason: "range_not_satisfiable" });
  }
  const { etag } = (await fetched()).headers;
  expect(await part("bytes=0-1", { "if-range": etag })).toEqual([206, "01", "bytes 0-1/10", "2"]);
  expect(await part("bytes=0-1", { "if-range": '"old"' })).toEqual([200, "0123456789", undefined, "10"]);
});

test("HEAD tells what GET would, and a known content is not sent again", async () => {
  const { fetched } = await uploaded("digits.txt", "0123456789");
  const [get, head] = [await fetched(), await fetched({}, "HEAD")];
  for (const name of ["content-length", "content-type", "content-disposition", "etag", "accept-ranges"])
    expect(head.headers[name]).toBe(get.headers[name]);
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(await fetched({ range: "bytes=2-4" }, "HEAD")).toMatchObject({ status: 206, text: "" });
  const etag = get.headers.etag!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    expect(await fetched({ "if-none-match": known })).toMatchObject({
      status: 304,
      text: "",
      headers: { etag },
    });
  expect((await fetched({ "if-none-match": '"other"' })).status).toBe(200);
});

test("a content that is gone is 404 for HEAD and GET", async () => {
  const { fetched, path } = await uploaded("gone.txt", "soon gone");
  const [, ticket = ""] = /downloads\/([^/]+)/.exec(path)!;
  await t.ctx.storage.remove(JSON.parse(Buffer.from(ticket, "base64url").toString())[0]);
  expect([(await fetched()).status, (await fetched({}, "HEAD")).status]).toEqual([404, 404]);
});

test("an empty file is served as one", async () => {
  const { fetched } = await uploaded("empty.txt", "");
  expect(await fetched()).toMatchObject({ status: 200, text: "", headers: { "content-length": "0" } });
});

/** The address of a server that answers as told. */
async function source(answer: RequestListener): Promise<string> {
  const server = await listen(createServer(answer));
  sources.push(server);
  return `${server.url}/file.txt`;
}

const stored = async () => [
  await t.db.selectFrom("stored_file").select("hash").orderBy("hash").execute(),
  await readdir(t.storageFolder, { recursive: true }),
];

test("a file is fetched from its address", async () => {
  const url = await source((_, res) => res.end("from afar"));
  const { insert, files } = await draft();
  await insert({ name: "afar.txt", url });
  expect(await files()).toMatchObject([{ name: "afar.txt", size: 9, contentType: "text/plain" }]);
});

test("an address that is not allowed, answers no file, too much of it or half of it is 4xx, and nothing is stored", async () => {
  const { insert, files } = await draft();
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
  const { insert, files } = await draft();
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
  const { insert, files } = await draft();
  const size = 20 * 1024 * 1024;
  await insert({ name: "large.bin", base64: base64(Buffer.alloc(size)) });
  expect(await files()).toMatchObject([{ name: "large.bin", size }]);
});

test("nothing is fetched for a request that is refused anyway", async () => {
  const { at } = await draft();
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

test("a file is never received inside a transaction, which could not tell others of it", async () => {
  const inside = t.db
    .transaction()
    .execute((db) => receive({ ...t.ctx, db }, Buffer.from("inside"), { name: "inside" }));
  await expect(inside).rejects.toThrow("inside a transaction");
});

test("a space that is transferred while files are fetched for it takes none of them: 409", async () => {
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
    code: "CONFLICT",
  });
  expect((await both.changeRequestContent.files({ spaceId, changeRequestId })).items).toEqual([]);
});
