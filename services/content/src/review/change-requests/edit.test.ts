import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open, spaceWith } = changeRequestsOf(t);

test("POST content applies a batch in order: pages by temporary names, places, and a subtree that goes", async () => {
  const { spaceId, pages } = await spaceWith("Alpha", "Beta");
  const [alpha, beta] = pages as unknown as [{ id: string }, { id: string }];
  const one = await open(
    spaceId,
    {
      operation: "insert_page",
      title: "Gamma",
      into: alpha.id,
      ref: "gamma",
      document: { markdown: "Text." },
    },
    { operation: "insert_page", title: "Delta", into: "gamma", document: {} },
    { operation: "insert_page", title: "First", at: 0, document: { markdown: "# First\n\nHello.\n" } },
    { operation: "delete_page", page: beta.id },
  );
  const { pages: seen } = await admin.changeRequestContent.pages(one);
  expect(seen).toMatchObject([
    { title: "First", path: "first" },
    {
      title: "Alpha",
      path: "alpha",
      pages: [{ title: "Gamma", path: "alpha/gamma", pages: [{ title: "Delta" }] }],
    },
  ]);
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([
    { title: "Alpha", pages: [] },
    { title: "Beta" },
  ]);
  await admin.changeRequests.merge(one);
  expect((await admin.content.pages({ spaceId })).pages).toEqual(seen);
});

test("POST content is all or nothing", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const { id } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId: id };
  const changes = [
    { operation: "insert_page" as const, title: "Kept?", document: {} },
    { operation: "update_page" as const, page: "nobody", title: "x" },
  ];
  await expect(admin.changeRequests.edit({ ...one, changes })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await admin.changeRequestContent.pages(one)).pages).toEqual(pages);
  expect((await admin.changeRequests.get(one)).revision).toBe(
    (await admin.changeRequests.get(one)).revisionInitial,
  );
});

test("POST content refuses a page under itself, 51 changes, and an edit of what is merged", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, {
    operation: "insert_page",
    title: "Child",
    into: page,
    ref: "child",
    document: {},
  });
  const child = (
    (await admin.changeRequestContent.page({ ...one, pageId: page })) as { pages: { id: string }[] }
  ).pages[0]!.id;
  const move = { operation: "update_page" as const, page, into: child };
  await expect(admin.changeRequests.edit({ ...one, changes: [move] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  const many = Array.from({ length: 51 }, () => ({ operation: "insert_page" as const, document: {} }));
  await expect(admin.changeRequests.edit({ ...one, changes: many })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await admin.changeRequests.merge(one);
  const late = [{ operation: "update_page" as const, page, title: "Late" }];
  await expect(admin.changeRequests.edit({ ...one, changes: late })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(admin.changeRequests.merge(one)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("insert_files keeps a file whose download works, and its kind comes from its bytes", async () => {
  const spaceId = await t.space();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEElEQVR4nGP4z8DwH4QZYAwAR8oH+WdZgu0AAAAASUVORK5CYII=";
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const changes = [{ operation: "insert_files" as const, files: [{ name: "dot.bin", base64: png }] }];
  const edited = await admin.changeRequests.edit({ ...one, changes, compat: false });
  expect(edited).toMatchObject({
    insertedFiles: [{ name: "dot.bin", contentType: "image/png", dimensions: { width: 2, height: 3 } }],
  });
  const { items, count } = await admin.changeRequestContent.files(one);
  expect(count).toBe(1);
  expect(await admin.changeRequestContent.file({ ...one, fileId: items[0]!.id })).toEqual(items[0]);
});
