import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { senderTo } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../library/audience/listeners.js";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { gitTest } from "./testing.js";

// Where the host of a repository shows commits, and files that are none of the space's.

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
const { repositoryOf, emptyRepository, run, send, edit, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const links = [
  "[out](../LICENSE#terms)",
  "[page](guide/one.md)",
  "[unlisted](guide/Über%20uns.md)",
  "[folder](../../src/)",
  "[file](data.csv)",
  "[web](https://example.com/)",
];
const source = {
  LICENSE: "Free.\n",
  "src/main.c": "int main;\n",
  "docs/LICENSE": "Free, too.\n",
  "docs/.gitbook.yaml": "root: ./pages/\n",
  "docs/pages/SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [One](guide/one.md)\n",
  "docs/pages/README.md": `# Home\n\n${links.join(" ")} [above](../../../x.md)\n`,
  "docs/pages/guide/one.md": "# One\n\n[up](../../../LICENSE) ![](gone.png)\n",
  "docs/pages/guide/Über uns.md": "# About us\n",
  "docs/pages/data.csv": "a,b\n",
};
const TREE = "https://host.example/acme/docs/tree/main";
const request = {
  repoProjectDirectory: "docs",
  repoTreeURL: `https://ada:hunter2@host.example/acme/docs/tree/main/?token=s3cret`,
  repoCommitURL: "https://ada:hunter2@host.example/acme/docs/commit/",
};

type Api = Pick<typeof admin, "content">;
async function addressesAt(spaceId: string, pagePath: string, api: Api = admin) {
  const page = await api.content.pageAtPath({ spaceId, pagePath, format: "document" });
  const found: string[] = [];
  JSON.stringify(page, (key, value) => {
    if (key === "ref") found.push(value.url ?? value.kind);
    return value;
  });
  return found;
}

const IN_THE_TREE = [
  `${TREE}/docs/LICENSE#terms`,
  "page",
  `${TREE}/docs/pages/guide/${encodeURIComponent("Über uns.md")}`,
  `${TREE}/src`,
  "file",
  "https://example.com/",
  "../../../x.md",
];
const AS_WRITTEN = [
  "../LICENSE#terms",
  "page",
  "guide/Über%20uns.md",
  "../../src/",
  "file",
  "https://example.com/",
  "../../../x.md",
];

test("links to files of the repository that are none of the space's lead to where its host shows them", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  expect(await run(spaceId, server.url, request)).toMatchObject({ state: "success" });
  expect(await addressesAt(spaceId, "readme")).toEqual(IN_THE_TREE);
  // What is shown and missing is missing.
  expect(await addressesAt(spaceId, "one")).toEqual([`${TREE}/LICENSE`, "gone.png"]);
  const page = await admin.content.pageAtPath({ spaceId, pagePath: "readme", format: "markdown" });
  expect(page).toMatchObject({ markdown: source["docs/pages/README.md"] });
  const empty = await emptyRepository();
  expect(await send(spaceId, empty.url, { repoProjectDirectory: "docs" })).toMatchObject({
    state: "success",
  });
  expect(await addressesAt(spaceId, "readme")).toEqual(IN_THE_TREE);
});

test("without a prefix, and once the sync has ended, such links are as they are written", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  await run(spaceId, server.url, { repoProjectDirectory: "docs" });
  expect(await addressesAt(spaceId, "readme")).toEqual(AS_WRITTEN);
  await run(spaceId, server.url, { ...request, force: true });
  expect(await addressesAt(spaceId, "readme")).toEqual(IN_THE_TREE);
  await admin.git.removeLegacyInstallation({ spaceId });
  expect(await addressesAt(spaceId, "readme")).toEqual(AS_WRITTEN);
});

test("links to where the host shows files are ok in the list of links, and broken without a prefix", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  await run(spaceId, server.url, { repoProjectDirectory: "docs" });
  const listed = async (status?: "ok" | "broken") => {
    const { items, count, stats } = await admin.links.list({ spaceId, status });
    const urls = items.flatMap(({ targetReference }) =>
      targetReference?.kind === "url" ? [targetReference.url] : [],
    );
    return { urls: urls.sort(), count, broken: stats.broken.total };
  };
  const missing = ["../../../x.md", "gone.png"];
  const hosted = ["../LICENSE#terms", "guide/Über%20uns.md", "../../src/", "../../../LICENSE"];
  const without = await listed("broken");
  expect(without).toEqual({ urls: [...missing, ...hosted].sort(), count: 6, broken: 6 });
  await run(spaceId, server.url, { ...request, force: true });
  expect(await listed("broken")).toEqual({ urls: missing, count: 2, broken: 2 });
  const { urls, count } = await listed("ok");
  expect(urls).toEqual(
    [`${TREE}/LICENSE`, ...IN_THE_TREE.filter((address) => address.startsWith("http"))].sort(),
  );
  expect(count).toBe(urls.length + 2);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const more = { operation: "insert_page" as const, title: "More", document: { markdown: "[x](LICENSE)\n" } };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [more] });
  const ofRequest = await admin.changeRequestLinks.list({ spaceId, changeRequestId });
  expect(ofRequest.stats.broken).toEqual({ total: 3, changeRequest: 1 });
  await admin.git.removeLegacyInstallation({ spaceId });
  expect(await listed("broken")).toEqual(without);
});

test("a page with such links is read again each time, since a sync that ends makes no revision; others are kept", async () => {
  const server = await repositoryOf({ ...source, "docs/pages/guide/one.md": "# One\n" });
  const spaceId = await t.space();
  await run(spaceId, server.url, request);
  const address = await t.serve(router);
  const user = t.user({ acme: "admin" }, { id: "ada" });
  const tagAt = async (path: string) => {
    const read = senderTo(address, () => t.sign(user));
    const { status, headers } = await read(
      "GET",
      `/v1/spaces/${spaceId}/content/path/${path}?format=document`,
    );
    expect(status).toBe(200);
    return headers.get("etag");
  };
  expect(await tagAt("readme")).toBeNull();
  expect(await tagAt("one")).not.toBeNull();
  await admin.git.removeLegacyInstallation({ spaceId });
  expect(await tagAt("readme")).not.toBeNull();
});

test("blocks keep their keys, wherever their links lead", async () => {
  const server = await repositoryOf(source);
  const keysOf = async (over: object) => {
    const spaceId = await t.space();
    await run(spaceId, server.url, { repoProjectDirectory: "docs", ...over });
    const page = await admin.content.pageAtPath({ spaceId, pagePath: "readme", format: "document" });
    return [...JSON.stringify(page).matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key);
  };
  const keys = await keysOf(request);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys).toEqual(await keysOf({}));
});

test("visitors are led to the repository where the site consents to that, and not elsewhere", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  await run(spaceId, server.url, request);
  const site = newId("site");
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: [{ space: spaceId, visibility: "share-link", url: `http://sites.test/${site}/` }],
  });
  const { revision } = await admin.spaces.get({ spaceId });
  const visitor = (over: Partial<ReaderCaller>) =>
    t.call({
      kind: "reader",
      organization: "acme",
      site,
      epoch: 0,
      space: spaceId,
      revision,
      token: newId(),
      ...over,
    } as ReaderCaller);
  expect(await addressesAt(spaceId, "readme", visitor({ editLink: true }))).toEqual(IN_THE_TREE);
  expect(await addressesAt(spaceId, "readme", visitor({}))).toEqual(AS_WRITTEN);
});

test("commits lead to where the host shows them, from revisions that came in and those that went out", async () => {
  const server = await repositoryOf(source);
  const spaceId = await t.space();
  await run(spaceId, server.url, request);
  const { git } = await admin.content.revision({ spaceId });
  expect(git).toMatchObject({
    createdByService: false,
    ref: "refs/heads/main",
    url: `https://host.example/acme/docs/commit/${git!.oid}`,
  });
  const { id: page } = await admin.content.pageAtPath({ spaceId, pagePath: "one" });
  await edit(spaceId, [{ operation: "update_page", page, document: { markdown: "# One\n\nMore.\n" } }]);
  await send(spaceId, server.url, request);
  const sent = (await admin.content.revision({ spaceId })).git;
  expect(sent).toMatchObject({
    createdByService: true,
    url: `https://host.example/acme/docs/commit/${sent!.oid}`,
  });
  expect(sent!.oid).not.toBe(git!.oid);
  const { pages, files } = await admin.content.revision({ spaceId });
  expect(pages[1]).toMatchObject({
    git: { path: "guide/one.md", oid: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
  expect(files).toMatchObject([{ git: { path: "data.csv", oid: expect.stringMatching(/^[0-9a-f]{40}$/) } }]);
  expect(JSON.stringify(await admin.git.info({ spaceId }))).not.toContain("hunter2");
});
