import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { frameIn } from "./frame.js";
import { readHead } from "./head.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

/** What lies at which path of a server of somebody else, and how often it was requested. */
const pages = new Map<string, RequestListener>();
const requests: string[] = [];
let base: string;
beforeAll(async () => {
  const server = createServer((req, res) => {
    requests.push(req.url!);
    const response = pages.get(req.url!.split("?")[0]!);
    if (response) response(req, res);
    else res.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
});

const html = (path: string, head: string, body = "") =>
  pages.set(path, (_, res) =>
    res
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<html><head>${head}</head>${body}`),
  );
const json = (path: string, value: unknown) =>
  pages.set(path, (_, res) =>
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value)),
  );
const embed = (path: string) => admin.embeds.get({ url: base + path });
const plain = (path: string) => ({
  type: "link",
  title: `${new URL(base).host}${path}`,
  site: "127.0.0.1",
});

test("a page is shown as a link with the metadata of its head", async () => {
  html(
    "/page",
    `<meta charset="utf-8"><title>Plain</title><meta content="Fish &amp; chips" property="og:title">
     <meta property='og:site_name' content='The Pier'><link rel="shortcut icon" href="/icon.png">`,
  );
  expect(await embed("/page")).toEqual({
    type: "link",
    title: "Fish & chips",
    site: "The Pier",
    icon: `${base}/icon.png`,
  });
  html("/titled", "<title>\n  Only a\n title </title>");
  expect(await embed("/titled")).toEqual({ type: "link", title: "Only a title", site: "127.0.0.1" });
});

test("a page that offers oEmbed is shown in a frame of our own", async () => {
  const link = (path: string) => `<link type="application/json+oembed" rel="alternate" href="${path}">`;
  html("/video", `<title>Video</title>${link("/oembed?url=a&amp;format=json")}`);
  const frame =
    '<iframe width="560" height="315" src="https://player.example/v/1?a=1&amp;b=2" onload="steal()"></iframe>';
  json("/oembed", {
    type: "video",
    title: "Herons",
    provider_name: "Player",
    html: `<script>steal()</script>${frame}`,
  });
  const found = await embed("/video");
  expect(found).toMatchObject({ type: "rich", title: "Herons", site: "Player" });
  const { html: shown } = found as { html: string };
  expect(shown).toContain(
    '<iframe src="https://player.example/v/1?a=1&amp;b=2" width="560" height="315" sandbox=',
  );
  expect(shown).not.toMatch(/script>|onload|steal/);
  expect(requests).toContain("/oembed?url=a&format=json");
  html("/broken", `<title>Broken</title>${link("/nothing")}`);
  expect(await embed("/broken")).toMatchObject({ type: "link", title: "Broken" });
  html("/odd", `<title>Odd</title>${link("/odd-offer")}`);
  json("/odd-offer", { html: 7 });
  expect(await embed("/odd")).toMatchObject({ type: "link", title: "Odd" });
  html("/inside", `<title>Inside</title>${link("http://169.254.169.254/latest")}`);
  expect(await embed("/inside")).toMatchObject({ type: "link", title: "Inside" });
});

test.each([
  ["no iframe", "<p>x</p>"],
  ["a script", "<script src='https://a.example/x.js'></script>"],
  ["an iframe without https", "<iframe src='http://a.example/'></iframe>"],
  ["an iframe that runs", "<iframe src='javascript:alert(1)'></iframe>"],
  ["an iframe with its own text", "<iframe srcdoc='<script>x</script>'></iframe>"],
])("HTML with %s is no frame", (_, given) => {
  expect(frameIn(given)).toBeUndefined();
});

test("what breaks out of an attribute stays in the address", () => {
  expect(frameIn(`<iframe src='https://a.example/"><script>x</script>'></iframe>`)).not.toContain("<script");
});

test("what cannot be had is a link, whatever the reason", async () => {
  pages.set("/file", (_, res) => res.writeHead(200, { "content-type": "image/png" }).end("x"));
  pages.set("/away", (req) => req.socket.destroy());
  pages.set("/round", (_, res) => res.writeHead(302, { location: "/round" }).end());
  for (const path of ["/nothing-here", "/file", "/away", "/round"])
    expect(await embed(path), path).toEqual(plain(path));
  for (const url of [
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://no.such.invalid/x",
  ]) {
    const { hostname, host, pathname } = new URL(url);
    expect(await admin.embeds.get({ url })).toEqual({
      type: "link",
      title: (host + pathname).replace(/\/$/, ""),
      site: hostname,
    });
  }
});

test("of a page its head is read, and no more than half a mebibyte", async () => {
  html("/large", `<title>Large</title>`, "x".repeat(3_000_000));
  expect(await embed("/large")).toMatchObject({ title: "Large" });
  html("/late", "<!--".padEnd(600_000, "x"), "<title>Late</title>");
  expect(await embed("/late")).toEqual(plain("/late"));
  html("/long", `<meta property="og:title" content="${"y".repeat(3_000)}">`);
  expect((await embed("/long")).title).toHaveLength(256);
});

test("a head that is made to take long does not", () => {
  for (const hostile of ["<meta ", "<title>", "<link a=", "<meta a='", "<", '<meta content="&']) {
    const head = readHead(hostile.repeat(80_000));
    expect(head.site).toBeUndefined();
  }
});

test("an address is fetched once an hour", async () => {
  html("/once", "<title>Once</title>");
  await embed("/once");
  await embed("/once");
  expect(requests.filter((url) => url === "/once")).toHaveLength(1);
});

test("a space that the caller cannot see shows nothing, a public one to everybody", async () => {
  html("/seen", "<title>Seen</title>");
  const [closed, open] = [await t.space(), await t.space({ visibility: "public" })];
  const stranger = t.as({ beta: "read" });
  const url = `${base}/seen`;
  expect(await admin.embeds.inSpace({ spaceId: closed, url })).toMatchObject({ title: "Seen" });
  expect(await stranger.embeds.inSpace({ spaceId: open, url })).toMatchObject({ title: "Seen" });
  await expect(stranger.embeds.inSpace({ spaceId: closed, url })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test.each([
  "nowhere",
  "ftp://example.com/",
  "javascript:alert(1)",
  `https://example.com/${"x".repeat(2_048)}`,
])("%s is no address", async (url) => {
  await expect(admin.embeds.get({ url })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
