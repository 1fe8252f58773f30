import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

const handbook = resolve(import.meta.dirname, "../fixtures/handbook");

let stack: SharedStack;
let repository: GitServer;
let tunnel: Tunnel;
let call: Client;
let organization: string;
let space: string;

interface Page {
  id: string;
  title: string;
  path: string;
  type: string;
  pages?: Page[];
}

beforeAll(async () => {
  [stack, repository, tunnel] = await Promise.all([sharedStack(), serveRepository(handbook), openTunnel()]);
  call = createClient(stack);
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  organization = body.items[0]!.id;
});
afterAll(async () => {
  await Promise.allSettled([repository?.close(), tunnel?.close()]);
});

const titled = (pages: Page[]): unknown[] =>
  pages.map(({ title, path, pages = [] }) =>
    pages.length > 0 ? [title, path, titled(pages)] : [title, path],
  );

test("GET /v1/ returns version and build, and GET /user the caller", async () => {
  expect((await call("GET", "/")).body).toEqual({ version: expect.any(String), build: expect.any(String) });
  expect((await call("GET", "/user")).body).toMatchObject({
    object: "user",
    displayName: expect.any(String),
  });
  expect((await call.as(undefined)("GET", "/user")).status).toBe(401);
});

test("a documentation repository comes in by git with its pages in order and every byte in place", async () => {
  const created = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Handbook" });
  expect(created.status).toBe(201);
  space = created.body.id;
  const started = await call("POST", `/spaces/${space}/git/import`, {
    url: repository.url,
    ref: "refs/heads/main",
  });
  expect(started.status).toBe(204);
  const operation = await eventually(async () => {
    const { body } = await call<{ operation: { state: string; error?: string } }>(
      "GET",
      `/spaces/${space}/git/info`,
    );
    return body.operation.state !== "running" && body.operation;
  });
  expect(operation).toMatchObject({ state: "success" });

  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  expect(titled(body.pages)).toEqual([
    ["Welcome", "readme"],
    ["Changes & plans", "changes_and_plans"],
    [
      "First steps",
      "first-steps",
      [
        [
          "Guides",
          "first-steps/guides",
          [
            ["Write a page", "first-steps/guides/write-a-page"],
            ["Add an image", "first-steps/guides/add-an-image"],
          ],
        ],
        ["Project site", undefined],
      ],
    ],
    ["参考", "reference", [["資料庫", "reference/database"]]],
  ]);
  const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
  for (const { id, type } of flat(body.pages)) {
    if (type !== "document") continue;
    const page = await call<{ markdown: string; git: { path: string } }>(
      "GET",
      `/spaces/${space}/content/page/${id}`,
    );
    expect(page.body.markdown).toBe(await readFile(join(handbook, page.body.git.path), "utf8"));
  }
});

test("its assets come along, and their downloads work without a bearer", async () => {
  const { body } = await call<{ items: { name: string; downloadURL: string }[] }>(
    "GET",
    `/spaces/${space}/content/files`,
  );
  expect(body.items).toMatchObject([
    { name: "dot.png", contentType: "image/png", dimensions: { width: 2, height: 3 } },
  ]);
  const download = await fetch(body.items[0]!.downloadURL);
  expect(download.status).toBe(200);
  const bytes = Buffer.from(await download.arrayBuffer());
  expect(bytes.equals(await readFile(join(handbook, ".gitbook/assets/dot.png")))).toBe(true);
  expect((await fetch(body.items[0]!.downloadURL.replace(/downloads\/./, "downloads/_"))).status).toBe(404);
});

test("a page is read by its path, edited in a change request, merged, and found by the search", async () => {
  const path = encodeURIComponent("first-steps/guides/write-a-page");
  const page = await call<{ id: string; markdown: string }>("GET", `/spaces/${space}/content/path/${path}`);
  expect(page.status).toBe(200);
  const opened = await call<{ id: string; number: number }>("POST", `/spaces/${space}/change-requests`, {
    subject: "Lamps",
  });
  expect(opened.body).toMatchObject({ number: 1, status: "draft" });
  expect(opened.headers.get("location")).toBe(
    `${stack.base}/v1/spaces/${space}/change-requests/${opened.body.id}`,
  );
  const markdown = page.body.markdown.replace("Keep the lamp clean.", "Polish the periscope.");
  const edited = await call("POST", `/spaces/${space}/change-requests/1/content`, {
    changes: [{ operation: "update_page", page: page.body.id, document: { markdown } }],
  });
  expect(edited.status).toBe(200);
  const inside = await call<{ markdown: string }>(
    "GET",
    `/spaces/${space}/change-requests/1/content/page/${page.body.id}`,
  );
  expect(inside.body.markdown).toBe(markdown);
  const found = async () =>
    (await call<{ count: number }>("GET", `/spaces/${space}/search?query=periscope`)).body.count;
  expect(await found()).toBe(0);
  expect((await call("POST", `/spaces/${space}/change-requests/1/merge`)).body).toMatchObject({
    result: "merge",
  });
  expect(await found()).toBe(1);
  const everywhere = await call("GET", `/orgs/${organization}/search?query=${encodeURIComponent("資料庫")}`);
  expect(everywhere.body).toMatchObject({ items: [{ id: space, pages: [{ title: "資料庫" }] }] });
});

test("the space is published on a site, and shows it", async () => {
  const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [space],
  });
  expect(site).toMatchObject({ status: 201, body: { published: false, siteSpaces: 1 } });
  const base = `/orgs/${organization}/sites/${site.body.id}`;
  expect((await call("GET", `${base}/published`)).status).toBe(404);
  expect((await call("POST", `${base}/publish`)).body).toMatchObject({ published: true });
  const profile = await call("GET", `${base}/published`);
  expect(profile.body).toMatchObject({
    object: "published-content-site",
    structure: { structure: [{ space: { id: space } }] },
  });
  await eventually(async () => {
    const { body } = await call<{ visibility: string; urls: { published?: string } }>(
      "GET",
      `/spaces/${space}`,
    );
    return body.visibility === "public" && body.urls.published;
  });
});

test("an installed integration receives events, through its development tunnel", async () => {
  const integration = {
    title: "Watcher",
    description: "Sees what happens",
    scopes: ["space:content:read"],
    runtime: "v2",
    script: "export default {}",
    organization,
  };
  expect((await call("POST", "/integrations/watcher", integration)).status).toBe(200);
  expect((await call("PUT", "/integrations/watcher/dev", { tunnelUrl: tunnel.url })).status).toBe(204);
  const installed = await call<{ id: string }>("POST", "/integrations/watcher/installations", {
    organization,
  });
  expect(installed).toMatchObject({ status: 201, body: { status: "active" } });
  const delivery = await eventually(async () => tunnel.received[0]);
  expect(delivery).toMatchObject({
    event: { type: "installation_setup", status: "active", installationId: installed.body.id },
    environment: { apiEndpoint: stack.base, integration: { name: "watcher" } },
  });
  const recorded = await eventually(async () => {
    const { body } = await call<{ items: { id: string; status: string }[] }>(
      "GET",
      "/integrations/watcher/events",
    );
    return body.items.find(({ status }) => status === "success");
  });
  const one = await call("GET", `/integrations/watcher/events/${recorded.id}`);
  expect(one.body).toMatchObject({
    event: { payload: { type: "installation_setup" } },
    trace: { logs: expect.any(Array) },
  });
});

test("a later commit changes what it touched and nothing else; ids stay", async () => {
  const before = (await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`)).body.pages;
  const { writeFile } = await import("node:fs/promises");
  await writeFile(join(repository.folder, "guides/README.md"), "# Guides\n\nThree of them.\n");
  await repository.commit("Count again");
  await call("POST", `/spaces/${space}/git/import`, { url: repository.url, ref: "refs/heads/main" });
  await eventually(async () => {
    const { body } = await call<{ operation: { state: string } }>("GET", `/spaces/${space}/git/info`);
    return body.operation.state === "success";
  });
  const after = (await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`)).body.pages;
  const ids = (pages: Page[]): string[] => pages.flatMap(({ id, pages = [] }) => [id, ...ids(pages)]);
  expect(ids(after)).toEqual(ids(before));
  const { body } = await call<{ markdown: string }>(
    "GET",
    `/spaces/${space}/content/path/first-steps/guides`,
  );
  expect(body.markdown).toContain("Three of them.");
});
