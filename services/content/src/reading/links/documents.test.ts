import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { migrations } from "../../migrations.js";
import { contentTest } from "../../testing/content.js";
import { found, writing } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const { spaceWith, open } = writing(t, admin);

type Document = NonNullable<
  Parameters<typeof admin.changeRequests.edit>[0]["changes"][number] & { document: unknown }
>;
const documentAt = async (spaceId: string, pageId: string) => {
  const page = await admin.content.page({ spaceId, pageId, format: "document" });
  return (page as { document: NonNullable<unknown> }).document;
};
const markdownAt = async (spaceId: string, pageId: string) => {
  const page = await admin.content.page({ spaceId, pageId });
  return (page as { markdown: string }).markdown;
};

/** The refs of a document, in order. */
function refsOf(document: unknown): unknown[] {
  const refs: unknown[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === "ref") refs.push(value);
    return value;
  });
  return refs;
}

test("a document names pages, anchors and files of the space by their ids, wherever they move", async () => {
  const { spaceId, pages, files } = await spaceWith(
    {
      from: '[to](to.md) [there](to.md#x) [here](#y) [lost](lost.md) [out](https://example.com/) ![](.gitbook/assets/dot.png)\n\n{% content-ref url="to.md" %}\n[to.md](to.md)\n{% endcontent-ref %}\n',
      to: "## X\n",
      folder: "F.\n",
    },
    ["dot.png"],
  );
  const page = pages.to!;
  const expected = [
    { kind: "page", page },
    { kind: "anchor", anchor: "x", page },
    { kind: "anchor", anchor: "y" },
    { kind: "url", url: "lost.md" },
    { kind: "url", url: "https://example.com/" },
    { kind: "file", file: files["dot.png"] },
    { kind: "page", page },
  ];
  expect(refsOf(await documentAt(spaceId, pages.from!))).toEqual(expected);
  const before = await markdownAt(spaceId, pages.from!);
  await open(spaceId, [
    { operation: "update_page", page, into: pages.folder!, slug: "elsewhere" },
    { operation: "update_page", page: pages.from!, into: pages.folder! },
  ]);
  expect(refsOf(await documentAt(spaceId, pages.from!))).toEqual(expected);
  expect(await markdownAt(spaceId, pages.from!)).toBe(before);
  expect(refsOf(await admin.content.pageDocument({ spaceId, pageId: pages.from! }))).toEqual(expected);
});

test("a document that is sent back as it was read changes no address that still leads there", async () => {
  const markdown =
    "[to](to.md) and [there](guide/deep.md#x), [lost](lost.md), ![](.gitbook/assets/dot.png)\n";
  const { spaceId, pages } = await spaceWith({ from: markdown, to: "To.\n", guide: "G.\n" }, ["dot.png"]);
  await open(spaceId, [
    {
      operation: "insert_page",
      title: "deep",
      into: pages.guide!,
      document: { markdown: "[up](../from.md)\n\n## X\n" },
    },
  ]);
  const back = async (pageId: string) => {
    const document = (await documentAt(spaceId, pageId)) as Document["document"];
    await open(spaceId, [{ operation: "update_page", page: pageId, document: { document } as never }]);
    return document;
  };
  const read = await back(pages.from!);
  expect(await markdownAt(spaceId, pages.from!)).toBe(`# from\n\n${markdown}`);
  expect(await documentAt(spaceId, pages.from!)).toEqual(read);
  const { pages: tree } = await admin.content.pages({ spaceId });
  const deep = (tree.find(({ title }) => title === "guide") as { pages: { id: string }[] }).pages[0]!.id;
  await back(deep);
  expect(await markdownAt(spaceId, deep)).toBe("# deep\n\n[up](../from.md)\n\n## X\n");
  // After a move the address is written anew, from where the page lies and to where the other does.
  await open(spaceId, [{ operation: "update_page", page: pages.to!, into: pages.guide!, slug: "moved" }]);
  await back(pages.from!);
  expect(await markdownAt(spaceId, pages.from!)).toContain("[to](guide/moved.md)");
  expect(found(await admin.links.listOfPage({ spaceId, pageId: pages.from! }))).toContain(
    "from -> ok page to",
  );
});

test("refs by id in a document that is sent are links: to what is there, and broken to what is not", async () => {
  const { spaceId, pages } = await spaceWith({ target: "T.\n" });
  const link = (ref: Record<string, string>) => ({
    object: "inline" as const,
    type: "link",
    data: { ref },
    nodes: [{ object: "text" as const, leaves: [{ object: "leaf" as const, text: "x", marks: [] }] }],
  });
  const refs: Record<string, string>[] = [
    { kind: "page", page: pages.target! },
    { kind: "page", page: "nothing" },
    { kind: "file", file: "nothing" },
    { kind: "page", page: "theirs", space: "another" },
    { kind: "space", space: spaceId },
    { kind: "user", user: "user-9" },
  ];
  const paragraph = { object: "block" as const, type: "paragraph", data: {}, nodes: refs.map(link) };
  const document = { object: "document" as const, data: { schemaVersion: 1 }, nodes: [paragraph] };
  await open(spaceId, [{ operation: "insert_page", title: "sent", document: { document } as never }]);
  expect(found(await admin.links.list({ spaceId }))).toEqual([
    "sent -> ok page target",
    "sent -> broken /broken/pages/nothing",
    "sent -> broken /broken/files/nothing",
    "sent -> broken /broken/spaces/another/pages/theirs",
    "sent -> ok space",
    "sent -> ok nothing",
  ]);
  const { pages: tree } = await admin.content.pages({ spaceId });
  const sent = tree.find(({ title }) => title === "sent")!.id;
  expect(refsOf(await documentAt(spaceId, sent))).toEqual(refs);
});

test("references that are older than their table are found at the first question, or before the first edit", async () => {
  const texts = { from: "[to](to.md) [late](late.md)\n", to: "T.\n" };
  const forget = async (spaceId: string) => {
    await t.db.deleteFrom("reference").where("space", "=", spaceId).execute();
    await t.db.insertInto("reference_pending").values({ space: spaceId }).execute();
  };
  const { spaceId, pages } = await spaceWith(texts);
  await forget(spaceId);
  const links = ["from -> ok page to", "from -> broken late.md"];
  const [one, other] = await Promise.all([admin.links.list({ spaceId }), admin.links.list({ spaceId })]);
  expect([found(one), found(other)]).toEqual([links, links]);
  await forget(spaceId);
  await open(spaceId, [{ operation: "update_page", page: pages.to!, slug: "moved" }]);
  expect(found(await admin.links.list({ spaceId }))).toEqual(links);
  await forget(spaceId);
  const copy = await admin.spaces.duplicate({ spaceId });
  expect((await admin.links.list({ spaceId: copy.id })).stats).toEqual({ total: 2, broken: { total: 1 } });
});

test("a copy of a space has links of its own", async () => {
  const { spaceId, pages } = await spaceWith({ from: "[to](to.md)\n", to: "T.\n" });
  await open(spaceId, [{ operation: "update_page", page: pages.to!, slug: "moved" }]);
  const copy = await admin.spaces.duplicate({ spaceId });
  await open(spaceId, [{ operation: "delete_page", page: pages.to! }]);
  expect(found(await admin.links.list({ spaceId: copy.id }))).toEqual(["from -> ok page to"]);
  expect(found(await admin.links.list({ spaceId }))).toEqual(["from -> broken to.md"]);
});

test("anchors that were kept of texts before are read again after the migration", async () => {
  const { spaceId } = await spaceWith({
    from: "[x](to.md#copymove)\n",
    to: "## Copy/Move\n",
  });
  const links = async () => found(await admin.links.list({ spaceId }));
  expect(await links()).toEqual(["from -> ok page to#copymove"]);
  await t.db
    .updateTable("outline")
    .set({ anchors: ["copy-move"] })
    .where("space", "=", spaceId)
    .execute();
  t.base.cache.clear();
  expect(await links()).toEqual(["from -> broken page to#copymove"]);
  await migrations["0043-cleared-outlines"].up(t.db as never);
  t.base.cache.clear();
  expect(await links()).toEqual(["from -> ok page to#copymove"]);
});

test("anchors that a copy of an earlier release keeps beside this one are read again", async () => {
  const { spaceId } = await spaceWith({ from: "[x](to.md#copymove)\n", to: "## Copy/Move\n" });
  const links = async () => found(await admin.links.list({ spaceId }));
  await sql`insert into outline (space, body, anchors)
    select space, hash, '{copy-move}' from body where space = ${spaceId}`.execute(t.db);
  expect(await links()).toEqual(["from -> ok page to#copymove"]);
  t.base.cache.clear();
  expect(await links()).toEqual(["from -> ok page to#copymove"]);
});
