import { counted } from "@octavo/shared/testing/counted";
import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { spaceWith } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const organizationId = "acme";
const admin = t.as({ acme: "admin" });

const listing = { query: "heron", limit: 50 };

test("search.inSpaces finds in the spaces that are named alone, with what is above each page", async () => {
  const named = await spaceWith(t, ["# Birds\n\nThe heron.\n"], { title: "Named" });
  const other = await spaceWith(t, ["# Birds\n\nThe heron.\n"], { title: "Other" });
  const unnamed = await spaceWith(t, ["# Heron\n"], { title: "Unnamed" });
  const [bird] = (await admin.content.pages({ spaceId: named })).pages;
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId: named });
  const inside = { into: bird!.id, title: "Grey", document: { markdown: "# Grey\n\nA grey heron.\n" } };
  const one = { spaceId: named, changeRequestId };
  await admin.changeRequests.edit({
    ...one,
    changes: [{ operation: "insert_page" as const, ...inside }],
  });
  await admin.changeRequests.merge(one);

  const found = await admin.search.inSpaces({ organizationId, spaces: [named, other], ...listing });
  expect(found.items.map(({ id }) => id).sort()).toEqual([named, other].sort());
  expect(found.items.map(({ id }) => id)).not.toContain(unnamed);
  const pages = found.items.find(({ id }) => id === named)!.pages;
  expect(pages.map(({ title, path, ancestors }) => [title, path, ancestors])).toEqual(
    expect.arrayContaining([
      ["Birds", "birds", []],
      ["Grey", "birds/grey", [{ id: bird!.id, title: "Birds" }]],
    ]),
  );
});

test("search.inSpaces leaves out what the caller may not read, and is refused to strangers", async () => {
  const open = await spaceWith(t, ["# Heron\n"]);
  const closed = await spaceWith(t, ["# Heron\n"], { default_level: null });
  const spaces = [open, closed, "unknown"];
  const reader = t.as({ acme: "read" });
  const search = (caller: typeof admin) => caller.search.inSpaces({ organizationId, spaces, ...listing });
  expect((await search(reader)).items.map(({ id }) => id)).toEqual([open]);
  expect((await search(admin)).items.map(({ id }) => id).sort()).toEqual([open, closed].sort());
  await expect(search(t.as({ beta: "admin" }))).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("search.inSpaces makes as many queries for one space as for twenty", async () => {
  const spaces: string[] = [];
  for (let at = 0; at < 20; at += 1) spaces.push(await spaceWith(t, [`# Kingfisher ${at}\n`]));
  const queriesFor = async (some: string[]) => {
    const ctx = t.context(t.user({ acme: "admin" }));
    const { db, queries } = counted(ctx.db);
    const caller = createCaller(router)({ ...ctx, db });
    const { items } = await caller.search.inSpaces({
      organizationId,
      spaces: some,
      query: "kingfisher",
      limit: 50,
    });
    expect(items).toHaveLength(some.length);
    return queries();
  };
  expect(await queriesFor(spaces)).toBeLessThanOrEqual((await queriesFor(spaces.slice(0, 1))) + 2);
});
