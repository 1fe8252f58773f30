import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What a site shows in a browser depends on what its visitors claim, and on previews: of what one is shown nothing
// reaches another.

let call: Client;
let site: string;
let address: string;

const get = (url: string, cookie?: string) =>
  fetch(url, { headers: cookie === undefined ? {} : { cookie }, redirect: "manual" });
/** What is not shown to everybody that a page names. */
const namedIn = (html: string) =>
  ["Trial link", "Trial section", "Trial page"].filter((one) => html.includes(one));

interface Look {
  header: { links: object[] };
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  const make = makerOf(call);
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const org = `/orgs/${body.items[0]!.id}`;
  const condition = "visitor.claims.unsigned.trial";
  const [guide, trial] = await Promise.all(
    ["Guide", "Trial section"].map(async (title) => {
      const { id } = await make("POST", `${org}/spaces`, { title });
      const one = `/spaces/${id}/change-requests/${(await make("POST", `/spaces/${id}/change-requests`, {})).id}`;
      const page = (title: string, more = {}) => ({
        operation: "insert_page",
        title,
        ...more,
        document: { markdown: `# ${title}\n` },
      });
      await make("POST", `${one}/content`, { changes: [page("Welcome"), page("Trial page", { condition })] });
      await make("POST", `${one}/merge`);
      return id;
    }),
  );
  site = `${org}/sites/${(await make("POST", `${org}/sites`, { title: "Claims", spaces: [guide] })).id}`;
  const jsonSchema = {
    type: "object",
    properties: {
      unsigned: {
        type: "object",
        description: "Unsigned claims of the site visitor.",
        properties: { trial: { type: "boolean", description: "Whether this is a trial." } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
  await make("PUT", `${site}/adaptive-schema`, { jsonSchema });
  await make("PATCH", site, { adaptiveContent: { enabled: true } });
  const section = await make("POST", `${site}/sections`, { spaceId: trial });
  await make("PATCH", `${site}/sections/${section.id}`, { condition });
  const look = (await call<Look>("GET", `${site}/customization`)).body;
  const link = { title: "Trial link", to: { kind: "url", url: "https://example.com" }, links: [], condition };
  await make("PUT", `${site}/customization`, { ...look, header: { ...look.header, links: [link] } });
});

/** Where a preview is seen by these claims, and the cookie by which it is. */
async function previewed(claims: string) {
  const { body } = await call<{ url: string }>("GET", `${site}/publishing/preview?claims=${claims}`);
  const { status, headers } = await get(body.url);
  expect([status, headers.get("cache-control")]).toEqual([302, "private, no-store"]);
  const url = new URL(headers.get("location")!, body.url).href;
  expect(url).not.toContain("token");
  return { url, cookie: headers.get("set-cookie")!.split(";", 1)[0]! };
}

test("a preview shows a site that is not published, as to a visitor with its claims, from page to page", async () => {
  const { url, cookie } = await previewed("(unsigned:(trial:!t))");
  expect((await get(url)).status).toBe(404);
  expect((await get(url, `${cookie}x`)).status).toBe(404);
  const shown = await get(url, cookie);
  expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  const html = await shown.text();
  expect(html).toContain('<meta name="robots" content="noindex"');
  expect(namedIn(html)).toEqual(["Trial link", "Trial section", "Trial page"]);
  for (const path of ["trial-page", "trial-section/", "trial-section/trial-page"])
    expect((await get(url + path, cookie)).status, path).toBe(200);
  expect((await get(`${url}nowhere`, cookie)).status).toBe(404);
  expect((await get(`${url}~octavo/search?q=trial`, cookie)).status).toBe(200);
  const plain = await previewed("()");
  const other = await get(plain.url, plain.cookie);
  expect([other.status, namedIn(await other.text())]).toEqual([200, []]);
  expect((await get(`${plain.url}trial-page`, plain.cookie)).status).toBe(404);
});

test("what an address claims is shown, kept for the next ones, and never sent to others", async () => {
  const make = makerOf(call);
  address = (await make<{ urls: { published: string } }>("POST", `${site}/publish`)).urls.published;
  await eventually(async () => (await get(address)).status === 200);
  const forEverybody = async () => {
    const { status, headers } = await get(address);
    expect([status, headers.get("set-cookie")]).toEqual([200, null]);
    expect(headers.get("cache-control")).toMatch(/^public/);
    expect(namedIn(await (await get(address)).text())).toEqual([]);
  };
  await forEverybody();
  const claimed = await get(`${address}?visitor.trial=true`);
  expect([claimed.status, claimed.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(namedIn(await claimed.text())).toEqual(["Trial link", "Trial section", "Trial page"]);
  const cookie = claimed.headers.get("set-cookie")!;
  expect(cookie).toMatch(/^octavo-claims-[\w-]{12}=[\w-]+; Path=\/sites\/[^;]+\/; HttpOnly; SameSite=Lax$/);
  const trial = `${address}trial-section/trial-page`;
  for (const brought of [cookie.split(";", 1)[0]!, 'gitbook-visitor-public={"trial":true}']) {
    const { status, headers } = await get(trial, brought);
    expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  }
  expect((await get(trial)).status).toBe(404);
  expect((await get(trial, 'gitbook-visitor-public={"trial":false}')).status).toBe(404);
  await forEverybody();
  const unknown = await get(`${address}?visitor.other=true`);
  expect([unknown.status, unknown.headers.get("set-cookie")]).toEqual([200, null]);
  const takenBack = await get(`${address}?visitor.trial=undefined`, cookie.split(";", 1)[0]!);
  expect(takenBack.headers.get("set-cookie")).toContain("=; Path=/sites/");
  expect(namedIn(await takenBack.text())).toEqual([]);
});
