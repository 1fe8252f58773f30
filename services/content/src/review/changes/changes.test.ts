import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { commitPrimary } from "../../revisions/primary.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];

async function open(spaceId: string, changes: Changes) {
  const { id } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId: id, changes });
  return { spaceId, changeRequestId: id };
}

/** Merges changes into a space; returns the revision. */
async function merged(spaceId: string, changes: Changes) {
  const { revision } = await admin.changeRequests.merge(await open(spaceId, changes));
  return { spaceId, revisionId: revision };
}

/** A space with the pages Guide, Guide / Setup and Reference. */
async function handbook() {
  const spaceId = await t.space();
  await merged(spaceId, [
    { operation: "insert_page", title: "Guide", ref: "guide", document: { markdown: "Start.\n" } },
    { operation: "insert_page", title: "Setup", into: "guide", document: { markdown: "Install.\n" } },
    { operation: "insert_page", title: "Reference", document: { markdown: "Words.\n" } },
  ]);
  const { pages } = await admin.content.pages({ spaceId });
  const [guide, reference] = pages as unknown as { id: string; pages: { id: string }[] }[];
  return { spaceId, guide: guide!.id, setup: guide!.pages[0]!.id, reference: reference!.id };
}

/** Entries put on the primary branch, as imports do. */
async function put(space: string, entries: (Partial<Entry> & Pick<Entry, "id" | "kind">)[]) {
  return t.ctx.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const blank = { parent: null, position: "", slug: null, title: "", body: null, git_path: null };
    const rest = { git_oid: null, props: {}, created_at: new Date().toISOString(), updated_at: null };
    const changes = { put: entries.map((entry) => ({ ...blank, ...rest, ...entry }) as Entry), remove: [] };
    const { id } = await commitPrimary(ctx, {
      space,
      head: await lockBranch(ctx, space),
      type: "edits",
      changes,
    });
    return { spaceId: space, revisionId: id };
  });
}

test("GET change-requests/{id}/changes lists pages that were created, edited, moved and deleted", async () => {
  const { spaceId, guide, setup, reference } = await handbook();
  const one = await open(spaceId, [
    { operation: "update_page", page: guide, title: "Handbook", emoji: "1f4d6", hidden: true },
    { operation: "update_page", page: setup, into: null },
    { operation: "insert_page", title: "More", into: setup, document: { markdown: "More.\n" } },
    { operation: "delete_page", page: reference },
  ]);
  const { changes, ...rest } = await admin.changes.ofChangeRequest(one);
  expect(rest).toEqual({});
  expect(changes).toHaveLength(4);
  expect(changes).toEqual(
    expect.arrayContaining([
      {
        type: "page_edited",
        page: { id: guide, type: "document", title: "Handbook", path: "guide" },
        attributes: {
          title: { before: "Guide", after: "Handbook" },
          emoji: { after: "1f4d6" },
          hidden: { after: true },
          document: { before: expect.any(String), after: expect.any(String) },
        },
      },
      {
        type: "page_moved",
        page: { id: setup, type: "document", title: "Setup", path: "setup" },
        parent: { before: { id: guide, type: "document", title: "Guide", path: "guide" } },
      },
      {
        type: "page_created",
        page: { id: expect.any(String), type: "document", title: "More", path: "setup/more" },
      },
      {
        type: "page_deleted",
        page: { id: reference, type: "document", title: "Reference", path: "reference" },
      },
    ]),
  );
});

test("attributes name the documents, and nothing that stayed as it was", async () => {
  const { spaceId, setup } = await handbook();
  const read = (target: object) =>
    admin.changeRequestContent.page({ spaceId, pageId: setup, ...target } as never) as Promise<{
      documentId: string;
    }>;
  const before = await admin.content.page({ spaceId, pageId: setup });
  const one = await open(spaceId, [
    { operation: "update_page", page: setup, document: { markdown: "# Setup\n\nUnpack.\n" } },
  ]);
  const { changes } = await admin.changes.ofChangeRequest(one);
  const document = {
    before: "documentId" in before && before.documentId,
    after: (await read(one)).documentId,
  };
  expect(changes).toEqual([
    { type: "page_edited", page: expect.objectContaining({ path: "guide/setup" }), attributes: { document } },
  ]);
});

test("what was edited and set back, or only touched, is no change", async () => {
  const { spaceId, guide, setup } = await handbook();
  const one = await open(spaceId, [
    { operation: "update_page", page: guide },
    { operation: "update_page", page: setup, title: "Other" },
  ]);
  const back: Changes = [{ operation: "update_page", page: setup, title: "Setup" }];
  await admin.changeRequests.edit({ ...one, changes: back });
  expect(await admin.changes.ofChangeRequest(one)).toEqual({ changes: [] });
});

test("GET revisions/{id}/changes compares with the parent; a merge names its change request", async () => {
  const { spaceId, guide } = await handbook();
  const one = await open(spaceId, [{ operation: "update_page", page: guide, title: "First" }]);
  const second = await admin.changeRequests.edit({
    ...one,
    changes: [{ operation: "update_page", page: guide, title: "Second" }],
  });
  const of = (revisionId: string) => admin.changes.ofRevision({ spaceId, revisionId });
  const titles = ({ changes }: Awaited<ReturnType<typeof of>>) =>
    changes.map((change) => change.type === "page_edited" && change.attributes.title);
  expect(titles(await of((second as { revision: string }).revision))).toEqual([
    { before: "First", after: "Second" },
  ]);
  const { revision } = await admin.changeRequests.merge(one);
  const merge = await of(revision);
  expect(titles(merge)).toEqual([{ before: "Guide", after: "Second" }]);
  expect(merge.mergedFrom).toEqual(await admin.changeRequests.get(one));
  expect(titles(await admin.changes.ofChangeRequest(one))).toEqual([{ before: "Guide", after: "Second" }]);
});

test("an update revision lists what came from the primary content, and the change request no more than its own", async () => {
  const { spaceId, guide, setup } = await handbook();
  const one = await open(spaceId, [{ operation: "update_page", page: guide, title: "Mine" }]);
  await merged(spaceId, [{ operation: "update_page", page: setup, title: "Theirs" }]);
  const { revision } = await admin.changeRequests.pull(one);
  expect((await admin.changes.ofRevision({ spaceId, revisionId: revision })).changes).toMatchObject([
    { type: "page_edited", page: { id: setup }, attributes: { title: { before: "Setup", after: "Theirs" } } },
  ]);
  expect((await admin.changes.ofChangeRequest(one)).changes).toMatchObject([{ page: { id: guide } }]);
});

test("the first revision of a space created all that it holds", async () => {
  const { spaceId } = await handbook();
  const copy = await admin.spaces.duplicate({ spaceId });
  const { changes } = await admin.changes.ofRevision({ spaceId: copy.id, revisionId: copy.revision });
  expect(changes.map((change) => change.type === "page_created" && change.page.path).sort()).toEqual([
    "guide",
    "guide/setup",
    "reference",
  ]);
});

test("the first ten changes are returned by default, and `more` counts the rest", async () => {
  const spaceId = await t.space();
  const one = await open(
    spaceId,
    Array.from({ length: 12 }, (_, at) => ({
      operation: "insert_page" as const,
      title: `Page ${at}`,
      document: {},
    })),
  );
  const all = await admin.changes.ofChangeRequest({ ...one, limit: 100 });
  expect([all.changes.length, all.more]).toEqual([12, undefined]);
  const some = await admin.changes.ofChangeRequest(one);
  expect(some).toEqual({ changes: all.changes.slice(0, 10), more: 2 });
  expect(await admin.changes.ofChangeRequest({ ...one, limit: 0 })).toEqual({ changes: [], more: 12 });
  for (const limit of [-1, 1001, 1.5])
    await expect(admin.changes.ofChangeRequest({ ...one, limit })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("files are created and edited with their addresses", async () => {
  const spaceId = await t.space();
  const props = (size: number) => ({ contentType: "text/plain", size });
  const id = newId();
  const created = await put(spaceId, [
    { id, kind: "file", title: "a.txt", body: "hash-1", props: props(1), git_path: "a.txt" },
  ]);
  const file = await admin.content.file({ spaceId, fileId: id });
  const { contentType, downloadURL, name } = file;
  expect(await admin.changes.ofRevision(created)).toEqual({
    changes: [{ type: "file_created", file: { id, name, contentType, downloadURL } }],
  });
  const edited = await put(spaceId, [
    { id, kind: "file", title: "b.txt", body: "hash-2", props: props(2), git_path: "a.txt" },
  ]);
  const now = await admin.content.file({ spaceId, fileId: id });
  expect((await admin.changes.ofRevision(edited)).changes).toEqual([
    {
      type: "file_edited",
      file: { id, name: "b.txt", contentType, downloadURL: now.downloadURL },
      attributes: {
        name: { before: "a.txt", after: "b.txt" },
        downloadURL: { before: downloadURL, after: now.downloadURL },
        size: { before: 1, after: 2 },
      },
    },
  ]);
  const moved = await put(spaceId, [
    { id, kind: "file", title: "b.txt", body: "hash-2", props: props(2), git_path: "b.txt" },
  ]);
  expect(await admin.changes.ofRevision(moved)).toEqual({ changes: [] });
});

test("variables are one change by name, and reusable contents have title and document", async () => {
  const spaceId = await t.space();
  const [a, b, reusable] = [newId(), newId(), newId()];
  await put(spaceId, [
    { id: a, kind: "variable", title: "version", props: { value: "1" } },
    { id: b, kind: "variable", title: "old", props: { value: "x" } },
    { id: reusable, kind: "reusable", title: "Note", body: "hash-1" },
  ]);
  const edited = await put(spaceId, [
    { id: a, kind: "variable", title: "version", props: { value: "2" } },
    { id: b, kind: "variable", title: "new", props: { value: "x" } },
    { id: reusable, kind: "reusable", title: "Hint", body: "hash-2" },
  ]);
  expect((await admin.changes.ofRevision(edited)).changes).toEqual([
    {
      type: "reusable_content_edited",
      reusableContent: { id: reusable, title: "Hint", document: "hash-2" },
      attributes: {
        title: { before: "Note", after: "Hint" },
        document: { before: "hash-1", after: "hash-2" },
      },
    },
    {
      type: "variables_edited",
      variables: { version: { before: "1", after: "2" }, old: { before: "x" }, new: { after: "x" } },
    },
  ]);
});

test("changes are 404 to strangers and guests, and of what there is not", async () => {
  const { spaceId, guide } = await handbook();
  const one = await open(spaceId, [{ operation: "update_page", page: guide, title: "Mine" }]);
  const { revision } = await admin.changeRequests.get(one);
  const outsiders = [t.as({ beta: "admin" }, { id: "stranger" }), t.as({ acme: null }, { id: "guest" })];
  for (const caller of outsiders) {
    await expect(caller.changes.ofChangeRequest(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(caller.changes.ofRevision({ spaceId, revisionId: revision })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
  const reader = t.as({ acme: "read" }, { id: "reader" });
  expect((await reader.changes.ofChangeRequest(one)).changes).toHaveLength(1);
  const elsewhere = await t.space();
  await expect(admin.changes.ofRevision({ spaceId: elsewhere, revisionId: revision })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
