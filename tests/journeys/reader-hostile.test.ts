import { HOSTILE } from "@octavo/html/testing/hostile";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What strangers send to a site, and what authors put into its files: nobody else is served anything of it.

let call: Client;
let make: ReturnType<typeof makerOf>;
let organization: string;
let space: string;
let site: string;
let address: string;

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: "manual" });

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)"><text>x</text></a></svg>`;
/** What no file can be called where it is saved. */
const IS_REFUSED = /[\p{Cc}/\\\u2028]/u;
const all = HOSTILE.map((text) => `${text}.svg`);
const NAMES = all.filter((name) => !IS_REFUSED.test(name));
const REFUSED = all.filter((name) => IS_REFUSED.test(name));
/** Files that one change may insert. */
const AT_ONCE = 20;
const base64 = Buffer.from(SVG).toString("base64");

beforeAll(async () => {
  call = createClient(await sharedStack());
  make = makerOf(call);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Hostile" })).id;
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  // Each has a content of its own: files with the same one have the same address.
  const files = [...NAMES, "page.html"].map((name, at) => ({
    name,
    base64: Buffer.from(`${SVG}<!-- ${at} -->`).toString("base64"),
  }));
  const image = ({ id: file }: { id: string }) => ({
    object: "block",
    type: "images",
    data: {},
    nodes: [{ object: "block", type: "image", isVoid: true, data: { ref: { kind: "file", file } } }],
  });
  const send = (changes: object[]) =>
    make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  for (let at = 0; at < files.length; at += AT_ONCE)
    await send([{ operation: "insert_files", files: files.slice(at, at + AT_ONCE) }]);
  const { items } = await make<{ items: { id: string }[] }>(
    ...(["GET", `/spaces/${space}/change-requests/${id}/content/files?limit=1000`] as const),
  );
  const document = { object: "document", data: {}, nodes: items.map(image) };
  await send([{ operation: "insert_page", title: "Pictures", document: { document } }]);
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
  site = (await make("POST", `/orgs/${organization}/sites`, { title: "Hostile", spaces: [space] })).id;
  const path = `/orgs/${organization}/sites/${site}/publish`;
  address = (await make<{ urls: { published: string } }>("POST", path)).urls.published;
  await eventually(async () => (await get(address)).status === 200);
});

test("a file of a page runs nothing when somebody opens it, whatever it holds and is called", async () => {
  const html = await (await get(address)).text();
  const sources = [...html.matchAll(/<img[^>]* src="([^"]*~octavo\/files\/[^"]+)"/g)].map(([, source]) =>
    source!.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"'),
  );
  const names = sources.map((source) => decodeURIComponent(source.split("/").at(-1)!));
  expect(new Set(names)).toEqual(new Set([...NAMES, "page.html"]));
  for (const source of sources) {
    const file = await get(new URL(source, address).href);
    await file.body?.cancel();
    expect(file.status, source).toBe(200);
    const policy = file.headers.get("content-security-policy") ?? "";
    const isSaved = file.headers.get("content-disposition")?.startsWith("attachment") ?? false;
    expect(isSaved || /\bsandbox\b/.test(policy) || /default-src 'none'/.test(policy), source).toBe(true);
    expect(policy, source).not.toMatch(/unsafe|allow-scripts/);
    expect(file.headers.get("x-content-type-options"), source).toBe("nosniff");
  }
});

test("of the other hostile texts, none becomes the name of a file", async () => {
  expect(NAMES.length + REFUSED.length).toBe(400);
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  for (const name of REFUSED) {
    const changes = [{ operation: "insert_files", files: [{ name, base64 }] }];
    const { status } = await call("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
    expect(status, name).toBe(400);
  }
});

test("a file is served the same by whatever hostile name an address gives it", async () => {
  const html = await (await get(address)).text();
  const [, folder] = /src="([^"]*~octavo\/files\/[^"/]+\/)[^"]+"/.exec(html)!;
  const sent = async (name: string) => {
    const { status, headers, body } = await get(new URL(folder + encodeURIComponent(name), address).href);
    await body?.cancel();
    const of = ["content-type", "content-disposition", "content-security-policy", "location"];
    return JSON.stringify([status, of.map((header) => headers.get(header))]);
  };
  const plain = await sent("a.svg");
  expect(plain).toMatch(/^\[200,/);
  for (const name of HOSTILE) {
    // A path that holds NUL or a backslash is none.
    if (/[\0\\]/.test(name)) expect(await sent(name), name).toMatch(/^\[4\d\d,/);
    else expect(await sent(name), name).toBe(plain);
  }
});

const HEADERS = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-prefix",
  "x-forwarded-scheme",
  "x-forwarded-server",
  "x-host",
  "x-original-url",
  "x-rewrite-url",
  "x-original-host",
  "forwarded",
  "via",
  "x-real-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "x-http-method-override",
  "x-method",
  "x-octavo-identity",
  "x-octavo-site",
  "authorization",
  "cookie",
  "origin",
  "referer",
  "user-agent",
  "range",
  "accept-language",
  "accept-charset",
  "accept-encoding",
  "cache-control",
  "pragma",
  "if-modified-since",
  "if-match",
  "if-range",
  "x-requested-with",
  "sec-fetch-site",
  "sec-fetch-dest",
  "sec-ch-prefers-color-scheme",
  "save-data",
  "dnt",
  "sec-gpc",
  "purpose",
  "x-purpose",
  "x-visitor",
  "gitbook-visitor-token",
  "x-user",
  "from",
  "x-request-id",
  "traceparent",
  "content-type",
  "x-custom",
  "prefer",
  "priority",
  "early-data",
  "surrogate-key",
];

test("no header that one visitor sends changes what the next one is sent, with or without a tag", async () => {
  const plain = async () => {
    const response = await get(address);
    const kept = [
      "content-type",
      "cache-control",
      "etag",
      "vary",
      "content-security-policy",
      "link",
      "location",
    ];
    return JSON.stringify([
      response.status,
      kept.map((name) => response.headers.get(name)),
      await response.text(),
    ]);
  };
  const before = await plain();
  for (const name of HEADERS)
    for (const value of [
      "evil.example",
      "text/markdown",
      `"><script>alert(1)</script>`,
      "a.b.c",
      "br;q=0, *",
    ]) {
      // Asked with a query of its own as well, under which nobody has asked before.
      const { status, body } = await get(`${address}?${name}`, { [name]: value });
      await body?.cancel();
      expect(status, `${name}: ${value}`).toBeLessThan(500);
      const again = await get(address, { [name]: value });
      await again.body?.cancel();
    }
  expect(await plain()).toBe(before);
  for (const name of HEADERS)
    expect((await get(`${address}?${name}`)).headers.get("content-type")).toMatch(/^text\/html/);
});

test("encodings and languages that nobody speaks are as good as none", async () => {
  for (const headers of [
    { "accept-encoding": "nothing, gzip;q=99999, br;q=x" },
    { accept: ";;;,,,q=" },
    { accept: "a".repeat(4_000) },
    { "accept-language": "xx-".repeat(500) },
    { "if-none-match": `W/"${"x".repeat(4_000)}", *` },
  ] as Record<string, string>[]) {
    const response = await get(address, headers);
    expect(response.status, JSON.stringify(headers).slice(0, 60)).toBe(200);
    expect(await response.text()).toContain("<!doctype html>");
  }
  for (const refused of ["br;q=0", "gzip, br ; q=0.000", "identity, br;q=0, *;q=0", "brotli", "x-br", ""])
    expect(
      (await get(address, { "accept-encoding": refused })).headers.get("content-encoding"),
      refused,
    ).toBe(null);
  for (const accepted of ["br", "gzip,br", "gzip, deflate, br, zstd", "br;q=0.5", "BR;q=1, identity;q=0"])
    expect(
      (await get(address, { "accept-encoding": accepted })).headers.get("content-encoding"),
      accepted,
    ).toBe("br");
  for (const path of [
    "%",
    "%zz",
    "%ff%fe",
    "%c0%ae%c0%ae/",
    "..%2f..%2f",
    "a%00b",
    "%e2%80%ae",
    "a".repeat(5_000),
  ]) {
    const { status, body, headers } = await get(address + path);
    await body?.cancel();
    expect([400, 404, 414], path.slice(0, 20)).toContain(status);
    expect(headers.get("cache-control") ?? "", path.slice(0, 20)).not.toContain("public");
  }
});

test("a site that is deleted is gone within two seconds, with its files and lists", async () => {
  const html = await (await get(address)).text();
  const file = /src="([^"]*~octavo\/files\/[^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&");
  await make("DELETE", `/orgs/${organization}/sites/${site}`);
  await eventually(async () => (await get(address)).status === 404);
  for (const path of ["", "pictures.md", "llms.txt", "sitemap.xml", "~octavo/search?q=pictures", file]) {
    const { status, body } = await get(new URL(path, address).href);
    await body?.cancel();
    expect(status, path).toBe(404);
  }
});
