import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createUpstreamCache } from "./cache/upstream-cache.js";
import { llmsText, sitemapXml } from "./formats/lists.js";
import { wantsMarkdown } from "./formats/markdown.js";
import { contrast, readable } from "./frame/colors.js";
import { readAssets } from "./http/assets.js";
import { mountOf } from "./http/mounts.js";
import { type CookieOwner, cookiesFor, dropTokens, proofOf } from "./http/visitor.js";
import type { Place } from "./site/places.js";
import type { Site } from "./site/site.js";
import { spaceFrom } from "./site/space.js";
import { page } from "./testing.js";

test("colors of a site can be read on light and on dark pages, whatever they are", () => {
  for (const color of ["#ffff00", "#000", "#fff", "#346DDB", "#12", "red;}", "#ff00ff"])
    for (const paper of [
      [255, 255, 255],
      [17, 19, 24],
    ] as [number, number, number][])
      expect(contrast(readable(color, paper), paper), color).toBeGreaterThanOrEqual(4.5);
});

test("markdown is sent when Accept prefers it, and HTML to browsers", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const accept of [undefined, "*/*", browser, "text/html, text/markdown;q=0.5"])
    expect(wantsMarkdown(accept), accept).toBe(false);
  for (const accept of [
    "text/markdown",
    "text/markdown, text/html;q=0.9, */*;q=0.1",
    "Text/Markdown,text/html",
  ])
    expect(wantsMarkdown(accept), accept).toBe(true);
});

test("scripts and styles of all pages are light: what a page loads has at most 10 and 12 kilobytes compressed", () => {
  const assets = readAssets();
  const sizeOf = (name: string) => assets.find(assets.url(name).split("/").at(-1)!)!.brotli!.length;
  expect(sizeOf("site.js")).toBeLessThanOrEqual(10_000);
  expect(sizeOf("site.js") + sizeOf("try.js") + sizeOf("diagram.js")).toBeLessThanOrEqual(10_000);
  expect(sizeOf("site.css")).toBeLessThanOrEqual(12_000);
});

test("a response is reused for a moment, and while the service is away; never after a refusal", async () => {
  let now = 0;
  const cache = createUpstreamCache<{ value: number }>({ max: 10, fresh: 100, stale: 1_000 }, () => now);
  let loads = 0;
  const load = async () => ({ value: ++loads });
  const away = () => Promise.reject(new TypeError("fetch failed"));
  const refused = () => Promise.reject(Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } }));
  expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([
    { value: 1 },
    { value: 1 },
  ]);
  now = 99;
  expect(await cache.get("a", load)).toEqual({ value: 1 });
  now = 101;
  expect(await cache.get("a", away)).toEqual({ value: 1 });
  expect(await cache.get("a", load)).toEqual({ value: 2 });
  now = 300;
  await expect(cache.get("a", refused)).rejects.toThrow("no");
  await expect(cache.get("a", away)).rejects.toThrow("fetch failed");
});

test("no more is remembered than fits, and what was asked for last stays", async () => {
  const size = { of: ({ length }: { length: number }) => length, most: 10 };
  const cache = createUpstreamCache<{ length: number }>({ max: 10, size, fresh: 100, stale: 1_000 }, () => 0);
  const asked: string[] = [];
  const ask = (key: string, length: number) =>
    cache.get(key, async () => {
      asked.push(key);
      return { length };
    });
  for (const key of ["a", "b", "a", "c"]) await ask(key, 5);
  expect(asked).toEqual(["a", "b", "c"]);
  for (const key of ["a", "b"]) await ask(key, 5);
  expect(asked).toEqual(["a", "b", "c", "b"]);
  for (const key of ["long", "long", "b"]) await ask(key, key === "long" ? 11 : 5);
  expect(asked).toEqual(["a", "b", "c", "b", "long", "b"]);
});

const canonical = "http://octavo.test/sites/a/";
const place = { base: "/sites/a/", canonical, siteCanonical: canonical, space: "s" } as Place;
const site = { title: "A [site]\n# no", visibility: "public", spaces: [] } as unknown as Site;

test("lists for machines stay what they are, whatever titles and paths hold", () => {
  const space = spaceFrom("k", { files: [], pages: [page("a", "First"), page("b&<c>'\"", "T]\n\n# (x)")] });
  expect(llmsText({ place, site, space })).toBe(
    "# A [site] # no\n\n> All pages in one text: http://octavo.test/sites/a/llms-full.txt\n\n## Pages\n\n- [First](http://octavo.test/sites/a/a.md)\n" +
      "- [T\\] # (x)](http://octavo.test/sites/a/b%26%3Cc%3E'%22.md)\n",
  );
  expect(sitemapXml({ place, site, space })).toContain(
    "<url><loc>http://octavo.test/sites/a/</loc></url><url><loc>http://octavo.test/sites/a/b%26%3Cc%3E&apos;%22</loc></url>",
  );
});

const PROVED = "a.b.c";
const proof = (owner: CookieOwner, header: string, url = "http://x.test/") =>
  proofOf({ headers: { cookie: header } } as IncomingMessage, new URL(url), owner);

test("what a visitor proved is kept for one site alone, and what is no token is nothing", () => {
  const owner = { name: "docs", isOwnHost: false, secure: true };
  const [cookie = ""] = cookiesFor(owner, "/sites/docs/", { jwt: PROVED, inAddress: true });
  expect(cookie).toMatch(
    /^octavo-visitor-[\w-]{12}=a\.b\.c; Path=\/sites\/docs\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(proof({ ...owner, name: "Docs" }, `z=1; ${cookie}`)).toEqual({ jwt: PROVED, inAddress: false });
  expect(proof({ ...owner, name: "other" }, cookie).jwt).toBeUndefined();
  expect(proof(owner, cookie.replace(PROVED, "a b")).jwt).toBeUndefined();
  expect(proof(owner, cookie, "http://x.test/?jwt_token=d.e.f")).toEqual({ jwt: "d.e.f", inAddress: true });
});

test("the token of a preview is kept for an hour, apart from a JWT, and stands for one and for claims", () => {
  const owner = { name: "docs", isOwnHost: false, secure: false };
  const preview = proof(owner, "", "http://x.test/?preview_token=v2.k.x-_&jwt_token=a.b.c&visitor.a=1");
  expect(preview).toEqual({ jwt: undefined, preview: "v2.k.x-_", inAddress: true });
  const [cookie = ""] = cookiesFor(owner, "/sites/docs/", preview);
  expect(cookie).toMatch(
    /^octavo-preview-[\w-]{12}=v2\.k\.x-_; Path=\/sites\/docs\/; HttpOnly; SameSite=Lax; Max-Age=3600$/,
  );
  expect(proof(owner, cookie, "http://x.test/?visitor.a=1")).toEqual({ ...preview, inAddress: false });
  const later = proof(owner, cookie, "http://x.test/?jwt_token=d.e.f");
  expect(later).toEqual({ jwt: "d.e.f", inAddress: true, endsPreview: true });
  expect(cookiesFor(owner, "/sites/docs/", later)).toEqual([
    expect.stringMatching(/^octavo-visitor-/),
    expect.stringMatching(/^octavo-preview-[\w-]{12}=; .*Max-Age=0$/),
  ]);
  const url = new URL("http://x.test/?a=b&preview_token=v2.k.x&jwt_token=a.b.c");
  dropTokens(url);
  expect(url.search).toBe("?a=b");
  for (const none of ["", "x", `v2.${"x".repeat(4_000)}`, "a;b.c"])
    expect(proof(owner, "", `http://x.test/?preview_token=${none}`).preview).toBeUndefined();
});

test("on a host of a site's own no other host can set its cookie", () => {
  const owner = { name: "docs.example.com", isOwnHost: true, secure: true };
  const [cookie = "", ...others] = cookiesFor(owner, "/key/", { jwt: PROVED, inAddress: true });
  expect(others).toEqual([]);
  expect(cookie).toMatch(
    /^__Host-octavo-visitor-[\w-]{12}=a\.b\.c; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(proof(owner, cookie).jwt).toBe(PROVED);
  expect(proof(owner, cookie.replace("__Host-", "")).jwt).toBeUndefined();
});

const SITES = new URL("https://octavo.test:444/sites");

test("the path alone decides for which site a request is: a host of its own, or its name", () => {
  expect(mountOf(SITES, "/~hosts/docs.example.com/a/b?c=d")).toMatchObject({
    ...{ origin: "https://docs.example.com:444", base: "/", isOwnHost: true, name: "docs.example.com" },
    url: { pathname: "/a/b", search: "?c=d" },
  });
  expect(mountOf(SITES, "/sites/docs/a")).toMatchObject({
    ...{ origin: "https://octavo.test:444", base: "/sites/", isOwnHost: false, name: "docs" },
    url: { pathname: "/sites/docs/a" },
  });
  for (const nowhere of [
    "/",
    "/other",
    "//evil.example/sites/docs",
    "/~hosts/Docs/",
    "/~hosts/a",
    "http://x/",
  ])
    expect(mountOf(SITES, nowhere), nowhere).toMatchObject({ isOwnHost: false, name: "" });
});
