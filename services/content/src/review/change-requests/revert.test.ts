import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type Change, changeRequestsOf, type Request } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open } = changeRequestsOf(t);

/** A space with the pages Guide, Guide / Setup, Guide / Setup / Mac and Reference. */
async function handbook() {
  const spaceId = await t.space();
  const page = (title: string, into?: string): Change => ({
    operation: "insert_page",
    title,
    ref: title,
    document: { markdown: `About ${title}.\n` },
    into,
  });
  const pages = [page("Guide"), page("Setup", "Guide"), page("Mac", "Setup"), page("Reference")];
  await admin.changeRequests.merge(await open(spaceId, ...pages));
  const seen = await admin.content.pages({ spaceId });
  const [guide, reference] = seen.pages as unknown as Nested[];
  const setup = guide!.pages[0]!;
  const ids = { guide: guide!.id, setup: setup.id, mac: setup.pages[0]!.id, reference: reference!.id };
  return { spaceId, ...ids, pages: seen.pages };
}
interface Nested {
  id: string;
  pages: Nested[];
}

const pagesOf = async (one: Request) => (await admin.changeRequestContent.pages(one)).pages;
const nothing = { changes: [] };

test("revert_page lets go of text, properties and place: the primary content shows through again", async () => {
  const { spaceId, setup, pages } = await handbook();
  const one = await open(
    spaceId,
    { operation: "update_page", page: setup, title: "Other", slug: "other", into: null, at: 0, hidden: true },
    { operation: "update_page", page: setup, document: { markdown: "# Other\n\nText.\n" } },
  );
  const edited = await edit(one, { operation: "revert_page", page: setup });
  expect(await pagesOf(one)).toEqual(pages);
  expect(await admin.changes.ofChangeRequest(one)).toEqual(nothing);
  const own = await t.db.selectFrom("entry").select("id").where("branch", "=", one.changeRequestId);
  expect(await own.where("to_seq", "is", null).execute()).toEqual([]);
  expect(edited).toMatchObject({ object: "change-request" });
});

test("a deleted page comes back with the pages below it, one below it not without it", async () => {
  const { spaceId, guide, mac, pages } = await handbook();
  const one = await open(spaceId, { operation: "delete_page", page: guide });
  const early = edit(one, { operation: "revert_page", page: mac });
  await expect(early).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await edit(one, { operation: "revert_page", page: guide });
  expect(await pagesOf(one)).toEqual(pages);
  expect(await admin.changes.ofChangeRequest(one)).toEqual(nothing);
});

test("pages below a deleted one that were moved away before stay where they are", async () => {
  const { spaceId, guide, mac } = await handbook();
  const one = await open(
    spaceId,
    { operation: "update_page", page: mac, into: null },
    { operation: "delete_page", page: guide },
    { operation: "revert_page", page: guide },
  );
  expect(await pagesOf(one)).toMatchObject([
    { title: "Guide", pages: [{ title: "Setup", pages: [] }] },
    { title: "Reference" },
    { title: "Mac" },
  ]);
});

test("a page that the change request made is removed, with the pages below it", async () => {
  const { spaceId, pages } = await handbook();
  const one = await open(
    spaceId,
    { operation: "insert_page", title: "New", ref: "new", document: {} },
    { operation: "insert_page", title: "Below", into: "new", document: {} },
  );
  const made = (await pagesOf(one)).at(-1)!.id;
  const change: Change = { operation: "revert_page", page: made };
  const response = await admin.changeRequests.edit({ ...one, changes: [change], compat: false });
  expect(response).toMatchObject({ changes: [{ object: "deleted_page", page: made }] });
  expect(await pagesOf(one)).toEqual(pages);
});

test("a page is put back as a revision has it; its history reads the same", async () => {
  const { spaceId, setup } = await handbook();
  const one = await open(spaceId, { operation: "update_page", page: setup, title: "First" });
  const { revision } = await admin.changeRequests.get(one);
  await edit(one, { operation: "update_page", page: setup, title: "Second", into: null });
  const change: Change = { operation: "revert_page", page: setup, revision };
  const response = await admin.changeRequests.edit({ ...one, changes: [change], compat: false });
  expect(response).toMatchObject({ changes: [{ object: "updated_page", page: { id: setup } }] });
  const { updatedAt: _now, ...now } = await admin.changeRequestContent.page({ ...one, pageId: setup });
  const { updatedAt: _then, ...then } = await admin.revisionContent.page({
    spaceId,
    revisionId: revision,
    pageId: setup,
  });
  expect(now).toEqual(then);
  expect(now).toMatchObject({ title: "First", path: "guide/setup" });
});

test("where a page stood may be gone or below it now: then it stays where it is", async () => {
  const { spaceId, guide, setup } = await handbook();
  const one = await open(
    spaceId,
    { operation: "update_page", page: setup, into: null, title: "Own" },
    { operation: "update_page", page: guide, into: setup },
  );
  await edit(one, { operation: "revert_page", page: setup });
  expect((await pagesOf(one)).map(({ title }) => title)).toEqual(["Reference", "Setup"]);
  await edit(one, { operation: "delete_page", page: guide }, { operation: "revert_page", page: setup });
  expect((await pagesOf(one)).map(({ title }) => title)).toEqual(["Reference", "Setup"]);
});

test("a slug that another page has taken meanwhile gets a suffix", async () => {
  const { spaceId, reference } = await handbook();
  const one = await open(
    spaceId,
    { operation: "delete_page", page: reference },
    { operation: "insert_page", title: "Reference", document: {} },
    { operation: "revert_page", page: reference },
  );
  const slugs = (await pagesOf(one)).map((page) => "slug" in page && page.slug);
  expect(slugs.sort()).toEqual(["guide", "reference", "reference-1"]);
});

test("a later change of the same request is made on what was put back", async () => {
  const { spaceId, setup } = await handbook();
  const one = await open(
    spaceId,
    { operation: "update_page", page: setup, document: { markdown: "# Setup\n\nOther.\n" } },
    { operation: "revert_page", page: setup },
    { operation: "update_page", page: setup, emoji: "1f527" },
  );
  expect(await admin.changeRequestContent.page({ ...one, pageId: setup })).toMatchObject({
    emoji: "1f527",
    markdown: expect.stringContaining("About Setup."),
  });
});

test("what there is not is 404: pages, revisions, and pages that the revision does not have", async () => {
  const { spaceId, setup } = await handbook();
  const one = await open(spaceId);
  const first = (await admin.content.revision({ spaceId })).parents[0]!;
  const elsewhere = (await admin.content.revision({ spaceId: await t.space() })).id;
  for (const change of [
    { page: "nothing" },
    { page: setup, revision: "nothing" },
    { page: setup, revision: elsewhere },
    { page: setup, revision: first },
  ]) {
    const wrong = edit(one, { operation: "revert_page", ...change });
    await expect(wrong).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const reader = t.as({ acme: "read" }, { id: "reader" });
  const change: Change = { operation: "revert_page", page: setup };
  await expect(reader.changeRequests.edit({ ...one, changes: [change] })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

const textOf = async (one: Request, pageId: string) =>
  ((await admin.changeRequestContent.page({ ...one, pageId })) as { markdown: string }).markdown;
const keysOf = async (one: Request, pageId: string) =>
  (await admin.changeRequestContent.pageDocument({ ...one, pageId })).nodes.map(({ key }) => String(key));

/** A space with a page of three paragraphs below its title. */
async function paragraphs() {
  const { spaceId, setup: page } = await handbook();
  const write = (text: string): Change => ({ operation: "update_page", page, document: { markdown: text } });
  await admin.changeRequests.merge(await open(spaceId, write("# Setup\n\nOne.\n\nTwo.\n\nThree.\n")));
  return { spaceId, page, write };
}

test("revert_page with `block` puts those blocks back, by the keys of either state, and leaves all else", async () => {
  const { spaceId, page, write } = await paragraphs();
  const fresh = await open(spaceId);
  const [, two] = await keysOf(fresh, page);
  const one = await open(
    spaceId,
    { operation: "update_page", page, emoji: "1f527", into: null },
    write("# Setup\n\nEins.\n\nThree.\n\nNew.\n"),
  );
  const [, , added] = await keysOf(one, page);
  await edit(one, { operation: "revert_page", page, block: [two!, added!] });
  expect(await textOf(one, page)).toBe("---\nemoji: 1f527\n---\n\n# Setup\n\nEins.\n\nTwo.\n\nThree.\n");
  expect(await admin.changeRequestContent.page({ ...one, pageId: page })).toMatchObject({ path: "setup" });
  const { revision } = await admin.changeRequests.get(fresh);
  await edit(one, { operation: "revert_page", page, revision, block: (await keysOf(one, page)).slice(0, 1) });
  expect(await textOf(one, page)).toContain("# Setup\n\nOne.\n\nTwo.\n\nThree.\n");
});

test("a block that is put back takes what the primary content has, also where that was decided otherwise", async () => {
  for (const decided of [false, true]) {
    const { spaceId, page, write } = await paragraphs();
    const one = await open(spaceId, write("# Setup\n\nEins.\n\nTwo.\n\nDrei.\n"));
    await admin.changeRequests.merge(await open(spaceId, write("# Setup\n\nUno.\n\nTwo.\n\nThree.\n")));
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    if (decided) await edit(one, { operation: "update_page", page });
    const [first] = await keysOf(one, page);
    await edit(one, { operation: "revert_page", page, block: [first!] });
    expect((await admin.changeRequests.merge(one)).result).toBe("merge");
    const { markdown } = (await admin.content.page({ spaceId, pageId: page })) as { markdown: string };
    expect(markdown).toContain("# Setup\n\nUno.\n\nTwo.\n\nDrei.\n");
  }
});

test("keys that neither state has are 400 and change nothing; so is what has no blocks", async () => {
  const { spaceId, page, write } = await paragraphs();
  const one = await open(spaceId, write("# Setup\n\nEins.\n"));
  const before = await admin.changeRequests.get(one);
  const [first] = await keysOf(one, page);
  const wrong = edit(one, { operation: "revert_page", page, block: [first!, "nothing", "none"] });
  await expect(wrong).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { issues: [{ path: "body.changes.0", message: expect.stringContaining("nothing, none") }] },
  });
  for (const block of [[], [""], "x"])
    await expect(edit(one, { operation: "revert_page", page, block } as Change)).rejects.toThrow("block");
  const inserted: Change = {
    operation: "insert_page",
    title: "New",
    ref: "new",
    document: { markdown: "Text." },
  };
  await expect(
    edit(one, inserted, { operation: "revert_page", page: "new", block: [first!] }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await admin.changeRequests.get(one)).toEqual(before);
});
