import type { KyselyPlugin } from "kysely";
import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

test("GET search finds sections with their anchors, titles of pages first", async () => {
  const spaceId = await spaceWith(t, [
    "# Guide\n\nAbout the lighthouse.\n",
    "# Lighthouse\n\nA tower.\n\n## Lamp room\n\nThe lens turns slowly.\n",
    "# Harbour\n\nShips.\n",
  ]);
  expect(titles(await admin.search.inSpace({ spaceId, query: "lighthouse" }))).toEqual([
    "Lighthouse",
    "Guide",
  ]);
  const lens = await admin.search.inSpace({ spaceId, query: "lens" });
  expect(lens).toMatchObject({
    count: 1,
    items: [
      {
        title: "Lighthouse",
        path: "lighthouse",
        sections: [{ title: "Lamp room", path: "lighthouse#lamp-room" }],
      },
    ],
  });
  expect(lens.items[0]!.sections![0]!.body).toContain("lens");
});

test("GET search finds a word that is half typed, a phrase, and words without their accents", async () => {
  const spaceId = await spaceWith(t, [
    "# Café\n\nOpening hours of the coffee house.\n",
    "# House\n\nCoffee is elsewhere.\n",
  ]);
  expect(titles(await admin.search.inSpace({ spaceId, query: "open" }))).toEqual(["Café"]);
  expect(titles(await admin.search.inSpace({ spaceId, query: '"coffee house"' }))).toEqual(["Café"]);
  expect(titles(await admin.search.inSpace({ spaceId, query: "cafe" }))).toEqual(["Café"]);
  expect(titles(await admin.search.inSpace({ spaceId, query: "nothing like that" }))).toEqual([]);
});

test("GET search forgets what was edited, deleted or hidden from it, and sees no change request", async () => {
  const spaceId = await spaceWith(t, [
    "# Old\n\nmarigold\n",
    "# Gone\n\nperiwinkle\n",
    "# Quiet\n\nfoxglove\n",
  ]);
  const { pages } = await admin.content.pages({ spaceId });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const [old, gone, quiet] = pages.map(({ id }) => id) as [string, string, string];
  await admin.changeRequests.edit({
    ...one,
    changes: [
      { operation: "update_page", page: old, document: { markdown: "# Old\n\nbuttercup\n" } },
      { operation: "delete_page", page: gone },
      { operation: "update_page", page: quiet, noIndex: true },
    ],
  });
  const counts = () =>
    Promise.all(
      ["marigold", "periwinkle", "foxglove", "buttercup"].map(
        async (query) => (await admin.search.inSpace({ spaceId, query })).count,
      ),
    );
  expect(await counts()).toEqual([1, 1, 1, 0]);
  await admin.changeRequests.merge(one);
  expect(await counts()).toEqual([0, 0, 0, 1]);
});

test("GET orgs/{organizationId}/search groups by space and obeys permissions", async () => {
  const organization = "search-org";
  const writer = t.as({ [organization]: "admin" });
  const make = async (values: object) => {
    const spaceId = await t.space({ organization, ...values });
    const { id: changeRequestId } = await writer.changeRequests.create({ spaceId });
    const changes = [
      { operation: "insert_page" as const, document: { markdown: "# Snowdrop\n\nA flower.\n" } },
    ];
    await writer.changeRequests.edit({ spaceId, changeRequestId, changes });
    await writer.changeRequests.merge({ spaceId, changeRequestId });
    return spaceId;
  };
  const open = await make({ title: "Open" });
  await make({ title: "Closed", default_level: null });
  const input = { organizationId: organization, query: "snowdrop" };
  expect(titles(await writer.search.inOrganization(input)).sort()).toEqual(["Closed", "Open"]);
  const reader = t.as({ [organization]: "read" }, { id: "reader" });
  expect(await reader.search.inOrganization(input)).toMatchObject({
    count: 1,
    items: [{ id: open, pages: [{ title: "Snowdrop" }] }],
  });
  await expect(admin.search.inOrganization(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("GET search refuses an empty query, one of 513 characters, and a foreign space", async () => {
  const spaceId = await t.space();
  for (const query of ["", "x".repeat(513)]) {
    await expect(admin.search.inSpace({ spaceId, query })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect((await admin.search.inSpace({ spaceId, query: "'; drop table & | ! :* <->" })).items).toEqual([]);
  const stranger = t.as({ beta: "admin" });
  await expect(stranger.search.inSpace({ spaceId, query: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("GET search pages through its results without a repetition", async () => {
  const spaceId = await spaceWith(
    t,
    Array.from({ length: 7 }, (_, at) => `# Page ${at}\n\nheather\n`),
  );
  const seen: string[] = [];
  for (let page: string | undefined, more = true; more; ) {
    const list = await admin.search.inSpace({ spaceId, query: "heather", limit: 3, page });
    seen.push(...titles(list));
    page = list.next?.page;
    more = page !== undefined;
  }
  expect(new Set(seen).size).toBe(7);
  expect(seen).toHaveLength(7);
});

test("GET orgs/{organizationId}/search pages through the spaces, and shows a guest what is granted to them", async () => {
  const organization = "paged-org";
  const writer = t.as({ [organization]: "admin" });
  const spaces: string[] = [];
  for (let at = 0; at < 5; at += 1)
    spaces.push(await spaceWith(t, ["# Crocus\n\nA flower.\n"], { organization, title: `Space ${at}` }));
  const input = { organizationId: organization, query: "crocus" };
  const first = await writer.search.inOrganization({ ...input, limit: 2 });
  expect(first).toMatchObject({ count: 5, items: [{}, {}] });
  const second = await writer.search.inOrganization({ ...input, limit: 2, page: first.next!.page });
  const third = await writer.search.inOrganization({ ...input, limit: 2, page: second.next!.page });
  expect(third.next).toBeUndefined();
  const seen = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
  expect(seen.sort()).toEqual([...spaces].sort());
  await t.db
    .insertInto("content_grant")
    .values({ target: spaces[3]!, subject: "guest-1", subject_kind: "user", organization, role: "read" })
    .execute();
  const guest = t.as({ [organization]: null }, { id: "guest-1" });
  expect(titles(await guest.search.inOrganization(input))).toEqual(["Space 3"]);
  await expect(guest.search.inSpace({ spaceId: spaces[2]!, query: "crocus" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("GET search finds in a space that was transferred, also when that happened during a search", async () => {
  const spaceId = await spaceWith(t, ["# Harbour\n\nShips.\n"]);
  const both = t.as({ acme: "admin", beta: "admin" });
  let transferred: Promise<unknown> | undefined;
  const meanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      transferred ??= both.spaces.transfer({ spaceId, organization: "beta" });
      await transferred;
      return result;
    },
  };
  const ctx = t.context(t.user({ acme: "admin", beta: "admin" }));
  const searching = createCaller(router)({ ...ctx, db: ctx.db.withPlugin(meanwhile) });
  await searching.search.inSpace({ spaceId, query: "ships" });
  expect(titles(await both.search.inSpace({ spaceId, query: "ships" }))).toEqual(["Harbour"]);
});
