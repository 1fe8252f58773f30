import { createHash, createHmac } from "node:crypto";
import { connect } from "node:net";
import { elementsOf } from "@octavo/html/testing/structure";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// A published site is read in a browser, at the address that publishing it returned.

let call: Client;
let organization: string;
let site: string;
let space: string;
let address: string;

const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url, { method, headers, redirect: "manual" });
const text = async (url: string, headers = {}) => (await get(url, headers)).text();

/** The status of a path below the site, and where it leads. */
async function leads(path: string, headers = {}) {
  const { status, headers: got } = await get(address + path, headers);
  return [status, got.get("location")];
}

/** Merges one change into the space. */
async function change(changes: object[]) {
  const make = makerOf(call);
  const { id } = await make("POST", `/spaces/${space}/change-requests`, { subject: "Write" });
  await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
}
const insert = (title: string, markdown: string) => ({
  operation: "insert_page",
  title,
  document: { markdown: `# ${title}\n\n${markdown}\n` },
});

beforeAll(async () => {
  call = createClient(await sharedStack());
  const make = makerOf(call);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Guide" })).id;
  await change([
    insert("Welcome", "Hello, reader of the guide.\n\n## First steps\n\nOne.\n\n## Next steps\n\nTwo."),
    insert("Set up", '{% hint style="info" %}\nNote <this>\n{% endhint %}\n\n```js\nconst a = 1;\n```'),
    insert("Hostile", '<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert("&")</script>'),
  ]);
  site = (await make("POST", `/orgs/${organization}/sites`, { title: "Docs <b>", spaces: [space] })).id;
  await make("POST", `/orgs/${organization}/sites/${site}/publish`);
  address = (await call<{ urls: { published: string } }>("GET", `/orgs/${organization}/sites/${site}`)).body
    .urls.published;
  await eventually(async () => (await get(address)).status === 200);
});

test("the address of a published site is a page with a title, one heading, a sidebar, an outline and what comes next", async () => {
  const html = await text(address);
  const elements = elementsOf(html);
  const named = (name: string) => elements.filter((one) => one.name === name);
  expect(named("h1")).toHaveLength(1);
  expect(html).toContain("<title>Welcome · Docs &lt;b></title>");
  expect(html).toContain("Hello, reader of the guide.");
  const hrefs = named("a").map(({ attrs }) => attrs.href);
  const { pathname } = new URL(address);
  expect(hrefs).toEqual(expect.arrayContaining(["#first-steps", "#next-steps", `${pathname}set-up`]));
  expect(html).toMatch(/<a class="next" href="[^"]*set-up">/);
});

test("a page has a policy without inline scripts but two of ours, and none of the headers of the API", async () => {
  const { headers } = await get(address);
  const policy = headers.get("content-security-policy")!;
  const scripts = policy.split("; ").find((part) => part.startsWith("script-src"))!;
  expect(scripts).toMatch(/^script-src 'self'(?: 'sha256-[\w+/=]+'){2}$/);
  const html = await text(address);
  const inline = [...html.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)].map(([, code]) => code!);
  expect(inline).toHaveLength(3);
  for (const code of inline)
    expect(policy).toContain(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
});

test("a page that did not change is 304, and HEAD has its headers alone", async () => {
  for (const encoding of ["identity", "br"]) {
    const headers = { "accept-encoding": encoding };
    const first = await get(address, headers);
    const etag = first.headers.get("etag")!;
    expect((await get(address, { ...headers, "if-none-match": etag })).status, encoding).toBe(304);
  }
  const head = await get(address, {}, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await get(address, {}, "POST")).status).toBe(405);
});

test("what its author wrote comes out as words, and runs nowhere", async () => {
  const html = await text(`${address}hostile`);
  for (const { name, attrs } of elementsOf(html)) {
    expect(Object.keys(attrs).filter((attribute) => attribute.startsWith("on"))).toEqual([]);
    expect(Object.values(attrs).filter((value) => /^\s*javascript:/i.test(value))).toEqual([]);
    if (name === "script")
      expect(attrs.src ?? attrs.type ?? "inline").toMatch(/^(?:\/sites\/~octavo\/|application\/ld|inline)/);
  }
  expect(html.match(/<script>/g)).toHaveLength(2);
});

test("each page is markdown when Accept names it, and listed for machines", async () => {
  const page = `${address}set-up`;
  const response = await get(page, { accept: "text/markdown" });
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const markdown = await response.text();
  expect(markdown).toContain("const a = 1;");
  expect(await text(`${page}.md`)).toBe(markdown);
  expect(await text(`${address}llms.txt`)).toContain(`- [Set up](${page}.md)`);
  expect(await text(`${address}sitemap.xml`)).toContain(`<loc>${page}</loc>`);
  expect(await text(`${address}robots.txt`)).toContain("Allow: /");
});

test("a page as markdown has what it includes, as this visitor sees it, and whole addresses", async () => {
  await change([
    {
      operation: "insert_reusable_content",
      title: "Note",
      ref: "note",
      document: {
        markdown: "Included words.\n\n{% if visitor.claims.staff %}\nOnly for staff.\n{% endif %}",
      },
    },
    insert(
      "Including",
      '{% include ".gitbook/includes/note.md" %}\n\nGo on to [the set-up](set-up.md#part).',
    ),
  ]);
  const markdown = await eventually(async () => {
    const response = await get(`${address}including.md`);
    return response.status === 200 ? response.text() : undefined;
  });
  const expected = `Included words.\n\nGo on to [the set-up](${address}set-up.md#part).\n`;
  expect(markdown.endsWith(`# Including\n\n${expected}`), markdown).toBe(true);
  const whole = await eventually(async () => {
    const all = await text(`${address}llms-full.txt`);
    return all.includes("# Including") ? all : undefined;
  });
  expect(whole).toContain(expected.trim());
  expect(whole).not.toContain("Only for staff");
});

test("words are looked for on the server: a page that works without scripts, and a list for those that have one", async () => {
  const search = `${address}~octavo/search`;
  const { pathname } = new URL(address);
  await eventually(async () => (await text(`${search}?q=steps`)).includes("#first-steps"));
  const found = await get(`${search}?q=${encodeURIComponent('steps "<b>')}`);
  expect(found.headers.get("cache-control")).toBe("private, no-store");
  const elements = elementsOf(await found.text());
  expect(elements.filter(({ name }) => name === "mark").length).toBeGreaterThan(0);
  expect(elements.filter(({ name }) => name === "b")).toEqual([]);
  const list = await text(`${search}?q=steps&part=1`);
  const options = elementsOf(list).filter(({ attrs }) => attrs.role === "option");
  expect(options.map(({ attrs }) => attrs.href)).toEqual(
    expect.arrayContaining([pathname, `${pathname}#first-steps`, `${pathname}#next-steps`]),
  );
  expect(await text(`${search}?q=nobodywrotethis`)).toContain("Nothing was found.");
  for (const query of ["", "?q=", `?q=${"x".repeat(5_000)}`, "?q=%00%1b", "?q=a&in=section", "?part=1"])
    expect((await get(search + query)).status, query).toBe(200);
  expect((await get(`${search}?q=%ff`)).status).toBe(200);
});

test("other spellings of an address lead to it in one hop, with their query", async () => {
  for (const spelling of ["Set-Up?a=b", "set-up/?a=b", "set-up.html?a=b"]) {
    const { status, headers } = await get(address + spelling);
    expect([status, headers.get("location")], spelling).toEqual([
      308,
      `${new URL(address).pathname}set-up?a=b`,
    ]);
  }
  expect((await get(address.slice(0, -1))).headers.get("location")).toBe(new URL(address).pathname);
});

test("an unknown page is 404 and names pages that are like it; unknown sites look like any other address", async () => {
  const lost = await get(`${address}how-to-set-up`);
  expect(lost.status).toBe(404);
  expect(await lost.text()).toContain("<strong>Set up</strong>");
  for (const path of [
    "nobody-has-this/",
    "site_0000000000000000000000/",
    "~octavo/assets/none.css",
    "%00/",
    "a%2f../",
  ]) {
    const { status, headers } = await get(new URL(`/sites/${path}`, address).href);
    expect([400, 404], path).toContain(status);
    expect(headers.get("cache-control") ?? "", path).not.toContain("public");
  }
});

test("redirects of a site lead to the page in one hop, with the query and as markdown, unless there is a page", async () => {
  const make = makerOf(call);
  const redirects = `/orgs/${organization}/sites/${site}/redirects`;
  const to = { kind: "path", path: "/set-up" };
  const away = { kind: "url", url: "https://example.com/new" };
  for (const [source, destination] of [
    ["/old/page", { kind: "path", path: "/older" }],
    ["/older", to],
    ["/topics/*", to],
    ["/gone", away],
    ["/hostile", to],
  ] as const)
    await make("POST", redirects, { source, destination });
  const { pathname } = new URL(address);
  // That there are redirects at all is known within the time that what sites said is believed.
  await eventually(async () => (await get(`${address}old/page`)).status === 308);
  expect(await leads("old/page?a=b")).toEqual([308, `${pathname}set-up?a=b`]);
  expect(await leads("Old/Page/")).toEqual([308, `${pathname}set-up`]);
  expect(await leads("old/page.md")).toEqual([308, `${pathname}set-up.md`]);
  expect(await leads("topics/a%20b/c", { accept: "text/markdown" })).toEqual([308, `${pathname}set-up`]);
  expect(await leads("gone?secret=1")).toEqual([308, "https://example.com/new"]);
  expect(await leads("hostile")).toEqual([200, null]);
  for (const path of ["older/than", "old", "to'pics/*(!", `${"x".repeat(600)}`, "old/%2e%2e/page"])
    expect((await get(address + path)).status, path).toBe(404);
});

test("an address that a page had leads to it in one hop, with the query and as markdown, before redirects", async () => {
  const { pathname } = new URL(address);
  const inserted = (title: string, more: object) => ({ ...insert(title, "Text."), ...more });
  await change([
    inserted("Handbook", { ref: "handbook" }),
    inserted("Linux", { into: "handbook", hidden: true }),
  ]);
  await eventually(async () => (await leads("handbook/linux"))[0] === 200);
  type Listed = { id: string; slug: string; pages: Listed[] };
  const { pages } = (await call<{ pages: Listed[] }>("GET", `/spaces/${space}/content/pages`)).body;
  const handbook = pages.find(({ slug }) => slug === "handbook")!;
  const update = (page: string, fields: object) => ({ operation: "update_page", page, ...fields });
  await change([update(handbook.id, { slug: "manual" })]);
  await change([update(handbook.pages[0]!.id, { slug: "gnu-linux", into: null })]);
  await makerOf(call)("POST", `/orgs/${organization}/sites/${site}/redirects`, {
    source: "/handbook",
    destination: { kind: "path", path: "/set-up" },
  });
  // What was shown is believed for a moment.
  await eventually(async () => (await leads("handbook/linux"))[0] === 308);
  expect(await leads("handbook?a=b")).toEqual([308, `${pathname}manual?a=b`]);
  expect(await leads("handbook/linux?a=b")).toEqual([308, `${pathname}gnu-linux?a=b`]);
  expect(await leads("Handbook/LINUX/")).toEqual([308, `${pathname}gnu-linux`]);
  expect(await leads("manual/linux.md")).toEqual([308, `${pathname}gnu-linux.md`]);
  expect(await leads("handbook/windows")).toEqual([404, null]);
  await change([{ operation: "delete_page", page: handbook.id }]);
  await eventually(async () => (await leads("manual"))[0] === 404);
  expect(await leads("handbook")).toEqual([308, `${pathname}set-up`]);
  expect(await leads("handbook/linux")).toEqual([308, `${pathname}gnu-linux`]);
});

test("a merge is seen within two seconds, in the sidebar of other pages as well", async () => {
  const before = (await get(`${address}set-up`)).headers.get("etag");
  await change([insert("Added", "Seen at once.")]);
  await eventually(async () => (await get(`${address}added`)).status === 200);
  // The sidebar of every page lists the new one.
  await eventually(async () => (await get(`${address}set-up`)).headers.get("etag") !== before);
});

test("headers of a request change nothing in what others are sent", async () => {
  const plain = await text(address);
  const hostile = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.example",
    authorization: "Bearer x",
    cookie: "octavo-visitor=x",
    "x-octavo-identity": "x",
    origin: "https://evil.example",
    "accept-language": "de",
    "x-original-url": "/admin",
    "user-agent": "evil",
  };
  expect(await text(`${address}?utm_source=evil`, hostile)).toBe(plain);
});

test("a read that brings a body is refused, and nothing of it is read as a request of somebody else", async () => {
  const { hostname, port, pathname } = new URL(address);
  const inner = `GET ${pathname}hostile HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`;
  const framings = [
    [`content-length: ${inner.length}`, inner],
    ["transfer-encoding: chunked", `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`],
  ];
  for (const [framing, body] of framings) {
    const socket = connect(Number(port), hostname);
    socket.end(
      `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n${framing}\r\n\r\n${body}`,
    );
    const received = Buffer.concat(await socket.toArray()).toString();
    expect(received, framing).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/HTTP\/1\.1 /g), framing).toHaveLength(1);
  }
});

test("a site with visitor authentication opens with a valid token, by a cookie of its own, and to nobody after it", async () => {
  const make = makerOf(call);
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title: "Members", spaces: [space] });
  const path = `/orgs/${organization}/sites/${id}`;
  await make("POST", `${path}/publish`);
  await make("PATCH", path, { visibility: "visitor-auth" });
  const auth = { backend: "custom", fallbackURL: "https://login.example.com/in" };
  const changed = await call<{ privateKey: string }>("PATCH", `${path}/publishing/auth`, auth);
  const { urls } = (await call<{ urls: { published: string } }>("GET", path)).body;
  const url = `${urls.published}set-up`;
  const leadsToSignIn = async (headers = {}) => {
    const { status, headers: got } = await get(url, headers);
    expect([status, got.get("cache-control")]).toEqual([302, "private, no-store"]);
    expect(got.get("location")).toContain(auth.fallbackURL);
  };
  await eventually(async () => (await get(url)).headers.get("location"));
  await leadsToSignIn();

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwtFor = (claims: object) => {
    const signed = `${encoded({ alg: "HS256" })}.${encoded(claims)}`;
    return `${signed}.${createHmac("sha256", changed.body.privateKey).update(signed).digest("base64url")}`;
  };
  const now = Math.floor(Date.now() / 1000);
  const jwt = jwtFor({ exp: now + 600 });
  const entered = await get(`${url}?a=b&jwt_token=${jwt}`);
  expect([entered.status, entered.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
  expect(entered.headers.get("location")).toBe(`${new URL(url).pathname}?a=b`);
  const cookie = entered.headers.get("set-cookie")!;
  expect(cookie).toMatch(/^octavo-visitor-[\w-]{12}=[\w.-]+; Path=\/sites\/[^;]+\/; HttpOnly; SameSite=Lax$/);
  const asMember = { cookie: cookie.split(";", 1)[0]! };
  for (const at of [url, `${url}.md`, `${urls.published}llms.txt`, `${urls.published}nowhere`]) {
    const shown = await get(at, asMember);
    expect(shown.headers.get("cache-control"), at).toBe("private, no-store");
    expect(await shown.text(), at).toMatch(/Set up|const a = 1/);
  }
  const etag = (await get(url, asMember)).headers.get("etag")!;

  const left = await get(`${urls.published}~gitbook/auth/logout?location=set-up`, asMember);
  expect([left.status, left.headers.get("location")]).toEqual([302, new URL(url).pathname]);
  expect(left.headers.getSetCookie()).toContainEqual(`${cookie.replace(/=[^;]+/, "=")}; Max-Age=0`);
  const unknown = await get(`${urls.published}~octavo/auth/logout?location=set-up`);
  expect(unknown.headers.get("location")).toContain("location=set-up");

  // Whoever comes next proves something themselves, whatever is kept here and whatever they say they have.
  await leadsToSignIn();
  await leadsToSignIn({ "if-none-match": etag });
  await leadsToSignIn({ cookie: `${asMember.cookie}x` });
  await leadsToSignIn({ cookie: asMember.cookie.replace(jwt, jwtFor({ exp: now - 600 })) });
  for (const bad of [jwtFor({ exp: now - 600 }), `${jwt}x`]) {
    const refused = await get(`${url}?jwt_token=${bad}`);
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([404, null]);
  }
});

test("what is no token writes nothing into headers", async () => {
  for (const given of ["a; Path=/; Domain=example.com", "a.b.c\r\nx-evil: 1", "a,b=c", "%00", "é.é.é"]) {
    const { status, headers } = await get(`${address}?jwt_token=${encodeURIComponent(given)}`);
    expect([status, headers.get("set-cookie"), headers.get("x-evil")], given).toEqual([200, null, null]);
  }
  const moved = await get(`${address}Set-Up?a=%0d%0ax-evil:%201`);
  expect([moved.status, moved.headers.get("x-evil")]).toEqual([308, null]);
});

test("a site that is unlisted is kept from search engines, and one that is taken offline is gone within two seconds", async () => {
  const make = makerOf(call);
  await make("PATCH", `/orgs/${organization}/sites/${site}`, { visibility: "unlisted" });
  await eventually(async () => (await text(address)).includes('content="noindex"'));
  const { headers } = await get(address);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(await text(`${address}robots.txt`)).toBe("User-agent: *\nAllow: /\n");
  await make("POST", `/orgs/${organization}/sites/${site}/unpublish`);
  await eventually(async () => (await get(address)).status === 404);
  expect(await text(address)).not.toContain("Docs");
});
