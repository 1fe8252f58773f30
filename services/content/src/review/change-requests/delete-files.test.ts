import { afterAll, expect, test } from "vitest";
import { commitPrimary } from "../../revisions/primary.js";
import { hashOf } from "../../store/bodies.js";
import { entriesById, entryById } from "../../store/entries.js";
import { withFields } from "../../store/merge-entry.js";
import { lockBranch, primaryAt } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf, type Request } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open } = changeRequestsOf(t);

const base64 = (text: string) => Buffer.from(text).toString("base64");
const page = (markdown: string) => ({
  operation: "insert_page" as const,
  title: "Page",
  document: { markdown },
});

/** A space with a page that shows a file, and another file that nothing shows. */
async function spaceWithFiles() {
  const spaceId = await t.space();
  const files = ["shown.png", "other.js"].map((name) => ({ name, base64: base64(name) }));
  const one = await open(
    spaceId,
    { operation: "insert_files", files },
    page("![](.gitbook/assets/shown.png)\n"),
  );
  const { revision } = await admin.changeRequests.merge(one);
  const { items } = await admin.content.files({ spaceId });
  const idOf = (name: string) => items.find((file) => file.name === name)!.id;
  return { spaceId, revisionId: revision, shown: idOf("shown.png"), other: idOf("other.js") };
}

const namesIn = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name).sort();
const filesOf = async (one: Request) => namesIn(await admin.changeRequestContent.files(one));
const primaryFiles = async (spaceId: string) => namesIn(await admin.content.files({ spaceId }));

/** Gives a file of the primary content another content or path, as imports and exports do. */
async function rewrite(space: string, id: string, fields: { body: string } | { git_path: string }) {
  const entry = (await entryById(t.ctx, primaryAt(space), id))!;
  await t.ctx.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const put = [withFields(entry, fields)];
    const head = await lockBranch(ctx, space);
    await commitPrimary(ctx, { space, head, type: "edits", changes: { put, remove: [] } });
  });
}

test("delete_file takes a file out of what is merged; earlier revisions keep it", async () => {
  const { spaceId, revisionId, other } = await spaceWithFiles();
  const one = await open(spaceId);
  const changes = [{ operation: "delete_file" as const, file: other }];
  const edited = await admin.changeRequests.edit({ ...one, changes, compat: false });
  expect(edited).toMatchObject({ changes: [{ object: "deleted_file", file: other }] });
  expect(await filesOf(one)).toEqual(["shown.png"]);
  expect(await primaryFiles(spaceId)).toEqual(["other.js", "shown.png"]);
  expect((await admin.changes.ofChangeRequest(one)).changes).toMatchObject([
    { type: "file_deleted", file: { id: other, name: "other.js" } },
  ]);
  const { revision } = await admin.changeRequests.merge(one);
  expect(await primaryFiles(spaceId)).toEqual(["shown.png"]);
  const gone = admin.content.file({ spaceId, fileId: other });
  await expect(gone).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { changes: made } = await admin.changes.ofRevision({ spaceId, revisionId: revision });
  expect(made).toMatchObject([{ type: "file_deleted", file: { id: other } }]);
  const before = { spaceId, revisionId };
  expect(namesIn(await admin.revisionContent.files(before))).toEqual(["other.js", "shown.png"]);
});

test("what shows a file that was deleted counts as broken, by the change request that deletes it", async () => {
  const { spaceId, shown } = await spaceWithFiles();
  const one = await open(spaceId, { operation: "delete_file", file: shown });
  const links = await admin.changeRequestLinks.list(one);
  expect(links.items.map(({ status }) => status)).toEqual(["broken"]);
  expect(links.stats).toMatchObject({ total: 1, broken: { total: 1 } });
  expect((await admin.links.list({ spaceId })).stats).toMatchObject({ broken: { total: 0 } });
  await admin.changeRequests.merge(one);
  expect((await admin.links.list({ spaceId })).stats).toMatchObject({ broken: { total: 1 } });
});

test("delete_file of what is no file of the change request is 404, names the place, and changes nothing", async () => {
  const { spaceId, other } = await spaceWithFiles();
  const elsewhere = await spaceWithFiles();
  const pageId = (await admin.content.pages({ spaceId })).pages[0]!.id;
  const one = await open(spaceId);
  for (const file of ["unknown", pageId, elsewhere.other]) {
    const changes = [
      { operation: "delete_file" as const, file: other },
      { operation: "delete_file" as const, file },
    ];
    await expect(edit(one, ...changes), file).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: `body.changes.1: File ${file}: not found`,
    });
  }
  const twice = { operation: "delete_file" as const, file: other };
  await expect(edit(one, twice, twice)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await filesOf(one)).toEqual(["other.js", "shown.png"]);
});

test("two change requests that delete the same file both merge, and so does one beside an edit of a page", async () => {
  const { spaceId, other } = await spaceWithFiles();
  const requests = [
    await open(spaceId, { operation: "delete_file", file: other }),
    await open(spaceId, { operation: "delete_file", file: other }, page("More.\n")),
    await open(spaceId, page("Even more.\n")),
  ];
  for (const one of requests) expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryFiles(spaceId)).toEqual(["shown.png"]);
});

test("a file that is deleted here and changed there is a conflict, which either change decides", async () => {
  for (const [operation, left] of [
    ["delete_file", ["shown.png"]],
    ["revert_file", ["other.js", "shown.png"]],
  ] as const) {
    const { spaceId, other: file } = await spaceWithFiles();
    const one = await open(spaceId, { operation: "delete_file", file });
    await expect(edit(one, { operation: "delete_file", file })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await rewrite(spaceId, file, { body: hashOf("shown.png") });
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    const { conflicts } = await admin.changes.ofChangeRequest(one);
    expect(conflicts).toMatchObject([{ id: file, kind: "file", properties: [{ name: "deleted" }] }]);
    await edit(one, { operation, file });
    expect((await admin.changeRequests.pull(one)).result).toBe("update");
    expect((await admin.changeRequests.merge(one)).result).toBe("merge");
    expect(await primaryFiles(spaceId), operation).toEqual(left);
  }
});

test("revert_file puts a deleted file back, also as an earlier revision has it, and takes out one that is new", async () => {
  const { spaceId, revisionId, shown, other } = await spaceWithFiles();
  const one = await open(spaceId, { operation: "delete_file", file: other });
  const back = await admin.changeRequests.edit({
    ...one,
    compat: false,
    changes: [{ operation: "revert_file", file: other }],
  });
  expect(back).toMatchObject({ changes: [{ object: "updated_file", file: { object: "file", id: other } }] });
  expect(await admin.changes.ofChangeRequest(one)).toEqual({ changes: [] });
  await edit(one, { operation: "insert_files", files: [{ name: "new.txt", base64: base64("new") }] });
  const { items } = await admin.changeRequestContent.files(one);
  const added = items.find(({ name }) => name === "new.txt")!.id;
  await edit(one, { operation: "revert_file", file: added });
  expect(await filesOf(one)).toEqual(["other.js", "shown.png"]);
  await edit(one, { operation: "delete_file", file: shown });
  await admin.changeRequests.merge(one);
  const next = await open(spaceId);
  const none = { operation: "revert_file" as const, file: shown };
  await expect(edit(next, none)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await edit(next, { ...none, revision: revisionId });
  await admin.changeRequests.merge(next);
  expect(await primaryFiles(spaceId)).toEqual(["other.js", "shown.png"]);
  expect((await admin.links.list({ spaceId })).stats).toMatchObject({ broken: { total: 0 } });
});

test("revert_file gives back the path in git that a file had, unless another file has it now", async () => {
  const path = ".gitbook/assets/one";
  for (const taken of [false, true]) {
    const { spaceId, shown, other } = await spaceWithFiles();
    await rewrite(spaceId, shown, { git_path: path });
    const { revision } = await admin.spaces.get({ spaceId });
    const one = await open(spaceId, { operation: "delete_file", file: shown });
    await admin.changeRequests.merge(one);
    if (taken) await rewrite(spaceId, other, { git_path: path });
    const next = await open(spaceId, { operation: "revert_file", file: shown, revision });
    await admin.changeRequests.merge(next);
    const entries = await entriesById(t.ctx, primaryAt(spaceId), [shown, other]);
    const paths = [shown, other].map((id) => entries.get(id)!.git_path);
    expect(paths).toEqual(taken ? [null, path] : [path, null]);
  }
});
