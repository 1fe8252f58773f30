import { afterAll, expect, test } from "vitest";
import { type Change, conflictSteps } from "../review/changes/testing.js";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open, change } = conflictSteps(t);

const insert = (title: string, place: { into?: string; ref?: string; at?: number } = {}): Change => ({
  operation: "insert_page",
  title,
  document: {},
  ...place,
});

interface Listed {
  id: string;
  title: string;
  slug: string;
  pages?: Listed[];
}
const listed = async (spaceId: string) => (await admin.content.pages({ spaceId })).pages as Listed[];
const outline = async (spaceId: string) => {
  const show = ({ slug, pages = [] }: Listed): string =>
    pages.length > 0 ? `${slug}(${pages.map(show)})` : slug;
  return (await listed(spaceId)).map(show).join(",");
};

/** A space with these pages at its top, and their ids by slug. */
async function spaceOf(...titles: string[]) {
  const spaceId = await t.space();
  await change(spaceId, ...titles.map((title) => insert(title)));
  return { spaceId, ids: Object.fromEntries((await listed(spaceId)).map(({ slug, id }) => [slug, id])) };
}

const merged = async (one: { spaceId: string; changeRequestId: string }) => {
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  return outline(one.spaceId);
};

test("a page that moves beside one of its slug gets a suffix, also where its position stays", async () => {
  const { spaceId, ids } = await spaceOf("one", "two");
  await change(spaceId, insert("same", { into: ids.one! }));
  const moved = (await listed(spaceId))[0]!.pages![0]!.id;
  const one = await open(spaceId, { operation: "update_page", page: moved, into: ids.two! });
  await change(spaceId, insert("same", { into: ids.two! }));
  expect(await merged(one)).toBe("one,two(same,same-1)");
});

test("a slug that the same change request gave up is free", async () => {
  const { spaceId, ids } = await spaceOf("first", "last");
  const one = await open(
    spaceId,
    { operation: "update_page", page: ids.first!, slug: "other" },
    insert("first"),
  );
  expect(await merged(one)).toBe("other,last,first");
});

test("a slug that the primary content gave a page meanwhile is taken, also when the change request edited that page", async () => {
  const { spaceId, ids } = await spaceOf("page");
  const one = await open(
    spaceId,
    { operation: "update_page", page: ids.page!, document: { markdown: "# page\n\nEdited.\n" } },
    insert("wanted"),
  );
  await change(spaceId, { operation: "update_page", page: ids.page!, slug: "wanted" });
  expect(await merged(one)).toBe("wanted,wanted-1");
});

test("a slug that a page is given where it stands gets a suffix when the primary content has it by now", async () => {
  const { spaceId, ids } = await spaceOf("page");
  const one = await open(spaceId, { operation: "update_page", page: ids.page!, slug: "wanted" });
  await change(spaceId, insert("wanted"));
  expect(await merged(one)).toBe("wanted-1,wanted");
});

test("pages of one slug that arrive together get different suffixes", async () => {
  const { spaceId } = await spaceOf("first");
  const one = await open(spaceId, insert("same"), insert("same"));
  await change(spaceId, insert("same"));
  const slugs = (await merged(one)).split(",");
  expect(slugs).toHaveLength(4);
  expect(new Set(slugs).size).toBe(4);
});

test("pages of one slug arrive under different pages with that slug", async () => {
  const { spaceId, ids } = await spaceOf("one", "two");
  const one = await open(
    spaceId,
    insert("same", { into: ids.one! }),
    insert("same", { into: ids.two! }),
    insert("same"),
  );
  expect(await merged(one)).toBe("one(same),two(same),same");
});

test("pages that both sides inserted at one place stand there, the primary content's first", async () => {
  const { spaceId } = await spaceOf("first", "last");
  const one = await open(spaceId, insert("own", { at: 1 }));
  await change(spaceId, insert("primary", { at: 1 }));
  expect(await merged(one)).toBe("first,primary,own,last");
});

test("the first pages that both sides put under pages follow each other, whatever their ids are", async () => {
  const parents = Array.from({ length: 8 }, (_, at) => `p${at}`);
  const { spaceId, ids } = await spaceOf(...parents);
  const inserted = (title: string) => parents.map((slug) => insert(title, { into: ids[slug]! }));
  const one = await open(spaceId, ...inserted("own"));
  await change(spaceId, ...inserted("primary"));
  expect(await merged(one)).toBe(parents.map((slug) => `${slug}(primary,own)`).join(","));
});

test("a page that moves to where the primary content put one stands behind it, whatever their ids are", async () => {
  const parents = Array.from({ length: 8 }, (_, at) => `p${at}`);
  const { spaceId, ids } = await spaceOf(...parents);
  const into = (slug: string) => ids[slug]!;
  await change(
    spaceId,
    ...parents.flatMap((slug) => [
      insert("first", { into: into(slug) }),
      insert("last", { into: into(slug) }),
    ]),
  );
  const pages = await listed(spaceId);
  const one = await open(
    spaceId,
    ...pages.map(
      ({ id, pages }): Change => ({ operation: "update_page", page: pages![1]!.id, into: id, at: 0 }),
    ),
  );
  await change(spaceId, ...parents.map((slug) => insert("primary", { into: into(slug), at: 0 })));
  expect(await merged(one)).toBe(parents.map((slug) => `${slug}(primary,last,first)`).join(","));
});

test("a page arrives between siblings in their order, in whatever order they came to stand there", async () => {
  const { spaceId, ids } = await spaceOf("second", "third", "first");
  const one = await open(spaceId, insert("own", { at: 0 }));
  await change(spaceId, { operation: "update_page", page: ids.first!, at: 0 });
  expect(await merged(one)).toBe("first,own,second,third");
});

test("pages that stay where they are keep their slugs and places when others arrive beside them", async () => {
  const { spaceId, ids } = await spaceOf("one", "two");
  const text = { markdown: "# Edited\n\nText.\n" };
  const one = await open(
    spaceId,
    insert("two", { at: 0 }),
    { operation: "update_page", page: ids.two!, document: text },
    { operation: "update_page", page: ids.one!, document: text },
  );
  await change(spaceId, insert("primary", { at: 0 }));
  expect(await merged(one)).toBe("primary,two-1,one,two");
});
