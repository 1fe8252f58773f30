import { type Block, plainText } from "@octavo/markdown/document/nodes";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { commit } from "../../revisions/commit.js";
import { commitPrimary } from "../../revisions/primary.js";
import { blobOid, keepBodies } from "../../store/bodies.js";
import { type Entry, lockBranch, type ReusableContentEntry } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const guest = t.as({ acme: null }, { id: "guest" });
const stranger = t.as({ beta: "admin" });
const missing = { code: "NOT_FOUND" };

type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];

/** A space after changes that were merged, with the change request still named. */
async function spaceWith(changes: Changes) {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, changeRequestId, pages };
}

const entry = (
  values: Partial<ReusableContentEntry> & Pick<ReusableContentEntry, "id" | "kind" | "title">,
): Entry => ({
  parent: null,
  position: "",
  slug: null,
  body: null,
  git_path: null,
  git_oid: null,
  props: {},
  created_at: new Date(0).toISOString(),
  updated_at: null,
  ...values,
});

/** Puts a reusable content into the primary content or a change request, as an import would. */
const include = (space: string, id: string, markdown: string, branch = space) =>
  transact(t.ctx, async (ctx) => {
    const [body] = await keepBodies(ctx, space, [markdown]);
    const git = { git_path: `.gitbook/includes/${id}.md`, git_oid: blobOid(markdown) };
    const put = [entry({ id, kind: "reusable", title: id, body: body!, ...git })];
    const revision = { space, head: await lockBranch(ctx, branch), type: "edits" as const };
    const made = { ...revision, changes: { put, remove: [] } };
    return branch === space ? commitPrimary(ctx, made) : commit(ctx, made);
  });

const words = (document: unknown) => JSON.stringify(document);

test("documentId names the document of a page, through every mount and by itself", async () => {
  const { spaceId, changeRequestId, pages } = await spaceWith([
    { operation: "insert_page", title: "Guide", document: { markdown: "Read **on**.\n" } },
  ]);
  const page = pages[0] as { id: string; documentId: string };
  const document = await admin.documents.get({ spaceId, documentId: page.documentId });
  expect(document).toMatchObject({ object: "document", nodes: [{ type: "paragraph" }] });
  const { id: revisionId } = await admin.content.revision({ spaceId });
  const at = { spaceId, pageId: page.id };
  expect(await admin.content.pageDocument(at)).toEqual(document);
  expect(await admin.revisionContent.pageDocument({ ...at, revisionId })).toEqual(document);
  expect(await admin.changeRequestContent.pageDocument({ ...at, changeRequestId })).toEqual(document);
  const shown = await admin.content.page({ ...at, format: "document" });
  expect(shown).toMatchObject({ documentId: page.documentId, document });
  expect(await admin.documents.get({ spaceId, documentId: page.documentId, schema: "next" })).toEqual(
    document,
  );
});

test("a page without text has no documentId, and a document without blocks", async () => {
  const { spaceId, pages } = await spaceWith([
    { operation: "insert_page", title: "Nothing yet", description: "Soon", document: {} },
  ]);
  expect(pages[0]).toMatchObject({ title: "Nothing yet", documentId: undefined });
  const document = await admin.content.pageDocument({ spaceId, pageId: pages[0]!.id });
  expect(document.nodes).toEqual([]);
});

test("documentId stays while the text does, and is another one for another text", async () => {
  const { spaceId, pages } = await spaceWith([
    { operation: "insert_page", title: "A", document: { markdown: "One.\n" } },
  ]);
  const page = pages[0] as { id: string; documentId: string };
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const edit = (change: Changes[number]) =>
    admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  const idNow = async () => {
    const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
    return (pages[0] as { documentId: string }).documentId;
  };
  await edit({ operation: "update_page", page: page.id, slug: "elsewhere" });
  expect(await idNow()).toBe(page.documentId);
  await edit({ operation: "update_page", page: page.id, document: { markdown: "Two.\n" } });
  expect(await idNow()).not.toBe(page.documentId);
  // What is named once stays readable: clients fetch it after the page moved on.
  expect(await admin.documents.get({ spaceId, documentId: page.documentId })).toBeDefined();
});

test("a document of another space, of no space, or for those who may not read is 404", async () => {
  const { spaceId, pages } = await spaceWith([
    { operation: "insert_page", title: "A", document: { markdown: "Secret of one space.\n" } },
  ]);
  const { documentId } = pages[0] as { documentId: string };
  const other = await t.space();
  await expect(admin.documents.get({ spaceId: other, documentId })).rejects.toMatchObject(missing);
  await expect(admin.documents.get({ spaceId, documentId: "nothing" })).rejects.toMatchObject(missing);
  for (const caller of [stranger, guest]) {
    await expect(caller.documents.get({ spaceId, documentId })).rejects.toMatchObject(missing);
    await expect(caller.content.pageDocument({ spaceId, pageId: pages[0]!.id })).rejects.toMatchObject(
      missing,
    );
  }
  await expect(admin.content.pageDocument({ spaceId, pageId: "nothing" })).rejects.toMatchObject(missing);
});

test("reusable contents are read through every mount, with their documents", async () => {
  const spaceId = await t.space();
  await include(spaceId, "note", "---\ntitle: note\n---\n\nMind the gap.\n");
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const { id: revisionId, reusableContents } = await admin.content.revision({ spaceId });
  const at = { spaceId, reusableContentId: "note" };
  const shown = await admin.content.reusableContent(at);
  expect(shown).toMatchObject({ id: "note", title: "note", git: { path: ".gitbook/includes/note.md" } });
  expect(reusableContents).toEqual([shown]);
  expect(await admin.revisionContent.reusableContent({ ...at, revisionId })).toEqual(shown);
  expect(await admin.changeRequestContent.reusableContent({ ...at, changeRequestId })).toEqual(shown);
  expect(await admin.content.reusableContent({ ...at, metadata: false })).toMatchObject({ git: undefined });
  const document = await admin.content.reusableContentDocument(at);
  expect(words(document.nodes)).toContain("Mind the gap.");
  expect(words(document.nodes)).not.toContain('"note"');
  expect(await admin.revisionContent.reusableContentDocument({ ...at, revisionId })).toEqual(document);
  expect(await admin.changeRequestContent.reusableContentDocument({ ...at, changeRequestId })).toEqual(
    document,
  );
  expect(await admin.documents.get({ spaceId, documentId: shown.document! })).toEqual(document);
});

test("an unknown reusable content, a page's id in its place, and the wrong caller are 404", async () => {
  const { spaceId, pages } = await spaceWith([
    { operation: "insert_page", title: "A", document: { markdown: "Text.\n" } },
  ]);
  await include(spaceId, "note", "Text.\n");
  for (const reusableContentId of ["nothing", pages[0]!.id]) {
    const at = { spaceId, reusableContentId };
    await expect(admin.content.reusableContent(at)).rejects.toMatchObject(missing);
    await expect(admin.content.reusableContentDocument(at)).rejects.toMatchObject(missing);
  }
  const at = { spaceId, reusableContentId: "note" };
  for (const caller of [stranger, guest]) {
    await expect(caller.content.reusableContent(at)).rejects.toMatchObject(missing);
    await expect(caller.content.reusableContentDocument(at)).rejects.toMatchObject(missing);
  }
});

/** What a merge makes of a reusable content that a change request has of its own. */
async function mergedNote(first: string, ours: string, theirs: string) {
  const spaceId = await t.space();
  await include(spaceId, "note", first);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await include(spaceId, "note", theirs);
  await include(spaceId, "note", ours, changeRequestId);
  const { result } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { nodes } = await admin.content.reusableContentDocument({ spaceId, reusableContentId: "note" });
  return { result, text: plainText(nodes as Block[]) };
}

test("a reusable content is merged three-way, block by block", async () => {
  expect(await mergedNote("One.\n\nTwo.\n", "Eins.\n\nTwo.\n", "One.\n\nZwei.\n")).toEqual({
    result: "merge",
    text: "Eins.Zwei.",
  });
  expect(await mergedNote("One.\n", "Eins.\n", "Uno.\n")).toEqual({ result: "conflicts", text: "Uno." });
});

test("a reusable content that a change request did not touch stays as it was there until an update", async () => {
  const { spaceId, pages } = await spaceWith([
    { operation: "insert_page", title: "A", document: { markdown: "One.\n" } },
  ]);
  await include(spaceId, "note", "First.\n");
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const change = { operation: "update_page" as const, page: pages[0]!.id, document: { markdown: "Two.\n" } };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  await include(spaceId, "note", "Second.\n");
  const at = { spaceId, changeRequestId, reusableContentId: "note" };
  expect(words(await admin.changeRequestContent.reusableContentDocument(at))).toContain("First.");
  await admin.changeRequests.pull({ spaceId, changeRequestId });
  expect(words(await admin.changeRequestContent.reusableContentDocument(at))).toContain("Second.");
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect(words(await admin.content.reusableContentDocument(at))).toContain("Second.");
});
