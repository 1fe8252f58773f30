import { createHttpServer } from "@octavo/shared/http";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });
type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];

const insert = (title: string) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown: "Text." },
});

/** A change request on a space whose primary content has these pages; returns their ids too. */
async function openOn(...titles: string[]) {
  const spaceId = await t.space();
  const open = async () => ({
    spaceId,
    changeRequestId: (await admin.changeRequests.create({ spaceId })).id,
  });
  const first = await open();
  if (titles.length > 0) await admin.changeRequests.edit({ ...first, changes: titles.map(insert) });
  await admin.changeRequests.merge(first);
  const { pages } = await admin.content.pages({ spaceId });
  return { one: await open(), ids: pages.map(({ id }) => id) };
}
type One = Awaited<ReturnType<typeof openOn>>["one"];
const pathsOf = async (one: One) =>
  (await admin.changeRequestContent.pages(one)).pages.map((page) => (page as { path?: string }).path);

/** The refusal of changes, which then have changed nothing. */
async function refusal(one: One, changes: Changes) {
  const before = await admin.changeRequests.get(one);
  const error: { code: string; message: string; details?: { issues?: unknown } } = await admin.changeRequests
    .edit({ ...one, changes })
    .then(
      () => expect.fail("the changes were taken"),
      (error) => error,
    );
  expect(await admin.changeRequests.get(one)).toEqual(before);
  return error;
}

test("fifty changes are one revision, fifty-one are refused", async () => {
  const { one } = await openOn();
  const changes = Array.from({ length: 50 }, (_, at) => insert(`Page ${at}`));
  const edited = await admin.changeRequests.edit({ ...one, changes, compat: false });
  expect(edited).toMatchObject({ changes: { length: 50 } });
  expect(await pathsOf(one)).toHaveLength(50);
  const revisions = await t.db
    .selectFrom("revision")
    .select("seq")
    .where("branch", "=", one.changeRequestId)
    .execute();
  expect(revisions).toEqual([{ seq: 1 }]);
  expect((await refusal(one, [...changes, insert("One more")])).code).toBe("BAD_REQUEST");
});

test.each<[string, (known: string) => Changes]>([
  ["update_page", () => [{ operation: "update_page", page: "nobody", title: "x" }]],
  ["delete_page", () => [{ operation: "delete_page", page: "nobody" }]],
  ["insert_page into", () => [{ ...insert("x"), into: "nobody" }]],
  ["update_page into", (page) => [{ operation: "update_page", page, into: "nobody" }]],
  [
    "a name that is given later",
    () => [
      { ...insert("x"), into: "nobody" },
      { ...insert("y"), ref: "nobody" },
    ],
  ],
])("%s of an unknown page is 404 and names the change and the page", async (_, changesOn) => {
  const { one, ids } = await openOn("Alpha");
  const changes = [insert("Fine"), ...changesOn(ids[0]!)];
  const message = "Page nobody: not found";
  expect(await refusal(one, changes)).toMatchObject({
    code: "NOT_FOUND",
    message: `body.changes.1: ${message}`,
    details: { issues: [{ path: "body.changes.1", message }] },
  });
});

test("a page that the same batch deleted is not there any more, nor what was below it", async () => {
  const { one, ids } = await openOn("Alpha");
  const page = ids[0]!;
  const child = { ...insert("Child"), into: page, ref: "child" };
  const gone = { operation: "delete_page" as const, page };
  const changes: Changes = [child, gone, { operation: "update_page", page: "child", title: "x" }];
  expect((await refusal(one, changes)).message).toMatch(/^body\.changes\.2: Page \w+: not found$/);
  await admin.changeRequests.edit({ ...one, changes: [child, gone] });
  expect(await pathsOf(one)).toEqual([]);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
});

test("a page does not go under itself, nor under what is below it, in one step or in several", async () => {
  const { one, ids } = await openOn("Alpha", "Beta");
  const [alpha, beta] = ids as [string, string];
  const move = (page: string, into: string) => ({ operation: "update_page" as const, page, into });
  for (const changes of [
    [move(alpha, alpha)],
    [move(alpha, beta), move(beta, alpha)],
    [{ ...insert("Child"), into: alpha, ref: "child" }, move(beta, "child"), move(alpha, beta)],
  ]) {
    expect(await refusal(one, changes)).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^body\.changes\.\d: Page: \w+ can not go under itself$/),
    });
  }
});

test("slugs that meet get a suffix: in a batch, with what is there, and after a move or a rename", async () => {
  const { one, ids } = await openOn("Same", "Other");
  const [, other] = ids as [string, string];
  await admin.changeRequests.edit({
    ...one,
    changes: [
      insert("Same"),
      insert("Same"),
      { operation: "update_page", page: other, slug: "same" },
      { ...insert("Parent"), ref: "parent" },
      { ...insert("Same"), into: "parent", ref: "child" },
      { operation: "update_page", page: "child", into: null },
    ],
  });
  expect(await pathsOf(one)).toEqual(["same", "same-3", "same-1", "same-2", "parent", "same-4"]);
  await admin.changeRequests.merge(one);
  const { pages } = await admin.content.pages({ spaceId: one.spaceId });
  expect(new Set(pages.map((page) => (page as { path?: string }).path)).size).toBe(6);
});

test("a page can be changed more than once in a batch, and goes to the end for an index beyond it", async () => {
  const { one, ids } = await openOn("Alpha", "Beta");
  const page = ids[0]!;
  await admin.changeRequests.edit({
    ...one,
    changes: [
      { operation: "update_page", page, title: "Alef" },
      { operation: "update_page", page, document: { markdown: "# Aleph\n\nText.\n" } },
      { operation: "update_page", page, at: 1000 },
    ],
  });
  const { pages } = await admin.changeRequestContent.pages(one);
  expect(pages.map(({ title }) => title)).toEqual(["Beta", "Aleph"]);
});

test("a locked space is edited through change requests, and a merge goes into it", async () => {
  const { one } = await openOn();
  const editor = t.as({ acme: "edit" }, { id: "eve" });
  expect((await admin.spaces.get({ spaceId: one.spaceId })).editMode).toBe("locked");
  await editor.changeRequests.edit({ ...one, changes: [insert("Page")] });
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect((await admin.content.pages({ spaceId: one.spaceId })).pages).toHaveLength(1);
});

test("a page of more than 100,000 lines is 400", async () => {
  const { one } = await openOn();
  const page = (lines: number) => ({ ...insert("Lines"), document: { markdown: "a\n".repeat(lines) } });
  const edit = (lines: number) => admin.changeRequests.edit({ ...one, changes: [page(lines)] });
  await expect(edit(100_000)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await edit(99_999);
  expect(await pathsOf(one)).toEqual(["lines"]);
});

test("a page of 5 MB is 400 and names what is too long, a body of 33 MB is 413", async () => {
  const { one } = await openOn();
  const gateway = testKeys("gateway");
  const server = createHttpServer({
    name: "content",
    version: "1.0.0",
    router,
    log: t.ctx.log,
    base: t.base,
    verifier: gateway.verifier,
    unready: async () => [],
  });
  const { send, close } = await listen(server, await gateway.sign(t.user({ acme: "admin" }, { id: "ada" })));
  const path = `/v1/spaces/${one.spaceId}/change-requests/${one.changeRequestId}/content`;
  const page = (length: number) => ({ ...insert("Long"), document: { markdown: "x".repeat(length) } });
  try {
    const long = await send("POST", path, { body: { changes: [insert("Fine"), page(5_000_000)] } });
    expect(long.status).toBe(400);
    expect(long.body.error.issues).toMatchObject([{ path: "body.changes.1.document.markdown" }]);
    const huge = await send("POST", path, { body: { changes: [page(33 * 1024 * 1024)] } });
    expect(huge.status).toBe(413);
    const fine = await send("POST", path, { body: { changes: [page(2 * 1024 * 1024)] } });
    expect(fine.status).toBe(200);
  } finally {
    await close();
  }
  expect(await pathsOf(one)).toEqual(["long"]);
});

test("a text without frontmatter leaves layout, cover, variables and the rest as they were; frontmatter sets them", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const front = [
    "---",
    "# Said once",
    "layout:",
    "  width: wide",
    "  cover:",
    "    size: full",
    "  tags:",
    "    visible: false",
    "cover: https://example.com/a.png",
    "coverY: 3",
    "vars:",
    "  a: 1",
    "icon: gear",
    "---",
  ].join("\n");
  const inserted = { markdown: `${front}\n\n# Kept\n\nText.\n` };
  await admin.changeRequests.edit({ ...one, changes: [{ operation: "insert_page", document: inserted }] });
  const pageId = (await admin.changeRequestContent.pages(one)).pages[0]!.id;
  const shown = async () =>
    (await admin.changeRequestContent.page({ ...one, pageId })) as Record<string, unknown>;
  const properties = {
    layout: { ...((await shown()).layout as object), width: "wide", coverSize: "full" },
    cover: { ref: { kind: "url", url: "https://example.com/a.png" }, yPos: 3 },
    variables: { a: 1 },
    icon: "gear",
  };
  const write = (document: object) =>
    admin.changeRequests.edit({ ...one, changes: [{ operation: "update_page", page: pageId, document }] });
  await write({ markdown: "# Kept\n\nOther.\n" });
  expect(await shown()).toMatchObject({ ...properties, markdown: `${front}\n\n# Kept\n\nOther.\n` });
  await write({ document: await admin.changeRequestContent.pageDocument({ ...one, pageId }) });
  expect(await shown()).toMatchObject({ ...properties, markdown: `${front}\n\n# Kept\n\nOther.\n` });
  await write({ markdown: "---\nvars:\n  b: 2\n---\n\n# Kept\n" });
  const updated = await shown();
  expect(updated).toMatchObject({ variables: { b: 2 }, icon: "gear", layout: { width: "default" } });
  expect(updated).not.toHaveProperty("cover.ref");
  const cleared = { operation: "update_page" as const, page: pageId, icon: "" };
  await admin.changeRequests.edit({ ...one, changes: [cleared] });
  expect((await shown()).icon).toBeUndefined();
});
