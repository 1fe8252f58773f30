import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type Change, changeRequestsOf, type Request } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open } = changeRequestsOf(t);

const insert = (title: string, ref: string, markdown = "Mind the gap.\n") => ({
  operation: "insert_reusable_content" as const,
  title,
  ref,
  document: { markdown },
});
const page = (title: string, markdown: string) => ({
  operation: "insert_page" as const,
  title,
  ref: title.toLowerCase(),
  document: { markdown },
});
const include = (path: string) => `{% include "${path}" %}\n`;

/** A document that includes reusable contents. */
const including = (...names: string[]): { document: JSONDocument } => ({
  document: {
    object: "document",
    data: {},
    nodes: names.map((name) => ({
      object: "block",
      type: "reusable-content",
      isVoid: true,
      data: { ref: { kind: "reusable-content", reusableContent: name } },
      nodes: [],
    })),
  } as unknown as JSONDocument,
});

const make = async (one: Request, ...changes: Change[]) => {
  const edited = await admin.changeRequests.edit({ ...one, changes, compat: false });
  return "changes" in edited ? edited.changes : [];
};

/** What a change request has, by titles. */
const contentsOf = async (one: Request) =>
  (await admin.changeRequestContent.revision(one)).reusableContents.map(({ id, title }) => ({ id, title }));
const primaryContents = async (spaceId: string) =>
  (await admin.content.revision({ spaceId })).reusableContents.map(({ title }) => title);
const idNamed = async (one: Request, title: string) =>
  (await contentsOf(one)).find((content) => content.title === title)!.id;
const pageNamed = async (one: Request, title: string) =>
  (await admin.changeRequestContent.pages(one)).pages.find((page) => page.title === title)!.id;

/** What the text of a reusable content says in the primary content. */
const words = async (spaceId: string, reusableContentId: string) =>
  JSON.stringify(await admin.content.reusableContentDocument({ spaceId, reusableContentId }));

/** What a page includes, by ids. */
async function includedIn(one: Request, title: string) {
  const at = { ...one, pageId: await pageNamed(one, title) };
  const { nodes } = await admin.changeRequestContent.pageDocument(at);
  return nodes.flatMap(({ data }) => (data?.ref as { reusableContent?: string })?.reusableContent ?? []);
}

const markdownOf = async (one: Request, title: string) => {
  const pageId = await pageNamed(one, title);
  const shown = await admin.changeRequestContent.page({ ...one, pageId, format: "markdown" });
  return "markdown" in shown ? shown.markdown : undefined;
};

/** A space with a reusable content, and a page that includes it. */
async function spaceWithNote() {
  const spaceId = await t.space();
  const text = "One.\n\nTwo.\n\nThree.\n";
  const one = await open(
    spaceId,
    insert("Note", "note", text),
    page("Home", include(".gitbook/includes/note.md")),
  );
  await admin.changeRequests.merge(one);
  const { reusableContents } = await admin.content.revision({ spaceId });
  return { spaceId, note: reusableContents[0]!.id };
}

test("insert_reusable_content adds a text that pages of the same request include by its path, and a merge brings it in", async () => {
  const spaceId = await t.space();
  const one = await open(spaceId);
  const made = await make(
    one,
    page("Before", include(".gitbook/includes/mind-the-gap.md")),
    insert("Mind the gap", "gap"),
    { ...page("Below", include("../.gitbook/includes/mind-the-gap.md")), into: "before" },
    page("Home", include(".gitbook/includes/mind-the-gap.md")),
  );
  const id = await idNamed(one, "Mind the gap");
  const base = `/v1/spaces/${spaceId}/change-requests/${one.changeRequestId}/content/reusable-contents/`;
  expect(made[1]).toEqual({
    object: "created_reusable_content",
    ref: "gap",
    reusableContent: {
      object: "reusable-content",
      id,
      urls: { location: expect.stringContaining(base + id) },
    },
  });
  expect(await includedIn(one, "Before")).toEqual([id]);
  expect(await includedIn(one, "Home")).toEqual([id]);
  const links = await admin.changeRequestLinks.list(one);
  expect(links.items.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(await admin.changeRequestContent.reusableContent({ ...one, reusableContentId: id })).toMatchObject({
    title: "Mind the gap",
  });
  expect(await primaryContents(spaceId)).toEqual([]);
  const { changes } = await admin.changes.ofChangeRequest(one);
  expect(changes).toContainEqual({ type: "reusable_content_created", reusableContent: expect.any(Object) });
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryContents(spaceId)).toEqual(["Mind the gap"]);
  expect(await words(spaceId, id)).toContain("Mind the gap.");
  expect((await admin.links.list({ spaceId })).stats).toMatchObject({ total: 3, broken: { total: 0 } });
});

test("documents name reusable contents of the same request by their refs, and are written with their paths", async () => {
  const spaceId = await t.space();
  const one = await open(spaceId);
  await edit(
    one,
    { operation: "insert_page", title: "Early", document: including("note") },
    insert("Note", "note"),
    { operation: "insert_reusable_content", title: "Outer", ref: "outer", document: including("note") },
    page("Parent", "Text.\n"),
    { operation: "insert_page", title: "Late", document: including("note", "outer") },
  );
  const [note, outer] = [await idNamed(one, "Note"), await idNamed(one, "Outer")];
  expect(await includedIn(one, "Early")).toEqual([note]);
  expect(await includedIn(one, "Late")).toEqual([note, outer]);
  expect(await markdownOf(one, "Late")).toContain('{% include ".gitbook/includes/note.md" %}');
  const at = { ...one, reusableContentId: outer };
  const { nodes } = await admin.changeRequestContent.reusableContentDocument(at);
  expect(nodes).toMatchObject([{ type: "reusable-content", data: { ref: { reusableContent: note } } }]);
  await edit(one, {
    operation: "insert_page",
    title: "Deep",
    into: await pageNamed(one, "Parent"),
    document: including(note),
  });
  const { pages } = await admin.changeRequestContent.pages(one);
  const deep = pages.find(({ title }) => title === "Parent") as unknown as { pages: { id: string }[] };
  const shown = await admin.changeRequestContent.page({ ...one, pageId: deep.pages[0]!.id });
  expect(shown).toMatchObject({ markdown: expect.stringContaining('"../.gitbook/includes/note.md"') });
});

test("reusable contents of one title lie at different paths, in one request and after two merges", async () => {
  const spaceId = await t.space();
  const [one, other] = [await open(spaceId), await open(spaceId)];
  await edit(one, insert("Note", "a", "First.\n"), insert("Note", "b", "Second.\n"));
  await edit(one, page("Home", include(".gitbook/includes/note-1.md")));
  await edit(other, insert("Note", "a", "Third.\n"), page("Other", include(".gitbook/includes/note.md")));
  const second = (await contentsOf(one))[1]!.id;
  const third = (await contentsOf(other))[0]!.id;
  const pulled = await open(spaceId, insert("Note", "a", "Fourth.\n"));
  const fourth = (await contentsOf(pulled))[0]!.id;
  expect(await includedIn(one, "Home")).toEqual([second]);
  await admin.changeRequests.merge(one);
  expect((await admin.changeRequests.merge(other)).result).toBe("merge");
  expect((await admin.changeRequests.pull(pulled)).result).toBe("update");
  await edit(pulled, page("Fourth", include(".gitbook/includes/note-3.md")));
  expect(await includedIn(pulled, "Fourth")).toEqual([fourth]);
  const next = await open(spaceId, page("Last", include(".gitbook/includes/note-2.md")));
  expect(await includedIn(next, "Last")).toEqual([third]);
  expect(await includedIn(next, "Other")).toEqual([third]);
});

test("update_reusable_content changes the title, the text or both, and pages go on to include it", async () => {
  const { spaceId, note } = await spaceWithNote();
  const one = await open(spaceId);
  const update = { operation: "update_reusable_content" as const, reusableContent: note };
  const made = await make(one, { ...update, title: "Renamed" });
  expect(made).toMatchObject([
    { object: "updated_reusable_content", reusableContent: { object: "reusable-content", id: note } },
  ]);
  expect(await contentsOf(one)).toEqual([{ id: note, title: "Renamed" }]);
  await edit(one, { ...update, document: { markdown: "Another text.\n" } });
  expect(await contentsOf(one)).toEqual([{ id: note, title: "Renamed" }]);
  await edit(one, page("New", include(".gitbook/includes/note.md")));
  expect(await includedIn(one, "Home")).toEqual([note]);
  expect(await includedIn(one, "New")).toEqual([note]);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryContents(spaceId)).toEqual(["Renamed"]);
  expect(await words(spaceId, note)).toContain("Another text.");
  const next = await open(spaceId, insert("Temporary", "made"), {
    ...update,
    document: { markdown: "# Said by the text\n\nText.\n" },
  });
  await edit(next, insert("Later", "named"), { ...update, reusableContent: "named", title: "Latest" });
  expect((await contentsOf(next)).map(({ title }) => title)).toEqual([
    "Said by the text",
    "Temporary",
    "Latest",
  ]);
});

test("delete_reusable_content takes one out, and what includes it is broken", async () => {
  const { spaceId, note } = await spaceWithNote();
  const one = await open(spaceId);
  const remove = { operation: "delete_reusable_content" as const, reusableContent: note };
  expect(await make(one, remove)).toEqual([{ object: "deleted_reusable_content", reusableContent: note }]);
  expect(await contentsOf(one)).toEqual([]);
  expect((await admin.changeRequestLinks.list(one)).items.map(({ status }) => status)).toEqual(["broken"]);
  await expect(edit(one, remove)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await edit(one, insert("Gone", "gone"), { ...remove, reusableContent: "gone" });
  expect(await contentsOf(one)).toEqual([]);
  await admin.changeRequests.merge(one);
  expect(await primaryContents(spaceId)).toEqual([]);
});

test("edits of different blocks are merged, those of one block are a conflict that an edit decides", async () => {
  const { spaceId, note } = await spaceWithNote();
  const update = (markdown: string) => ({
    operation: "update_reusable_content" as const,
    reusableContent: note,
    document: { markdown },
  });
  const requests = [
    await open(spaceId, update("Eins.\n\nTwo.\n\nThree.\n")),
    await open(spaceId, update("One.\n\nTwo.\n\nDrei.\n")),
    await open(spaceId, update("Uno.\n\nTwo.\n\nThree.\n")),
    await open(spaceId, update("Un.\n\nTwo.\n\nThree.\n")),
  ];
  const results: string[] = [];
  for (const one of requests) results.push((await admin.changeRequests.merge(one)).result);
  expect(results).toEqual(["merge", "merge", "conflicts", "conflicts"]);
  expect(await words(spaceId, note)).toMatch(/Eins\..*Drei\./);
  const [, , edited, kept] = requests as [Request, Request, Request, Request];
  expect((await admin.changes.ofChangeRequest(edited)).conflicts).toMatchObject([
    {
      id: note,
      kind: "reusable_content",
      title: "Note",
      blocks: [{ base: "One.\n\n", primary: "Eins.\n\n", own: "Uno.\n\n" }],
    },
  ]);
  await edit(edited, update("Both.\n\nTwo.\n\nThree.\n"));
  expect((await admin.changeRequests.merge(edited)).result).toBe("merge");
  expect(await words(spaceId, note)).toMatch(/Both\..*Drei\./);
  await edit(kept, { operation: "update_reusable_content", reusableContent: note });
  expect((await admin.changeRequests.merge(kept)).result).toBe("merge");
  expect(await words(spaceId, note)).toMatch(/Un\..*Drei\./);
});

test("a reusable content that is deleted here and changed there is gone after it is deleted once more", async () => {
  const { spaceId, note } = await spaceWithNote();
  const remove = { operation: "delete_reusable_content" as const, reusableContent: note };
  const one = await open(spaceId, remove);
  const title = { operation: "update_reusable_content" as const, reusableContent: note, title: "Other" };
  await admin.changeRequests.merge(await open(spaceId, title));
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, remove);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryContents(spaceId)).toEqual([]);
});

test("what is no reusable content is 404, names the place, and changes nothing", async () => {
  const { spaceId, note } = await spaceWithNote();
  const elsewhere = await spaceWithNote();
  const one = await open(spaceId);
  const home = await pageNamed(one, "Home");
  for (const operation of ["update_reusable_content", "delete_reusable_content"] as const) {
    for (const reusableContent of ["unknown", home, elsewhere.note])
      await expect(
        edit(one, insert("Kept?", "kept"), { operation, reusableContent }),
        reusableContent,
      ).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: `body.changes.1: Reusable content ${reusableContent}: not found`,
      });
  }
  for (const change of [
    { operation: "update_page" as const, page: note, title: "x" },
    { operation: "delete_file" as const, file: note },
  ])
    await expect(edit(one, change)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await contentsOf(one)).toEqual([{ id: note, title: "Note" }]);
});

test("titles of no line and names that are given twice or in use are 400", async () => {
  const { spaceId, note } = await spaceWithNote();
  const one = await open(spaceId);
  const update = { operation: "update_reusable_content" as const, reusableContent: note };
  const bad: Change[][] = [
    ...["", " ", "a\nb", "x".repeat(501)].flatMap((title) => [[insert(title, "a")], [{ ...update, title }]]),
    [insert("A", "a"), insert("B", "a")],
    [insert("A", "home"), page("Home", "Text.\n")],
    [insert("A", note)],
  ];
  for (const changes of bad)
    await expect(edit(one, ...changes), JSON.stringify(changes)).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("who may not edit the space is refused", async () => {
  const { spaceId, note } = await spaceWithNote();
  const one = await open(spaceId);
  const changes: Change[] = [
    insert("A", "a"),
    { operation: "update_reusable_content", reusableContent: note, title: "B" },
    { operation: "delete_reusable_content", reusableContent: note },
  ];
  for (const change of changes)
    for (const [caller, code] of [
      [t.as({ acme: "read" }), "FORBIDDEN"],
      [t.as({ beta: "admin" }), "NOT_FOUND"],
    ] as const)
      await expect(caller.changeRequests.edit({ ...one, changes: [change] })).rejects.toMatchObject({ code });
});
