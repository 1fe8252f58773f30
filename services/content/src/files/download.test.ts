import { createHttpServer } from "@octavo/shared/http";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, expect, test } from "vitest";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { downloadRoute } from "./download.js";
import { base64, draft } from "./testing.js";

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
    rawRoutes: [downloadRoute(() => t.ctx)],
    log: t.ctx.log,
  }),
);
afterAll(async () => {
  await api.close();
  await t.drop();
});

/** A file in a change request, and how it is fetched from its address. */
async function uploaded(name: string, content: string | Buffer) {
  const { insert, files } = await draft(t);
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
])(
  "a %s is recognised by its bytes, and its dimensions are read",
  async (extension, contentType, content) => {
    const { file } = await uploaded(`picture.${extension}`, content);
    expect(file).toMatchObject({ contentType, size: content.length, dimensions: { width: 3, height: 2 } });
  },
);

test("the type found in the bytes takes precedence over the name", async () => {
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

test("a name of any characters is encoded without breaking the header", async () => {
  const { fetched } = await uploaded('naïve "plan" (1)\'*; x=.txt', "hello");
  expect((await fetched()).headers["content-disposition"]).toBe(
    "inline; filename*=UTF-8''na%C3%AFve%20%22plan%22%20%281%29%27%2A%3B%20x%3D.txt",
  );
});

test("ranges return their part, 416 with the size when there is none, and the whole file when it changed", async () => {
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

test("HEAD returns the headers of GET, and content that the client has is not sent again", async () => {
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
