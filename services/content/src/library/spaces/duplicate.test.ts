import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { copyOf } from "./rules/duplicate.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const admin = () => t.as({ acme: "admin" });

async function written(title: string) {
  const { id: spaceId } = await admin().spaces.create({ organizationId: "acme", title, emoji: "1f3e0" });
  const { id: changeRequestId } = await admin().changeRequests.create({ spaceId });
  const changes = [
    { operation: "insert_page" as const, title: "Pelican", document: { markdown: "A bird.\n" } },
  ];
  await admin().changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin().changeRequests.merge({ spaceId, changeRequestId });
  return admin().spaces.get({ spaceId });
}

test("POST /spaces/{spaceId}/duplicate copies the content as it is now, and no history", async () => {
  const original = await written("Birds");
  await admin().spaces.create({ organizationId: "acme", title: "After" });
  const copy = await admin().spaces.duplicate({ spaceId: original.id });
  expect(copy).toMatchObject({
    title: "Copy of Birds",
    emoji: "1f3e0",
    changeRequests: 0,
    organization: "acme",
  });
  expect(copy.revision).not.toBe(original.revision);

  const pagesOf = async (spaceId: string) =>
    (await admin().content.pages({ spaceId })).pages as { id: string; title: string }[];
  const [page] = await pagesOf(copy.id);
  expect(page).toMatchObject({ title: "Pelican", id: (await pagesOf(original.id))[0]!.id });
  const read = await admin().content.page({ spaceId: copy.id, pageId: page!.id });
  expect(read).toMatchObject({ markdown: expect.stringContaining("A bird.") });
  expect(await admin().content.revision({ spaceId: copy.id })).toMatchObject({ parents: [], type: "edits" });

  const found = await admin().search.inSpace({ spaceId: copy.id, query: "pelican" });
  expect(found.items.map(({ id }) => id)).toEqual([page!.id]);
  const { items } = await admin().spaces.list({ organizationId: "acme" });
  expect(items.map(({ title }) => title)).toEqual(["Birds", "Copy of Birds", "After"]);

  const { id: changeRequestId } = await admin().changeRequests.create({ spaceId: copy.id });
  const changes = [{ operation: "delete_page" as const, page: page!.id }];
  await admin().changeRequests.edit({ spaceId: copy.id, changeRequestId, changes });
  await admin().changeRequests.merge({ spaceId: copy.id, changeRequestId });
  expect(await pagesOf(copy.id)).toEqual([]);
  expect(await pagesOf(original.id)).toHaveLength(1);
});

test("POST /spaces/{spaceId}/duplicate needs create where the copy will be; a closed space has a closed copy", async () => {
  const { id: spaceId } = await admin().spaces.create({ organizationId: "acme", title: "Closed" });
  await expect(t.as({ other: "admin" }).spaces.duplicate({ spaceId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(t.as({ acme: "review" }).spaces.duplicate({ spaceId })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await admin().spaces.update({ spaceId, defaultLevel: null });
  const { id: copy } = await admin().spaces.duplicate({ spaceId });
  await expect(t.as({ acme: "create" }, { id: "other" }).spaces.get({ spaceId: copy })).rejects.toMatchObject(
    {
      code: "NOT_FOUND",
    },
  );
});

test("the title of a copy stays within fifty characters and cuts none in two", () => {
  expect(copyOf("Guide")).toBe("Copy of Guide");
  expect(copyOf("")).toBe("Copy of");
  const family = "👨‍👩‍👧‍👦";
  const title = copyOf(`${"x".repeat(36)}${family}`);
  expect(title).toBe(`Copy of ${"x".repeat(36)}`);
  expect(copyOf("x".repeat(50))).toHaveLength(50);
});
