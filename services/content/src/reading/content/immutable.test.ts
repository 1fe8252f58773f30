import { senderTo } from "@octavo/shared/testing/service";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

const ada = t.user({ acme: "admin" }, { id: "ada" });
const rob = t.user({ acme: "read" }, { id: "rob" });
const admin = t.call(ada);
let address: string;
const as = (caller: typeof ada) => senderTo(address, () => t.sign(caller));
beforeAll(async () => {
  address = await t.serve(router);
});

async function spaceWithPage() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const change = {
    operation: "insert_page" as const,
    title: "Guide",
    document: { markdown: "Text of {{space.vars.a}}" },
  };
  const file = { name: "a.txt", base64: Buffer.from("a").toString("base64") };
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [change, { operation: "insert_files", files: [file] }],
  });
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  const { revision: revisionId } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  return { spaceId, revisionId, pageId: pages[0]!.id, changeRequestId };
}

const reads = ({ pageId }: { pageId: string }) => [
  "/pages",
  `/page/${pageId}`,
  `/page/${pageId}?format=document&evaluated=true`,
  `/page/${pageId}/document`,
  "/path/guide",
];

test("the content of a revision has a strong tag and may be kept for good; a request with the tag is 304", async () => {
  const at = await spaceWithPage();
  const base = `/v1/spaces/${at.spaceId}/revisions/${at.revisionId}`;
  const seen = new Set<string>();
  for (const path of reads(at)) {
    const first = await as(ada)("GET", base + path);
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(first.headers.get("vary")).toBe("authorization");
    seen.add(etag);
    for (const tags of [etag, `"other", ${etag}`, `W/${etag}`]) {
      const again = await as(ada)("GET", base + path, undefined, { "if-none-match": tags });
      expect([path, tags, again.status, again.body]).toEqual([path, tags, 304, undefined]);
      expect(again.headers.get("etag")).toBe(etag);
    }
    const other = await as(ada)("GET", base + path, undefined, { "if-none-match": '"other"' });
    expect([other.status, other.headers.get("etag"), other.body]).toEqual([200, etag, first.body]);
    // All who may read the space read the same.
    expect((await as(rob)("GET", base + path)).headers.get("etag")).toBe(etag);
  }
  expect(seen.size).toBe(reads(at).length);
});

test("a revision whose place is known takes one query to be 304, and one of another space stays 404", async () => {
  const at = await spaceWithPage();
  const read = (api: ReturnType<typeof t.call>, spaceId = at.spaceId) =>
    api.revisionContent.pageDocument({ spaceId, revisionId: at.revisionId, pageId: at.pageId });
  const [first, second] = [await t.queriesOf(ada, read), await t.queriesOf(ada, read)];
  expect(first - second).toBe(1);
  const other = await spaceWithPage();
  for (let time = 0; time < 2; time += 1)
    await expect(read(admin, other.spaceId)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("304 is returned without reading a text, and only to callers who may read the space", async () => {
  const at = await spaceWithPage();
  const path = `/v1/spaces/${at.spaceId}/revisions/${at.revisionId}/page/${at.pageId}/document`;
  const etag = (await as(ada)("GET", path)).headers.get("etag")!;
  // Whoever reads them now fails.
  await sql`delete from entry where branch = ${at.spaceId}`.execute(t.db);
  await sql`delete from body where space = ${at.spaceId}`.execute(t.db);
  expect((await as(ada)("GET", path, undefined, { "if-none-match": etag })).status).toBe(304);
  expect((await as(ada)("GET", `${path}?evaluated=true`)).status).toBe(404);
  const stranger = t.user({ beta: "admin" }, { id: "eve" });
  const refused = await as(stranger)("GET", path, undefined, { "if-none-match": etag });
  expect(refused.status).toBe(404);
});

test("current content has a tag too, and is revalidated: the tag changes with the revision", async () => {
  const at = await spaceWithPage();
  const space = `/v1/spaces/${at.spaceId}`;
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId: at.spaceId });
  for (const base of [`${space}/content`, `${space}/change-requests/${changeRequestId}/content`]) {
    for (const path of reads(at)) {
      for (const caller of [ada, ada, rob]) {
        const first = await as(caller)("GET", base + path);
        const etag = first.headers.get("etag")!;
        expect([path, first.status, first.headers.get("cache-control")]).toEqual([
          path,
          200,
          "private, no-cache",
        ]);
        const again = await as(caller)("GET", base + path, undefined, { "if-none-match": etag });
        expect([path, again.status]).toEqual([path, 304]);
      }
    }
  }
  const paths = reads(at).map((path) => `${space}/content${path}`);
  const before = await Promise.all(paths.map((path) => as(ada)("GET", path)));
  const change = { operation: "update_page" as const, page: at.pageId, title: "Guide 2" };
  await admin.changeRequests.edit({ spaceId: at.spaceId, changeRequestId, changes: [change] });
  await admin.changeRequests.merge({ spaceId: at.spaceId, changeRequestId });
  for (const [index, path] of paths.entries()) {
    const etag = before[index]!.headers.get("etag")!;
    const after = await as(ada)("GET", path, undefined, { "if-none-match": etag });
    expect([path, after.status]).toEqual([path, 200]);
    expect(after.headers.get("etag")).not.toBe(etag);
  }
  const tree = await as(ada)("GET", `${space}/content/pages`);
  expect(tree.body).toMatchObject({ pages: [{ id: at.pageId, title: "Guide 2" }] });
});

test("a tree that is kept as bytes is the tree of the revision, with and without metadata", async () => {
  const at = await spaceWithPage();
  for (const query of ["", "?metadata=false"]) {
    const path = `/v1/spaces/${at.spaceId}/content/pages${query}`;
    const responses = [];
    for (let round = 0; round < 3; round++) responses.push((await as(ada)("GET", path)).body);
    const made = await admin.content.pages({ spaceId: at.spaceId, metadata: query === "" });
    for (const response of responses) expect(response).toEqual(JSON.parse(JSON.stringify(made)));
  }
});

test("the whole content is kept as bytes while the revision, what is said of it and the addresses of its files stay", async () => {
  const at = await spaceWithPage();
  const path = `/v1/spaces/${at.spaceId}/content`;
  const responses = [];
  for (const caller of [ada, ada, rob, rob]) responses.push(await as(caller)("GET", path));
  const made = JSON.parse(JSON.stringify(await admin.content.revision({ spaceId: at.spaceId })));
  for (const { body, headers } of responses) {
    expect(body).toEqual(made);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const etag = headers.get("etag")!;
    expect((await as(rob)("GET", path, undefined, { "if-none-match": etag })).status).toBe(304);
  }
  const etag = responses[0]!.headers.get("etag")!;
  const asked = () => as(ada)("GET", path, undefined, { "if-none-match": etag });
  // A site shows the space, which makes no revision.
  const url = "https://docs.example/";
  await sql`insert into audience (site, space, visibility, url)
    values ('s1', ${at.spaceId}, 'public', ${url})`.execute(t.db);
  const shown = await asked();
  expect([shown.status, shown.body]).toEqual([
    200,
    { ...made, urls: { ...made.urls, published: url, public: url } },
  ]);
  await sql`delete from audience where space = ${at.spaceId}`.execute(t.db);
  expect((await asked()).status).toBe(304);
  t.clock.now = () => new Date(Date.now() + 3_600_000);
  const later = await asked();
  t.clock.now = () => new Date();
  expect(later.status).toBe(200);
  const { files } = later.body as unknown as typeof made;
  expect(files[0].downloadURL).not.toBe(made.files[0].downloadURL);
});

test("who may not read the space gets nothing of what is kept of it", async () => {
  const at = await spaceWithPage();
  const path = `/v1/spaces/${at.spaceId}/content`;
  const { headers } = await as(ada)("GET", path);
  await as(ada)("GET", path);
  const eve = t.user({ beta: "admin" }, { id: "eve" });
  const tag = { "if-none-match": headers.get("etag")! };
  expect((await as(eve)("GET", path, undefined, tag)).status).toBe(404);
  expect((await as(eve)("GET", path)).status).toBe(404);
});

test("what expires, holds what goes on around it or is refused has no tag", async () => {
  const at = await spaceWithPage();
  const space = `/v1/spaces/${at.spaceId}`;
  for (const path of [
    `${space}/content/files`,
    `${space}/content/page/unknown`,
    `${space}/revisions/${at.revisionId}/files`,
    `${space}/revisions/${at.revisionId}/page/unknown`,
  ]) {
    const response = await as(ada)("GET", path, undefined, { "if-none-match": "*" });
    expect([path, response.status !== 304, response.headers.get("etag")]).toEqual([path, true, null]);
  }
});
