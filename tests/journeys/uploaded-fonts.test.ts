import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// A font comes in through the gateway, is named by its key, and readers of a site that is set in it load it.

const BYTES = "wOF2\0\x01\0\0journey";

interface Font {
  id: string;
  fontFaces: { weight: number; sources: { url: string; format: string }[] }[];
  permissions?: object;
}

let call: Client;
let base: string;
let organization: string;
beforeAll(async () => {
  const stack = await sharedStack();
  base = stack.base;
  call = createClient(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});

async function uploaded(bytes: string) {
  const file = { name: "journey.woff2", type: "font/woff2", size: bytes.length };
  const asked = { kind: "customization_font", file };
  const { status, body } = await call<{ object: string; url: string; key: string }>(
    ...(["POST", `/orgs/${organization}/storage/upload`, asked] as const),
  );
  expect([status, Object.keys(body).toSorted(), body.object]).toEqual([
    201,
    ["key", "object", "url"],
    "storage-signed-url",
  ]);
  const put = await call.as(undefined).send("PUT", body.url, { "content-type": "font/woff2" }, bytes);
  expect([put.status, body.url.startsWith(`${base}/v1/`)]).toEqual([204, true]);
  return body.key;
}

test("a font is uploaded, named by its key, and loaded by readers of a site from a lasting address", async () => {
  const make = makerOf(call);
  const storageKey = await uploaded(BYTES);
  const named = { fontFamily: "Journey Sans", fontFaces: [{ weight: 400, storageKey }] };
  const { permissions: _, ...font } = await make<Font>("PUT", `/orgs/${organization}/fonts`, named);
  const { url, format } = font.fontFaces[0]!.sources[0]!;
  expect([format, url.startsWith(`${base}/v1/orgs/${organization}/storage/files/`)]).toEqual(["woff2", true]);
  const served = await fetch(url);
  expect([served.status, await served.text()]).toEqual([200, BYTES]);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    // Browsers load fonts of another origin with these alone.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "content-type": "font/woff2",
    "cache-control": "public, max-age=31536000, immutable",
  });

  const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Set" })).id;
  const siteOf = { title: "Set", spaces: [space] };
  const site = `/orgs/${organization}/sites/${(await make("POST", `/orgs/${organization}/sites`, siteOf)).id}`;
  const look = await make<{ styling: object }>("GET", `${site}/customization`);
  await make("PUT", `${site}/customization`, { ...look, styling: { ...look.styling, font } });
  const { urls } = await make<{ urls: { published: string } }>("POST", `${site}/publish`);
  const page = await eventually(async () => {
    const got = await fetch(urls.published);
    const html = await got.text();
    return html.includes(url) ? { html, policy: got.headers.get("content-security-policy") } : undefined;
  });
  expect(page.html).toContain("Journey Sans");
  expect(page.policy).toMatch(new RegExp(`font-src 'self'[^;]* ${new URL(url).origin}`));
});

test("a key of another organization is 412, and so is one of an upload that never came in", async () => {
  const storageKey = await uploaded(`${BYTES} of another`);
  const other = (await makerOf(call)("POST", "/orgs", { title: "Other fonts" })).id;
  const put = (organization: string, key: string) =>
    call("PUT", `/orgs/${organization}/fonts`, {
      fontFamily: "Taken",
      fontFaces: [{ weight: 400, storageKey: key }],
    });
  expect((await put(other, storageKey)).status).toBe(412);
  expect((await put(organization, `${storageKey}x`)).status).toBe(412);
  expect((await put(organization, storageKey)).status).toBe(201);
});
