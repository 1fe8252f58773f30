import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { createHttpServer } from "@octavo/shared/http";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { router } from "../../router.js";
import { hashOf } from "../../store/bodies.js";
import { contentTest } from "../../testing/content.js";
import { publishedFileRoute } from "./download.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" }, { id: "ada" });
let later = 0;
const clock = () => new Date(Date.now() + later);
const { verifier } = testKeys("gateway");
const api = await listen(
  createHttpServer({
    name: "content",
    version: "0",
    router,
    verifier,
    base: t.ctx,
    unready: async () => [],
    rawRoutes: [publishedFileRoute(() => ({ ...t.ctx, clock }))],
    log: t.ctx.log,
  }),
);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await api.close();
  await t.drop();
});

const change = async (
  spaceId: string,
  changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"],
) => {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  return { merge: () => admin.changeRequests.merge({ spaceId, changeRequestId }) };
};
const insertion = (name: string, content: string) => ({
  operation: "insert_files" as const,
  files: [{ name, base64: Buffer.from(content).toString("base64") }],
});
const show = (
  site: string,
  spaces: string[],
  visibility = "public",
  conditions?: string[],
  revision?: string,
) =>
  deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: spaces.map((space) => ({
      space,
      visibility,
      url: `http://sites.test/${space}/`,
      ...(conditions && { conditions }),
      ...(revision && { revision }),
    })),
  });

async function shownSpace(content: string, name = "a b.txt") {
  const spaceId = await t.space();
  const site = newId("site");
  await (await change(spaceId, [insertion(name, content)])).merge();
  await show(site, [spaceId]);
  const { revision } = await admin.spaces.get({ spaceId });
  const { items } = await admin.content.files({ spaceId });
  const caller: ReaderCaller = {
    kind: "reader",
    organization: "acme",
    site,
    epoch: 0,
    space: spaceId,
    revision,
    token: newId(),
  };
  return { spaceId, site, revision, fileId: items[0]!.id, visitor: t.call(caller) };
}

const pathOf = (spaceId: string, content: string, name = "a%20b.txt") =>
  `/v1/spaces/${spaceId}/files/${hashOf(content)}/${name}`;
const get = (path: string, headers: Record<string, string> = {}) => api.send("GET", path, { headers });
const statusOf = async (path: string) => (await get(path)).status;

test("a file of a public space has a lasting address by its content, which renderers are given", async () => {
  const { spaceId, revision, visitor, fileId } = await shownSpace("published");
  const path = pathOf(spaceId, "published");
  const { files } = await visitor.revisionContent.revision({ spaceId, revisionId: revision });
  const listed = await visitor.content.files({ spaceId });
  const one = await visitor.revisionContent.file({ spaceId, revisionId: revision, fileId });
  for (const { downloadURL } of [...files, ...listed.items, one])
    expect(downloadURL).toBe(`http://octavo.test${path}`);
  const { status, text, headers } = await get(path);
  expect([status, text]).toEqual([200, "published"]);
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "content-type": "text/plain",
    etag: `"${hashOf("published")}"`,
  });
  expect((await get(path, { "if-none-match": headers.etag! })).status).toBe(304);
  expect((await get(path, { range: "bytes=0-2" })).text).toBe("pub");
  expect((await visitor.publishedFiles.list({ spaceId, revisionId: revision })).items).toEqual([
    { id: fileId, hash: hashOf("published") },
  ]);
});

test("members get signed addresses as before, and so do visitors of what is not for everybody", async () => {
  const { spaceId, site, revision, visitor } = await shownSpace("signed");
  expect((await admin.content.files({ spaceId })).items[0]!.downloadURL).toContain("/downloads/");
  for (const visibility of ["share-link", "visitor-auth"]) {
    await show(site, [spaceId], visibility);
    const { files } = await visitor.revisionContent.revision({ spaceId, revisionId: revision });
    expect(files[0]!.downloadURL, visibility).toContain("/downloads/");
  }
});

test("an address is good while a site shows the space to everybody, and no longer", async () => {
  const { spaceId, site } = await shownSpace("seen");
  const path = pathOf(spaceId, "seen");
  const audiences: [string, string[] | undefined, number][] = [
    ["unlisted", undefined, 200],
    ["share-link", undefined, 404],
    ["visitor-auth", undefined, 404],
    ["visitor-auth", ["visitor.claims.beta"], 404],
    ["public", undefined, 200],
  ];
  for (const [visibility, conditions, status] of audiences) {
    await show(site, [spaceId], visibility, conditions);
    expect(await statusOf(path), visibility).toBe(status);
  }
  await admin.spaces.remove({ spaceId });
  expect(await statusOf(path)).toBe(404);
  await admin.spaces.restore({ spaceId });
  await show(site, []);
  expect(await statusOf(path)).toBe(404);
});

test("a content is found in the space that has it alone: not in others, not in change requests, not by a wrong hash", async () => {
  const { spaceId } = await shownSpace("mine");
  const other = await shownSpace("other");
  const hidden = await t.space();
  await (await change(hidden, [insertion("a b.txt", "hidden")])).merge();
  await change(spaceId, [insertion("a b.txt", "draft")]);
  for (const [space, content] of [
    [spaceId, "other"],
    [other.spaceId, "mine"],
    [spaceId, "hidden"],
    [hidden, "hidden"],
    [spaceId, "draft"],
    ["unknown", "mine"],
  ] as const)
    expect(await statusOf(pathOf(space, content)), `${space} ${content}`).toBe(404);
  for (const hash of ["x", hashOf("mine").slice(1), `${hashOf("mine")}x`, "%00", "'; select 1"])
    expect(await statusOf(`/v1/spaces/${spaceId}/files/${encodeURIComponent(hash)}/a.txt`), hash).toBe(404);
});

test("the name in an address is a word: a file keeps its own, and its type", async () => {
  const { spaceId } = await shownSpace("<script>alert(1)</script>", "notes.txt");
  const content = "<script>alert(1)</script>";
  const { headers } = await get(pathOf(spaceId, content, "evil.html"));
  expect(headers["content-disposition"]).toBe("inline; filename*=UTF-8''notes.txt");
  expect(headers["content-type"]).toBe("text/plain");
  await (await change(spaceId, [insertion("page.html", content)])).merge();
  const asHtml = await get(pathOf(spaceId, content, "page.html"));
  expect(asHtml.headers["content-disposition"]).toMatch(/^attachment/);
  expect((await get(pathOf(spaceId, content, "notes.txt"))).headers["content-disposition"]).toMatch(
    /^inline/,
  );
});

test("a file that was removed is there for those who read the revision before, and then no more", async () => {
  const { spaceId, fileId } = await shownSpace("removed");
  await (await change(spaceId, [insertion("other.txt", "instead")])).merge();
  // As an import removes it, with the revision that was just made.
  await sql`update entry set to_seq = (select seq from branch where id = ${spaceId}) where id = ${fileId}`.execute(
    t.db,
  );
  expect(await statusOf(pathOf(spaceId, "removed"))).toBe(200);
  later = 3 * 3_600_000;
  expect(await statusOf(pathOf(spaceId, "removed"))).toBe(404);
  later = 0;
});

test("a file that was removed is there for as long as a site shows a release with it, and no longer", async () => {
  const { spaceId, site, revision, fileId } = await shownSpace("released");
  await (await change(spaceId, [insertion("other.txt", "newer")])).merge();
  await sql`update entry set to_seq = (select seq from branch where id = ${spaceId}) where id = ${fileId}`.execute(
    t.db,
  );
  later = 3 * 3_600_000;
  await show(site, [spaceId], "public", undefined, revision);
  expect(await statusOf(pathOf(spaceId, "released"))).toBe(200);
  await show(site, [spaceId]);
  expect(await statusOf(pathOf(spaceId, "released"))).toBe(404);
  later = 0;
});

test("the hashes of files are returned to nobody who may not see the revision", async () => {
  const { spaceId, revision, visitor } = await shownSpace("told");
  const other = await shownSpace("untold");
  const listed = visitor.publishedFiles.list({ spaceId: other.spaceId, revisionId: other.revision });
  await expect(listed).rejects.toMatchObject({ code: "NOT_FOUND" });
  const stranger = t.as({ beta: "admin" }).publishedFiles.list({ spaceId, revisionId: revision });
  await expect(stranger).rejects.toMatchObject({ code: "NOT_FOUND" });
});
