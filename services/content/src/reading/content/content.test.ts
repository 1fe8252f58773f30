import type { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { readTicket } from "../../files/download-url.js";
import { Change } from "../../review/change-requests/schema.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const stranger = t.as({ beta: "admin" });

async function spaceWithTree() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [
      {
        operation: "insert_page",
        ref: "a",
        title: "Guide",
        description: "What to do",
        document: { markdown: "Start.\n" },
      },
      {
        operation: "insert_page",
        ref: "b",
        into: "a",
        title: "Set up",
        document: { markdown: "Install.\n" },
      },
      { operation: "insert_page", into: "b", title: "On a Mac", document: { markdown: "Click.\n" } },
      {
        operation: "insert_files",
        files: [{ name: "notes.txt", base64: Buffer.from("hello").toString("base64") }],
      },
    ],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  return spaceId;
}

test("GET content returns the whole revision; metadata=false leaves git out", async () => {
  const spaceId = await spaceWithTree();
  const revision = await admin.content.revision({ spaceId });
  expect(revision).toMatchObject({
    object: "revision",
    type: "merge",
    pages: [
      {
        title: "Guide",
        description: "What to do",
        pages: [{ title: "Set up", pages: [{ title: "On a Mac" }] }],
      },
    ],
    files: [{ name: "notes.txt", contentType: "text/plain", size: 5 }],
    reusableContents: [],
  });
  expect(await admin.content.revision({ spaceId, metadata: false })).toEqual(revision);
});

test("GET content/pages nests pages with their paths and carries no texts", async () => {
  const spaceId = await spaceWithTree();
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([
    {
      path: "guide",
      type: "document",
      kind: "sheet",
      pages: [{ path: "guide/set-up", pages: [{ path: "guide/set-up/on-a-mac" }] }],
    },
  ]);
  expect(JSON.parse(JSON.stringify(pages[0]))).not.toHaveProperty("markdown");
});

test("GET content/page/{pageId} returns the source with the title line, and its children", async () => {
  const spaceId = await spaceWithTree();
  const { pages } = await admin.content.pages({ spaceId });
  const page = await admin.content.page({ spaceId, pageId: pages[0]!.id });
  expect(page).toMatchObject({ title: "Guide", path: "guide", pages: [{ title: "Set up" }] });
  expect((page as { markdown: string }).markdown).toBe(
    "---\ndescription: What to do\n---\n\n# Guide\n\nStart.\n",
  );
});

test("GET content/path/{pagePath} finds a page by its slugs, encoded or not, and nothing else", async () => {
  const spaceId = await spaceWithTree();
  const page = await admin.content.pageAtPath({ spaceId, pagePath: "guide/set-up/on-a-mac" });
  expect(page).toMatchObject({ title: "On a Mac", path: "guide/set-up/on-a-mac" });
  for (const pagePath of ["set-up", "guide/on-a-mac", "guide/set-up/on-a-mac/more"]) {
    await expect(admin.content.pageAtPath({ spaceId, pagePath })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

test("content of an unknown or foreign space, page, file or revision is 404", async () => {
  const spaceId = await spaceWithTree();
  await expect(admin.content.pages({ spaceId: "nothing" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.content.pages({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.content.page({ spaceId, pageId: "nothing" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(admin.content.file({ spaceId, fileId: "nothing" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(admin.revisionContent.pages({ spaceId, revisionId: "nothing" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("GET content/files pages through the files; a cursor of another list is 400", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const files = Array.from({ length: 5 }, (_, at) => ({
    name: `${at}.txt`,
    base64: Buffer.from(`${at}`).toString("base64"),
  }));
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "insert_files", files }],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const first = await admin.content.files({ spaceId, limit: 3 });
  const second = await admin.content.files({ spaceId, limit: 3, page: first.next!.page });
  expect([first.count, first.items.length, second.items.length, second.next]).toEqual([5, 3, 2, undefined]);
  expect(await admin.content.files({ spaceId, limit: 0 })).toEqual({ items: [], count: 5 });
  await expect(admin.content.files({ spaceId, page: "zzz" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a download address is signed: altered, renamed or expired it opens nothing", async () => {
  const spaceId = await spaceWithTree();
  const { items } = await admin.content.files({ spaceId });
  const [, ticket = "", fileName = ""] = /downloads\/([^/]+)\/([^/]+)$/.exec(items[0]!.downloadURL)!;
  const { downloadKey, clock, storage } = t.ctx;
  const address = { spaceId, ticket, fileName };
  const download = readTicket(downloadKey, address, clock());
  expect(download).toMatchObject({ name: "notes.txt", size: 5, contentType: "text/plain" });
  const content = (await storage.open(download!.hash)) as Readable;
  expect(Buffer.concat(await content.toArray()).toString()).toBe("hello");
  const altered = [
    { fileName: "other.txt" },
    { spaceId: "another" },
    { ticket: `${ticket.slice(0, -3)}AAA` },
  ];
  for (const change of altered)
    expect(readTicket(downloadKey, { ...address, ...change }, clock())).toBeUndefined();
  expect(readTicket("another key", address, clock())).toBeUndefined();
  expect(readTicket(downloadKey, address, new Date(Date.now() + 3 * 3_600_000))).toBeUndefined();
});

test("format=document returns the rich document in place of the markdown", async () => {
  const spaceId = await spaceWithTree();
  const { pages } = await admin.content.pages({ spaceId });
  const pageId = pages[0]!.id;
  const page = await admin.content.page({ spaceId, pageId, format: "document" });
  const words = { object: "text", leaves: [{ object: "leaf", text: "Start.", marks: [] }] };
  const paragraph = { object: "block", type: "paragraph", data: {}, nodes: [words] };
  expect(page).toMatchObject({
    title: "Guide",
    document: { object: "document", data: { schemaVersion: 1 }, nodes: [paragraph] },
  });
  expect(page).not.toHaveProperty("markdown");
  const atPath = await admin.content.pageAtPath({ spaceId, pagePath: "guide", format: "document" });
  expect(atPath).toEqual(page);
});

test("a document in a change is stored as markdown below the title, and read back as it was sent", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const text = (words: string) => [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }];
  const nodes = [
    { object: "block" as const, type: "heading-1", data: { id: "first" }, nodes: text("# One") },
    {
      object: "block" as const,
      type: "hint",
      data: { style: "info" },
      nodes: [{ object: "block", type: "paragraph", data: {}, nodes: text("Mind *this*.") }],
    },
  ];
  const document = { object: "document" as const, data: { schemaVersion: 1 }, nodes };
  const edit = (changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) =>
    admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await edit([{ operation: "insert_page", title: "Sent", document: { document } }]);
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  const at = { spaceId, changeRequestId, pageId: pages[0]!.id };
  expect(await admin.changeRequestContent.page(at)).toMatchObject({
    title: "Sent",
    markdown:
      '# Sent\n\n## # One <a href="#first" id="first"></a>\n\n{% hint style="info" %}\nMind \\*this\\*.\n{% endhint %}\n',
  });
  const read = await admin.changeRequestContent.page({ ...at, format: "document" });
  expect(read).toMatchObject({ document: { nodes: [{ ...nodes[0], meta: { id: "first" } }, nodes[1]] } });
  await edit([
    {
      operation: "update_page",
      page: at.pageId,
      document: { document: { ...document, nodes: [nodes[1]!] } },
    },
  ]);
  expect(await admin.changeRequestContent.page(at)).toMatchObject({
    title: "Sent",
    markdown: '# Sent\n\n{% hint style="info" %}\nMind \\*this\\*.\n{% endhint %}\n',
  });
});

test.each([
  [{ document: {} }, "document.document.nodes"],
  [
    { document: { object: "document", data: {}, nodes: [{ object: "block", type: "blink" }] } },
    "document.document.nodes.0",
  ],
  [
    { markdown: "a", document: { object: "document", data: {}, nodes: [] } },
    "takes markdown or a document, not both",
  ],
])("a change with the document %j is refused by name", (document, named) => {
  const { error } = Change.safeParse({ operation: "insert_page", title: "New", document });
  const issues = error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  expect(issues.join("\n")).toContain(named);
});

test("the mount of a space returns its primary content, also to a query that names a change request", async () => {
  const spaceId = await spaceWithTree();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "insert_page", title: "Draft", document: { markdown: "" } } as const];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  const primary = await admin.content.pages({ spaceId });
  expect(await admin.content.pages({ spaceId, changeRequestId })).toEqual(primary);
  const drafted = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  expect(drafted.pages).toHaveLength(primary.pages.length + 1);
});
