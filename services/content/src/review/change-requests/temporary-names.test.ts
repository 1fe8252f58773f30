import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];

async function draft() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  return { one, edit: (...changes: Changes) => admin.changeRequests.edit({ ...one, changes }) };
}

const insert = (title: string, ref: string) => ({
  operation: "insert_page" as const,
  title,
  ref,
  document: {},
});
const files = (ref: string) => ({
  operation: "insert_files" as const,
  files: [{ name: "a.txt", ref, base64: "YQ==" }],
});

/** A document of links. */
const links = (...refs: object[]) => ({
  document: {
    object: "document",
    data: {},
    nodes: [
      {
        object: "block",
        type: "paragraph",
        isVoid: false,
        data: {},
        nodes: refs.map((ref) => ({
          object: "inline",
          type: "link",
          isVoid: false,
          data: { ref },
          nodes: [{ object: "text", leaves: [{ object: "leaf", marks: [], text: ref.constructor.name }] }],
        })),
      },
    ],
  },
});

test("a document names pages and files of its batch, earlier or later ones, by their refs", async () => {
  const { one, edit } = await draft();
  const document = links(
    { kind: "page", page: "before" },
    { kind: "anchor", page: "after", anchor: "x" },
    { kind: "file", file: "text" },
    { kind: "file", file: "before" },
  );
  await edit(
    insert("Before", "before"),
    { ...insert("Index", "index"), document: document as never },
    insert("After", "after"),
    files("text"),
  );
  const { pages } = await admin.changeRequestContent.pages(one);
  const [before, index, after] = pages.map(({ id }) => id);
  const { items } = await admin.changeRequestContent.files(one);
  const read = await admin.changeRequestContent.pageDocument({ ...one, pageId: index! });
  const refs = [...JSON.stringify(read).matchAll(/"ref":(\{[^}]*\})/g)].map(([, ref]) => JSON.parse(ref!));
  expect(refs).toEqual([
    { kind: "page", page: before },
    { kind: "anchor", page: after, anchor: "x" },
    { kind: "file", file: items[0]!.id },
    { kind: "file", file: "before" },
  ]);
});

test("a ref that is given twice, or is an id in use, is 400 and names the path", async () => {
  const { one, edit } = await draft();
  await edit(insert("There", "there"));
  const { pages } = await admin.changeRequestContent.pages(one);
  const twice: [Changes, string][] = [
    [[insert("A", "a"), insert("B", "a")], "body.changes.1.ref"],
    [[insert("A", "a"), files("a")], "body.changes.1.files.0.ref"],
    [[insert("A", pages[0]!.id)], "body.changes.0.ref"],
  ];
  for (const [changes, path] of twice)
    await expect(edit(...changes)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: { issues: [{ path, message: expect.any(String) }] },
    });
});

test("a slug that is a step in a path and a title of no line are refused", async () => {
  const { edit } = await draft();
  for (const fields of [
    { slug: "." },
    { slug: ".." },
    { title: " " },
    { title: "a\nb" },
    { title: "a\u2028b" },
  ])
    await expect(edit({ ...insert("A", "a"), ...fields })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await edit({ ...insert("..", "a"), slug: "..." });
  await edit(insert("..", "b"));
});
