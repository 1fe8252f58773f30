import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { Post, Update } from "./schema.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });

test("a body is accepted as markdown or as a document, and returned as either", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const words = {
    object: "text",
    leaves: [{ object: "leaf", text: "bold", marks: [{ object: "mark", type: "bold" }] }],
  };
  const document = {
    object: "document" as const,
    data: {},
    nodes: [{ object: "block" as const, type: "paragraph", nodes: [words] }],
  };
  const { id, body } = await mount.of(ada).post({ ...at, body: { document } });
  expect(body).toEqual({ markdown: "**bold**\n" });
  const shown = await mount.of(ada).get({ ...at, commentId: id, format: "document" });
  expect(shown.body).toMatchObject({ document: { object: "document", nodes: [{ type: "paragraph" }] } });
  expect(JSON.stringify(shown.body)).toContain('"bold"');
  // The first heading is no title here, as it would be on a page.
  await mount.of(ada).post({ ...at, body: text("# Heading\n\nText") });
  const { items } = await mount.of(ada).list({ ...at, format: "document" });
  expect(items[0]!.body).toMatchObject({
    document: { nodes: [{ type: "heading-1" }, { type: "paragraph" }] },
  });
  const empty = { ...document, nodes: [{ object: "block" as const, type: "paragraph" }] };
  await expect(mount.of(ada).post({ ...at, body: { document: empty } })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { issues: [{ path: "body.body.document" }] },
  });
  const long = { object: "text", leaves: [{ object: "leaf", text: "x".repeat(65_537), marks: [] }] };
  const tooLong = { ...document, nodes: [{ object: "block" as const, type: "paragraph", nodes: [long] }] };
  await expect(mount.of(ada).post({ ...at, body: { document: tooLong } })).rejects.toThrow("is longer than");
});

const spaceId = "s";
test.each([
  ["nothing", {}],
  ["an empty text", text("")],
  ["blanks", text(" \n\t")],
  ["too much", text("x".repeat(65_537))],
  ["a word", "text"],
  ["both forms", { ...text("x"), document: { object: "document", data: {}, nodes: [] } }],
  ["another form", { html: "<p>" }],
  [
    "an unknown block",
    { document: { object: "document", data: {}, nodes: [{ object: "block", type: "x" }] } },
  ],
])("a body of %s is refused", (_, body) => {
  expect(Post.safeParse({ spaceId, body }).success).toBe(false);
  expect(Update.safeParse({ spaceId, commentId: "c", body }).success).toBe(false);
});

test("comments of many marks are read on other threads, wherever they are listed", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const doneIn = async (call: Promise<unknown>) => {
    const before = t.base.work.done;
    await call;
    return t.base.work.done - before;
  };
  const marks = text("![".repeat(10_000));
  const { id: commentId } = await mount.of(ada).post({ ...at, body: marks });
  const list = () => mount.of(ada).list({ ...at, format: "document" });
  const replies = () => mount.of(ada).listReplies({ ...at, commentId, format: "document" });
  expect(await doneIn(list())).toBe(1);
  expect(await doneIn(replies())).toBe(0);
  for (const body of [marks, text("Words")]) await mount.of(ada).postReply({ ...at, commentId, body });
  expect(await doneIn(replies())).toBe(1);
  expect(await doneIn(mount.of(ada).list({ ...at, format: "markdown" }))).toBe(0);
});
