import { createHmac } from "node:crypto";
import { request } from "node:http";
import { startDns } from "@octavo/shared/testing/dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { askMcp } from "../harness/mcp.js";
import { makerOf } from "../harness/permissions.js";
import { type Stack, startStack } from "../harness/stack.js";

// Published sites on hosts of their own, at their path, and below a path of somebody's domain: everywhere they are read,
// and nowhere else is what one of them shows.

const DOMAIN = "pages.example";
const HOSTNAME = "docs.handbook.example";

let dns: Awaited<ReturnType<typeof startDns>>;
let stack: Stack;
let call: Client;
let organization: string;
let space: string;

beforeAll(async () => {
  dns = await startDns();
  stack = await startStack({ OCTAVO_DNS_SERVERS: dns.server, OCTAVO_SITES_DOMAIN: DOMAIN });
  call = createClient(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = await newSpace("Guide");
});
afterAll(() => Promise.all([stack?.stop(), dns?.close()]));

async function newSpace(title: string): Promise<string> {
  const make = makerOf(call);
  const { id } = await make("POST", `/orgs/${organization}/spaces`, { title });
  const request = await make("POST", `/spaces/${id}/change-requests`, { subject: "Write" });
  const at = `/spaces/${id}/change-requests/${request.id}`;
  const pages = ["Welcome", "Set up"].map((title) => ({
    operation: "insert_page",
    title,
    document: { markdown: `# ${title}\n\nText.\n` },
  }));
  await make("POST", `${at}/content`, { changes: pages });
  await make("POST", `${at}/merge`);
  return id;
}

async function newSite(settings: object, spaces = [space]) {
  const make = makerOf(call);
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title: "Handbook", spaces });
  const path = `/orgs/${organization}/sites/${id}`;
  await make("PATCH", path, settings);
  await make("POST", `${path}/publish`);
  return { id, path };
}

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A request to the gateway, as one for this host. */
const get = (host: string, path: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const options = {
      port: stack.port,
      host: "127.0.0.1",
      path,
      headers: { ...headers, host },
      agent: false,
    };
    request(options, async (res) => {
      let text = "";
      for await (const chunk of res) text += chunk;
      resolve({ status: res.statusCode!, headers: res.headers, text });
    })
      .on("error", reject)
      .end();
  });

/** The addresses that a page refers to on this machine, as its own host or another. */
const refsIn = (html: string): string[] =>
  [...html.matchAll(/<(?:a|link|script|img)\b[^>]*? (?:href|src)="([^"]+)"/g)].map(([, url]) => url!);

/** Whether all that a page loads and leads to on the same host is there. */
async function expectWhole(host: string, path: string, shown: (url: URL) => Promise<Got> | undefined) {
  const { text } = await get(host, path);
  const base = new URL(path, `http://${host}`);
  for (const ref of new Set(refsIn(text).filter((ref) => !ref.startsWith("#")))) {
    const got = await shown(new URL(ref, base));
    if (got) expect([got.status, ref]).toEqual([200, ref]);
  }
  return text;
}

test("a site is read on the host that its DNS proves, within seconds, and there is nothing but the site", async () => {
  const { id, path } = await newSite({ hostname: HOSTNAME }, [space, await newSpace("Other")]);
  expect((await get(HOSTNAME, "/v1/")).text).toContain('"version"');
  dns.records.set(`_octavo.${HOSTNAME}`, [`octavo-verification=${id}`]);
  expect((await call("PATCH", `/custom-hostnames/${HOSTNAME}`)).status).toBe(204);
  await eventually(async () => (await get(HOSTNAME, "/set-up")).status === 200);
  const port = `:${stack.port}`;
  const html = await expectWhole(HOSTNAME, "/set-up", (url) =>
    url.hostname === HOSTNAME ? get(HOSTNAME, url.pathname) : undefined,
  );
  expect(html).toContain(`<link rel="canonical" href="http://${HOSTNAME}${port}/set-up"`);
  expect(html).toContain('href="/other/set-up"');
  expect(html).not.toContain("/sites/");
  expect((await get(HOSTNAME, "/robots.txt")).text).toContain(`http://${HOSTNAME}${port}/sitemap.xml`);
  const root = `http://${HOSTNAME}${port}/`;
  const maps = [`${root}sitemap-pages.xml`, `${root}other/sitemap-pages.xml`];
  for (const map of maps) {
    expect((await get(HOSTNAME, "/sitemap.xml")).text).toContain(`<loc>${map}</loc>`);
    const { text } = await get(HOSTNAME, new URL(map).pathname);
    expect(text).toContain(`<loc>${new URL("set-up", map).href}</loc>`);
  }
  expect((await get(HOSTNAME, "/llms.txt")).text).toContain(`(${root}other/llms.txt)`);
  const token = { authorization: `Bearer ${stack.token}` };
  for (const api of ["/v1/orgs", "/v1/", "/v1/openapi.json", "/docs", "/readyz", "/livez"]) {
    const { status, headers, text } = await get(HOSTNAME, api, token);
    expect([status, headers["access-control-allow-origin"]], api).toEqual([404, undefined]);
    expect(text, api).toContain("<html");
  }
  // At its path below all sites it is read as well, and names its own address.
  const atPath = await expectWhole(`localhost${port}`, `/sites/${id}/set-up`, (url) =>
    url.host === `localhost${port}` ? get(url.host, url.pathname) : undefined,
  );
  expect(atPath).toContain(`<link rel="canonical" href="http://${HOSTNAME}${port}/set-up"`);
  expect(atPath).toContain(`href="/sites/${id}/other/set-up"`);
  const use = async (name: string, given: object) => {
    const tool = { name, arguments: given };
    const at = `http://localhost${port}/sites/${id}/`;
    return JSON.stringify((await askMcp(at, "tools/call", tool, false)).body?.result);
  };
  expect(await use("list_pages", {})).toContain(`(${root}other/set-up)`);
  expect(await use("get_page", { page: `${root}other/set-up` })).toContain("Text.");
  await makerOf(call)("POST", `${path}/unpublish`);
  await eventually(async () => (await get(HOSTNAME, "/set-up")).status === 404);
  expect((await get(HOSTNAME, "/v1/")).text).toContain("<html");
  expect((await call("DELETE", `/custom-hostnames/${HOSTNAME}`)).status).toBe(204);
  await eventually(async () => (await get(HOSTNAME, "/v1/")).text.includes('"version"'));
});

test("a site with a name is read below the sites' domain, and its neighbours show nothing of it", async () => {
  await newSite({ basename: "handbook" });
  const host = `handbook.${DOMAIN}`;
  await eventually(async () => (await get(host, "/")).status === 200);
  await expectWhole(host, "/", (url) => (url.hostname === host ? get(host, url.pathname) : undefined));
  const nobody = await get(`nobody.${DOMAIN}`, "/");
  expect([nobody.status, nobody.text.includes("Welcome")]).toEqual([404, false]);
  expect((await get(`nobody.${DOMAIN}`, "/v1/")).status).toBe(404);
});

test("below a path of somebody's domain, links stay on that domain, wherever the page was requested", async () => {
  const proxied = { proxy: "www.acme.example/help/docs" };
  const { id, path: site } = await newSite(proxied, [space, await newSpace("Other")]);
  const { body: look } = await call<object>("GET", `${site}/customization`);
  const header = {
    preset: "default",
    links: [{ title: "Out", to: { kind: "url", url: "https://a.example/" }, links: [] }],
  };
  const changed = { ...look, header, externalLinks: { target: "blank" } };
  await makerOf(call)("PUT", `${site}/customization`, changed);
  const front = "https://www.acme.example/help/docs/";
  const target = `/sites/${id}/`;
  await eventually(async () => (await get("localhost", target)).text.includes('target="_blank"'));
  // What the foreign host would request for an address of its own.
  const forwarded = (url: URL) =>
    url.href.startsWith(front) ? get("localhost", target + url.href.slice(front.length)) : undefined;
  for (const path of ["", "set-up", "other/set-up"]) {
    const { text } = await get("localhost", target + path);
    expect(text).toContain(`<link rel="canonical" href="${front}${path}"`);
    for (const [link] of text.matchAll(/<a [^>]*href="https:[^>]*>/g))
      expect(link.includes('target="_blank"'), link).toBe(!link.includes(`href="${front}`));
    const outside = /^#|^https:\/\/(?:chatgpt\.com|claude\.ai|a\.example)\//;
    const refs = refsIn(text).filter((ref) => !outside.test(ref));
    for (const ref of refs) {
      const url = new URL(ref, front + path);
      expect(url.href.startsWith(front), ref).toBe(true);
      expect((await forwarded(url))!.status, ref).toBe(200);
      // What is loaded is there as well for whoever looks at the site before the foreign host forwards to it.
      if (ref.includes("~octavo/assets"))
        expect((await get("localhost", new URL(ref, `http://x${target}${path}`).pathname)).status, ref).toBe(
          200,
        );
    }
  }
  expect((await get("localhost", `${target}Set-Up?a=b`)).headers.location).toBe(`${front}set-up?a=b`);
  expect((await get("localhost", `/sites/${id}`)).headers.location).toBe(front);
});

test("what a visitor proved on one host is good on no other, and nothing of it is kept for others", async () => {
  const sites = await Promise.all(
    ["members", "staff"].map(async (basename) => {
      const site = await newSite({ basename, visibility: "visitor-auth" });
      const auth = { backend: "custom", fallbackURL: `https://login.example.com/${basename}` };
      const { body } = await call<{ privateKey: string }>("PATCH", `${site.path}/publishing/auth`, auth);
      return { host: `${basename}.${DOMAIN}`, key: body.privateKey, fallback: auth.fallbackURL };
    }),
  );
  const [members, staff] = sites as [(typeof sites)[0], (typeof sites)[0]];
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwtOf = (key: string) => {
    const signed = `${encoded({ alg: "HS256" })}.${encoded({ exp: Math.floor(Date.now() / 1000) + 600 })}`;
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };
  await eventually(async () => (await get(members.host, "/")).status === 302);
  const entered = await get(members.host, `/set-up?jwt_token=${jwtOf(members.key)}`);
  expect([entered.status, entered.headers.location]).toEqual([302, "/set-up"]);
  const [cookie = ""] = entered.headers["set-cookie"] as string[];
  expect(cookie).toMatch(/^octavo-visitor-[\w-]{12}=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/);
  const sent = { cookie: cookie.split(";", 1)[0]! };
  const shown = await get(members.host, "/set-up", sent);
  expect([shown.status, shown.headers["cache-control"]]).toEqual([200, "private, no-store"]);
  const elsewhere = await get(staff.host, "/set-up", sent);
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([
    302,
    expect.stringContaining(staff.fallback),
  ]);
  expect((await get(staff.host, `/set-up?jwt_token=${jwtOf(members.key)}`)).status).toBe(404);
  expect((await get(members.host, "/set-up")).status).toBe(302);
  const spoofed = await get(staff.host, "/set-up", { ...sent, "x-forwarded-host": members.host });
  expect(spoofed.headers.location).toContain(staff.fallback);
});
