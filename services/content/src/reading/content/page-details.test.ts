import type { Ref } from "@octavo/markdown/document/refs";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { Change } from "../../review/change-requests/schema.js";
import { commitPrimary } from "../../revisions/primary.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

/** The first page of a change request that was made of these texts. */
async function pageOf(markdown: string) {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "insert_page" as const, document: { markdown } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  return pages[0]!;
}

const LAYOUT = {
  width: "default",
  coverSize: "hero",
  cover: true,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

test("a page has a whole layout, whatever its source sets", async () => {
  expect(await pageOf("# Plain\n")).toMatchObject({ layout: LAYOUT });
  const source = "---\nlayout:\n  width: wide\n  outline:\n    visible: false\n---\n\n# Wide\n";
  expect(await pageOf(source)).toMatchObject({ layout: { ...LAYOUT, width: "wide", outline: false } });
  const later = "---\nlayout:\n  cover:\n    visible: true\n    size: background\n---\n\n# Later\n";
  expect(await pageOf(later)).toMatchObject({ layout: { ...LAYOUT, coverSize: "full" } });
  const broken = "---\nlayout:\n  width: huge\n  outline: 7\n---\n\n# Broken\n";
  expect(await pageOf(broken)).toMatchObject({ layout: LAYOUT });
});

test("a page's cover, icon, emoji, flags and variables are those of its source", async () => {
  const page = await pageOf(
    "---\ncover: https://example.com/day.png\ncoverDark: https://example.com/night.png\ncoverY: -12.5\n" +
      "icon: book-open\nemoji: 📘\nhidden: true\nnoIndex: true\nnoRobotsIndex: true\nvars:\n  level: 3\n  on: true\n" +
      "---\n\n# Dressed\n",
  );
  expect(page).toMatchObject({
    cover: {
      ref: { kind: "url", url: "https://example.com/day.png" },
      refDark: { kind: "url", url: "https://example.com/night.png" },
      yPos: -12.5,
    },
    icon: "book-open",
    emoji: "📘",
    hidden: true,
    noIndex: true,
    noRobotsIndex: true,
    variables: { level: 3, on: true },
  });
});

test("a file that was added to the space is a page's cover, from wherever the page lies, and in the same request as well", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const at = { spaceId, changeRequestId };
  type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];
  const edit = (...changes: Changes) => admin.changeRequests.edit({ ...at, changes });
  const pictures = ["day.png", "night sky.png"].map((name) => ({
    name,
    base64: Buffer.from(name).toString("base64"),
  }));
  const covered = (folder: string, title: string) => ({
    markdown: `---\ncover: ${folder}.gitbook/assets/day.png\ncoverDark: ${folder}.gitbook/assets/night%20sky.png\n---\n\n# ${title}\n`,
  });
  await edit(
    { operation: "insert_files", files: pictures },
    { operation: "insert_page", document: covered("", "Top"), ref: "top" },
  );
  const { items } = await admin.changeRequestContent.files(at);
  const idOf = (name: string) => items.find((file) => file.name === name)!.id;
  const cover = {
    ref: { kind: "file", file: idOf("day.png") },
    refDark: { kind: "file", file: idOf("night sky.png") },
    yPos: 0,
  };
  const shown = async () => (await admin.changeRequestContent.pages(at)).pages as Shown[];
  const [top] = await shown();
  expect(top!.cover).toEqual(cover);
  await edit({ operation: "insert_page", into: top!.id, document: covered("../", "Below") });
  await edit({ operation: "insert_page", into: top!.id, document: covered("../../", "Outside") });
  const [below, outside] = (await shown())[0]!.pages;
  expect(below!.cover).toEqual(cover);
  expect(outside!.cover).toEqual({ yPos: 0 });
  await edit({
    operation: "update_page",
    page: below!.id,
    document: { markdown: "---\ncover: other.png\n---\n\n# B\n" },
  });
  expect((await shown())[0]!.pages[0]!.cover).toEqual({ yPos: 0 });
});

interface Shown {
  id: string;
  cover?: object;
  pages: Shown[];
}

test("properties in a source that no page can have are not shown, and stay in the source", async () => {
  const vars = `a: ${"x".repeat(257)}\n  1b: x\n  c: [x]\n  ok: y`;
  const source = `---\nicon: NOT AN ICON\nemoji: house\nvars:\n  ${vars}\n---\n\n# Odd\n`;
  const page = await pageOf(source);
  expect(page).toMatchObject({ icon: undefined, emoji: undefined, variables: { ok: "y" } });
});

test.each([
  ["emoji", "📘", true],
  ["emoji", "👩‍💻", true],
  ["emoji", "🇩🇪", true],
  ["emoji", "1️⃣", true],
  ["emoji", "1f3e0", true],
  ["emoji", "1f469-200d-1f4bb", true],
  ["emoji", "", true],
  ["emoji", "house", false],
  ["emoji", ":house:", false],
  ["emoji", "📘 book", false],
  ["emoji", "📘".repeat(51), false],
  ["icon", "book-open", true],
  ["icon", "Book", false],
  ["icon", "fa_book", false],
])("%s %j is taken: %s", (field, value, taken) => {
  const change = { operation: "update_page", page: "p", [field]: value };
  expect(Change.safeParse(change).success).toBe(taken);
});

const link = (id: string, target: Ref): Entry => ({
  id,
  kind: "page",
  parent: null,
  position: id,
  slug: null,
  title: id,
  body: null,
  git_path: null,
  git_oid: null,
  props: { type: "link", target },
  created_at: new Date(0).toISOString(),
  updated_at: null,
});

test("a link returns what it leads to, and where that is in a browser", async () => {
  const spaceId = await t.space();
  const targets = [
    { kind: "url", url: "https://example.com/a" },
    { kind: "page", page: "p1" },
    { kind: "page", page: "p1", space: "s1" },
    { kind: "anchor", page: "p1", anchor: "first steps" },
    { kind: "anchor", anchor: "here" },
    { kind: "space", space: "s1" },
    { kind: "file", file: "f1" },
  ];
  await transact(t.ctx, async (ctx) => {
    const head = await lockBranch(ctx, spaceId);
    const put = targets.map((target, index) => link(`l${index}`, target));
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject(targets.map((target) => ({ type: "link", kind: "link", target })));
  expect(pages.map((page) => (page as { href?: string }).href)).toEqual([
    "https://example.com/a",
    `http://app.test/s/${spaceId}/p1`,
    "http://app.test/s/s1/p1",
    `http://app.test/s/${spaceId}/p1#first%20steps`,
    undefined,
    "http://app.test/s/s1",
    undefined,
  ]);
  const one = await admin.content.page({ spaceId, pageId: "l3" });
  expect(one).toEqual(pages[3]);
  await expect(admin.content.pageDocument({ spaceId, pageId: "l3" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a link can be renamed, hidden and dressed, and has no document", async () => {
  const spaceId = await t.space();
  await transact(t.ctx, async (ctx) => {
    const head = await lockBranch(ctx, spaceId);
    const put = [link("one", { kind: "url", url: "https://example.com" })];
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const edit = (fields: object) =>
    admin.changeRequests.edit({
      spaceId,
      changeRequestId,
      changes: [{ operation: "update_page", page: "one", ...fields }],
    });
  await edit({ title: "New", emoji: "🔗", icon: "link", hidden: true });
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  expect(pages).toMatchObject([{ title: "New", emoji: "🔗", icon: "link", hidden: true, type: "link" }]);
  await expect(edit({ document: { markdown: "Text" } })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
