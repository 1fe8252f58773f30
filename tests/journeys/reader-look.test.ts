import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { HANDBOOK, importFolder } from "../harness/furnish.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What the look and the structure of a site put around its pages.

let call: Client;
let make: ReturnType<typeof makerOf>;
let organization: string;
let space: string;
let site: string;
let address: string;

const text = async (url: string) => (await fetch(url)).text();
const change = async (more: object) => {
  const { body } = await call<object>("GET", `${site}/customization`);
  await make("PUT", `${site}/customization`, { ...body, ...more });
};

beforeAll(async () => {
  call = createClient(await sharedStack());
  make = makerOf(call);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Looks" })).id;
  await importFolder(call, space, HANDBOOK);
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title: "Looks", spaces: [space] });
  site = `/orgs/${organization}/sites/${id}`;
  address = (await make<{ urls: { published: string } }>("POST", `${site}/publish`)).urls.published;
  await eventually(async () => (await fetch(address)).status === 200);
});

test("links to other sites open in tabs of their own where the site sets that, those within it never", async () => {
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  const document = { markdown: "# Links\n\n[out](https://example.com/) [in](/first-steps/guides)\n" };
  const changes = [{ operation: "insert_page", title: "Links", document }];
  await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
  const out = /<a href="https:\/\/example\.com\/"([^>]*)>out/;
  const before = await eventually(async () => out.exec(await text(`${address}links`))?.[1]);
  expect(before).toBe(' rel="noopener"');
  await change({ externalLinks: { target: "blank" } });
  await eventually(
    async () => out.exec(await text(`${address}links`))?.[1]?.includes('target="_blank"'),
    5_000,
  );
  const html = await text(`${address}links`);
  expect(out.exec(html)?.[1]).toContain('rel="noopener"');
  for (const [link] of html.matchAll(/<a [^>]*href="\/[^>]*>/g)) expect(link).not.toContain("target=");
});

test("pages lead to where they are edited where the site shows that, and no longer than that", async () => {
  const edit = /<a href="([^"]*README\.md)"[^>]*>(?:(?!<\/a>).)*Edit/s;
  expect(edit.exec(await text(address))).toBeNull();
  await change({ git: { showEditLink: true } });
  const href = await eventually(async () => edit.exec(await text(address))?.[1]);
  expect(href).toMatch(/^https?:\/\/[^@?]+\/README\.md$/);
  await change({ git: { showEditLink: false } });
  await eventually(async () => !edit.test(await text(address)));
});

test("groups of sections open in the header, and mark which of their sections is shown", async () => {
  const other = (await make("POST", `/orgs/${organization}/spaces`, { title: "Crew" })).id;
  const section = await make("POST", `${site}/sections`, { spaceId: other, title: "Crew" });
  await make("POST", `${site}/section-groups`, { title: "Inside", sections: [section.id] });
  const header = async (url: string) => /<nav class="sections".*?<\/nav>/s.exec(await text(url))?.[0] ?? "";
  await eventually(async () => (await header(address)).includes("Inside"));
  const closed = await header(address);
  expect(closed).toMatch(/<details class="more-links"[^>]*><summary>Inside<\/summary>/);
  const crew = /<li><a href="([^"]*)">Crew<\/a><\/li>/.exec(closed)?.[1];
  expect(crew).toBeDefined();
  const open = await header(new URL(crew!, address).href);
  expect(open).toMatch(/<summary class="current">Inside<\/summary>/);
  expect(open).toMatch(/<a href="[^"]*" aria-current="true">Crew<\/a>/);
});

test("all that is below a page or a group is a list beside the pages, and cached as they are", async () => {
  const contents = `${address}~octavo/contents`;
  const all = await fetch(contents);
  const html = await all.text();
  const { pathname } = new URL(address);
  expect(html).toMatch(new RegExp(`<main.*<a href="${pathname}first-steps[^"]*"`, "s"));
  expect(all.headers.get("cache-control")).toBe((await fetch(address)).headers.get("cache-control"));
  const again = await fetch(contents, { headers: { "if-none-match": all.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  const below = await text(`${contents}?part=1&page=first-steps&page=nothing%20here`);
  expect(below).toMatch(
    new RegExp(`^<ul><li.*<a href="${pathname}first-steps/guides".*</ul><ul></ul>$`, "s"),
  );
  expect(await text(`${contents}?page=first-steps`)).toContain(`href="${pathname}first-steps/guides"`);
  expect((await fetch(`${contents}?page=nothing`)).status).toBe(404);
});
