import { createHttpServer } from "@octavo/shared/http";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../files/collect.js";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { receiveRoute } from "../uploads/storage/receive.js";
import { zipOf } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { verifier } = testKeys("gateway");
const api = await listen(
  createHttpServer({
    name: "content",
    version: "0",
    router,
    verifier,
    base: t.ctx,
    unready: async () => [],
    rawRoutes: [receiveRoute(() => t.ctx)],
    log: t.ctx.log,
  }),
);
beforeAll(() => t.doJobs());
afterAll(async () => {
  await api.close();
  await t.drop();
});

type Type = "application/zip" | "text/markdown" | "text/html";
const begin = (name: string, type: Type, size: number) =>
  admin.storage.upload({ organizationId: "acme", kind: "import_file", file: { name, type, size } });
const send = async (url: string, bytes: Buffer) =>
  (await api.send("PUT", new URL(url).pathname, { body: bytes })).status;

async function sent(name: string, type: Type, content: Buffer) {
  const { url, key } = await begin(name, type, content.length);
  expect(await send(url, content)).toBe(204);
  return { url, key };
}
const importInto = (spaceId: string, url: string, source: "zip" | "markdown" | "html") =>
  admin.contentImport.importContent({ spaceId, url, source });
const pagesOf = async (spaceId: string) =>
  (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);
const refused = { code: "BAD_REQUEST", message: expect.stringContaining("nothing was sent there") };

test("an archive that was uploaded is imported by its address, with its files, as often as it is asked for", async () => {
  const archive = zipOf([
    { name: "README.md", content: "# Start\n\n![cat](cat.svg)\n" },
    { name: "more.md", content: "# More\n" },
    { name: "cat.svg", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  ]);
  const { url } = await sent("docs.zip", "application/zip", archive);
  for (const spaceId of [await t.space(), await t.space()]) {
    const result = await importInto(spaceId, url, "zip");
    expect(result).toMatchObject({ importedResources: 3, totalResources: 3 });
    expect((await pagesOf(spaceId)).toSorted()).toEqual(["More", "Start"]);
    expect((await admin.content.files({ spaceId })).items).toMatchObject([{ name: "cat.svg" }]);
  }
});

test("one text that was uploaded is a page, whose relative addresses stay as they are written", async () => {
  const text = "# Notes\n\n![cat](cat.png) and [more](more.md)\n";
  const { url } = await sent("field notes.md", "text/markdown", Buffer.from(text));
  const spaceId = await t.space();
  await importInto(spaceId, url, "markdown");
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([{ title: "Notes", path: "field-notes" }]);
  const page = await admin.content.page({ spaceId, pageId: pages[0]!.id });
  expect((page as { markdown: string }).markdown).toBe(text);
  const html = await sent("page.html", "text/html", Buffer.from("<h1>Written</h1><p>Words.</p>"));
  await importInto(spaceId, html.url, "html");
  expect(await pagesOf(spaceId)).toEqual(["Notes", "Written"]);
});

test("an address to which nothing was sent, that was altered, or of a font is 400, and changes nothing", async () => {
  const spaceId = await t.space();
  const { url } = await begin("a.md", "text/markdown", 9);
  await expect(importInto(spaceId, url, "markdown")).rejects.toMatchObject(refused);
  const there = await sent("b.md", "text/markdown", Buffer.from("# There\n"));
  for (const wrong of [`${there.url}x`, there.url.replace("/acme/", "/beta/")])
    await expect(importInto(spaceId, wrong, "markdown")).rejects.toMatchObject(refused);
  const font = Buffer.from("wOF2\0\x01\0\0imported", "latin1");
  const file = { name: "a.woff2", type: "font/woff2" as const, size: font.length };
  const upload = await admin.storage.upload({ organizationId: "acme", kind: "customization_font", file });
  expect(await send(upload.url, font)).toBe(204);
  await expect(importInto(spaceId, upload.url, "markdown")).rejects.toMatchObject(refused);
  expect(await pagesOf(spaceId)).toEqual([]);
});

test("what was uploaded to be imported is no font, is served nowhere, and is removed after a day", async () => {
  const { url, key } = await sent("gone.md", "text/markdown", Buffer.from("# Gone after a day\n"));
  expect(await admin.storage.take({ organizationId: "acme", keys: [key] })).toEqual([]);
  await collect({ ...t.ctx, clock: () => new Date(Date.now() + 25 * 3_600_000) });
  await expect(importInto(await t.space(), url, "markdown")).rejects.toMatchObject(refused);
});

test("bytes of another type than was announced are 400, and so is a kind with the type of another", async () => {
  const { url } = await begin("a.zip", "application/zip", 8);
  expect(await send(url, Buffer.from("# Words\n"))).toBe(400);
  const wrong = { name: "a.woff2", type: "font/woff2" as const, size: 9 };
  const asImport = admin.storage.upload({ organizationId: "acme", kind: "import_file", file: wrong });
  await expect(asImport).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(begin("a.zip", "application/zip", 32 * 1024 * 1024 + 1)).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});
