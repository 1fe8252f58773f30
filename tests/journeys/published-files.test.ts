import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// Files of published pages lie at addresses that last, below the site, and whoever may not see the site gets none of them.

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR42mNkYGCAYgAAHgADYJqbBAAAAABJRU5ErkJggg==",
  "base64",
);

let call: Client;
let organization: string;
let space: string;
let site: string;
let address: string;

const path = () => `/orgs/${organization}/sites/${site}`;
const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url, { method, headers, redirect: "manual" });

async function change(changes: object[]) {
  const make = makerOf(call);
  const { id } = await make("POST", `/spaces/${space}/change-requests`, { subject: "Write" });
  await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  const make = makerOf(call);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Pictures" })).id;
  const files = [{ name: "pixel.png", base64: PIXEL.toString("base64"), ref: "pixel" }];
  const image = {
    object: "block",
    type: "image",
    isVoid: true,
    data: { ref: { kind: "file", file: "pixel" } },
  };
  await change([
    { operation: "insert_files", files },
    {
      operation: "insert_page",
      title: "Picture",
      document: {
        document: {
          object: "document",
          data: {},
          nodes: [{ object: "block", type: "images", data: {}, nodes: [image] }],
        },
      },
    },
  ]);
  site = (await make("POST", `/orgs/${organization}/sites`, { title: "Pictures", spaces: [space] })).id;
  const published = await call<{ urls: { published: string } }>("POST", `${path()}/publish`);
  address = published.body.urls.published;
  await eventually(async () => (await get(address)).status === 200);
});

const sourceOf = async (): Promise<string> => {
  const html = await (await get(address)).text();
  expect(html).not.toContain("/downloads/");
  const [, source = ""] = /<img[^>]* src="([^"]*~octavo\/files\/[^"]+)"/.exec(html) ?? [];
  return new URL(source, address).href;
};

test("a page names files at addresses that last: whole, in part, and 304 with the tag", async () => {
  const source = await sourceOf();
  expect(source).toMatch(/~octavo\/files\/[\w-]{43}\/pixel\.png$/);
  const whole = await get(source);
  expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(PIXEL)]).toEqual([200, true]);
  const { headers } = whole;
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(headers.get("content-type")).toBe("image/png");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect((await get(source, { "if-none-match": headers.get("etag")! })).status).toBe(304);
  const part = await get(source, { range: "bytes=1-3" });
  expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([
    206,
    "PNG",
    `bytes 1-3/${PIXEL.length}`,
  ]);
  const beyond = await get(source, { range: "bytes=1000-" });
  expect([beyond.status, beyond.headers.get("cache-control")]).toEqual([416, "no-store"]);
  const head = await get(source, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(PIXEL.length)]);
  const hash = source.split("/").at(-2)!;
  for (const wrong of [
    source.replace(hash, "A".repeat(43)),
    source.replace(hash, "x"),
    source.replace(hash, "%2e"),
  ])
    expect([400, 404]).toContain((await get(wrong)).status);
});

test("a renderer gets the same content at an address of the interface", async () => {
  const { body } = await call<{ apiToken: string }>("POST", "/urls/published", { url: address });
  const { items } = (
    await call.as(body.apiToken)<{ items: { downloadURL: string }[] }>(
      "GET",
      `/spaces/${space}/content/files`,
    )
  ).body;
  const got = await get(items[0]!.downloadURL);
  expect([got.status, (await got.arrayBuffer()).byteLength]).toEqual([200, PIXEL.length]);
  expect(got.headers.get("cache-control")).toContain("immutable");
});

test("whoever may not see the site gets no file of it, and what they saw stays with them", async () => {
  const make = makerOf(call);
  const source = await sourceOf();
  await make("PATCH", path(), { visibility: "share-link" });
  const link = await call<{ urls: { published: string } }>("POST", `${path()}/share-links`, {
    name: "Press",
  });
  const known = { "if-none-match": `"${source.split("/").at(-2)!}"` };
  for (const headers of [{}, known])
    await eventually(async () => (await get(source, headers)).status === 404);
  const withKey = source.replace(address, link.body.urls.published);
  const shown = await eventually(async () => {
    const got = await get(withKey);
    return got.status === 200 ? got : undefined;
  });
  expect(shown.headers.get("cache-control")).toBe("private, max-age=600");
  expect(Buffer.from(await shown.arrayBuffer()).equals(PIXEL)).toBe(true);
  await make("PATCH", path(), { visibility: "public" });
  await eventually(async () => (await get(source)).status === 200);
  await make("POST", `${path()}/unpublish`);
  await eventually(async () => (await get(source)).status === 404);
});
