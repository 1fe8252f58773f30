import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { keepAllEditions, keepEditionsJob } from "../../search-index/keep-editions.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
beforeAll(() => t.doJobs(keepEditionsJob));
const admin = t.as({ acme: "admin" });
const organizationId = "acme";

type Change = Parameters<typeof admin.changeRequests.edit>[0]["changes"][number];

/** Merges changes, and returns the revision that they make. */
async function merge(spaceId: string, ...changes: Change[]): Promise<string> {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  return (await admin.changeRequests.merge({ spaceId, changeRequestId })).revision;
}
const page = (title: string, markdown: string, more: object = {}): Change => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

interface Shown {
  space: string;
  revision?: string;
}
const show = (site: string, spaces: Shown[], published = true) =>
  deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: organizationId,
    published,
    epoch: 0,
    spaces: spaces.map((one) => ({
      visibility: "share-link",
      url: `http://sites.test/${one.space}/`,
      ...one,
    })),
  });

/** What a visitor of a site finds in spaces: titles and paths. */
async function found(site: string, spaces: string[], query: string, claims?: object) {
  const visitor = t.call({
    kind: "reader",
    organization: organizationId,
    site,
    epoch: 0,
    space: newId(),
    revision: newId(),
    token: newId(),
    claims: claims as ReaderCaller["claims"],
  });
  const { items } = await visitor.search.inSpaces({ organizationId, spaces, query, limit: 50 });
  const titles = items.flatMap(({ pages }) => pages.map(({ title, path }) => `${title} ${path}`));
  if (spaces.length === 1) {
    const one = await visitor.search.inSpace({ spaceId: spaces[0]!, query, limit: 50 });
    expect([one.count, one.items.map(({ title, path }) => `${title} ${path}`)]).toEqual([
      titles.length,
      titles,
    ]);
  }
  return titles;
}

/** A space of which much has changed since a first revision. */
async function moved() {
  const spaceId = await t.space();
  const first = await merge(
    spaceId,
    page("Birds", "# Birds\n\nThe heron waits.\n\n## Reeds\n\nA bittern booms.\n"),
    page("Gone", "A dodo.\n"),
    page("Still", "The swift flies.\n"),
    page("Secret", "The owl.\n", { condition: "visitor.claims.beta" }),
  );
  const { pages } = await admin.content.pages({ spaceId });
  const idOf = (title: string) => pages.find((one) => one.title === title)!.id;
  await merge(
    spaceId,
    { operation: "delete_page", page: idOf("Gone") },
    {
      operation: "update_page",
      page: idOf("Birds"),
      title: "Fowl",
      slug: "fowl",
      document: { markdown: "A crane.\n" },
    },
    { operation: "update_page", page: idOf("Secret"), condition: "" },
    page("Later", "An albatross.\n"),
  );
  return { spaceId, first, site: newId("site") };
}
const editions = async (spaceId: string) => {
  const rows = t.db.selectFrom("search_page").select("page").where("space", "=", spaceId);
  return [...new Set((await rows.execute()).flatMap(({ page }) => page.split("@")[1] ?? []))];
};

/** Waits until the index has these editions of a space, and no other. */
const indexed = (spaceId: string, ...wanted: string[]) =>
  expect.poll(async () => (await editions(spaceId)).toSorted()).toEqual(wanted.toSorted());

test("visitors of a pinned site find what the release holds, as it was, and nothing that came later", async () => {
  const { spaceId, first, site } = await moved();
  await show(site, [{ space: spaceId, revision: first }]);
  await indexed(spaceId, first);
  const find = (query: string, claims?: object) => found(site, [spaceId], query, claims);
  expect(await find("heron")).toEqual(["Birds birds"]);
  expect(await find("bittern")).toEqual(["Birds birds"]);
  expect(await find('"a bittern booms"')).toEqual(["Birds birds"]);
  expect(await find("dodo")).toEqual(["Gone gone"]);
  expect(await find("swift")).toEqual(["Still still"]);
  expect(await find("birs")).toEqual(["Birds birds"]);
  expect(await find("heron pelican")).toEqual(["Birds birds"]);
  for (const later of ["albatross", "crane", "Fowl", "Later"]) expect(await find(later), later).toEqual([]);
  // What was for some then is for these, though it is for everybody now.
  expect([await find("owl"), await find("owl", { beta: true })]).toEqual([[], ["Secret secret"]]);
});

test("a visitor's search of several spaces finds the pinned ones at their revisions and the others as they are", async () => {
  const [pinned, following] = [await moved(), await moved()];
  const { site } = pinned;
  await show(site, [{ space: pinned.spaceId, revision: pinned.first }, { space: following.spaceId }]);
  await indexed(pinned.spaceId, pinned.first);
  const find = (query: string) => found(site, [pinned.spaceId, following.spaceId], query);
  expect(await find("heron")).toEqual(["Birds birds"]);
  expect(await find("crane")).toEqual(["Fowl fowl"]);
  expect((await find("swift")).length).toBe(2);
  expect(await find("owl")).toEqual(["Secret secret"]);
});

test("editions are nobody's but visitors': members find each page once, and as it is", async () => {
  const { spaceId, first, site } = await moved();
  await show(site, [{ space: spaceId, revision: first }]);
  await indexed(spaceId, first);
  const titles = async (query: string) => [
    (await admin.search.inSpace({ spaceId, query, limit: 50 })).items.map(({ title }) => title),
    (await admin.search.inOrganization({ organizationId, query, limit: 50 })).items
      .filter(({ id }) => id === spaceId)
      .flatMap(({ pages }) => pages.map(({ title }) => title)),
    (await admin.search.inSpaces({ organizationId, spaces: [spaceId], query, limit: 50 })).items.flatMap(
      ({ pages }) => pages.map(({ title }) => title),
    ),
  ];
  expect(await titles("swift")).toEqual([["Still"], ["Still"], ["Still"]]);
  expect(await titles("dodo")).toEqual([[], [], []]);
  const copy = await admin.spaces.duplicate({ spaceId });
  expect(await editions(copy.id)).toEqual([]);
});

test("an edition is in the index while a site pins it, once for all sites, and is made by a job", async () => {
  const { spaceId, first, site } = await moved();
  const other = newId("site");
  const second = await merge(spaceId, page("Latest", "A kiwi.\n"));
  await merge(spaceId, page("Last", "An emu.\n"));
  await show(site, [{ space: spaceId, revision: first }]);
  await show(other, [{ space: spaceId, revision: second }]);
  await indexed(spaceId, first, second);
  expect([await found(site, [spaceId], "kiwi"), await found(other, [spaceId], "kiwi")]).toEqual([
    [],
    ["Latest latest"],
  ]);
  await show(newId("site"), [{ space: spaceId, revision: second }]);
  await show(other, [{ space: spaceId }]);
  expect(await found(other, [spaceId], "emu")).toEqual(["Last last"]);
  await show(site, [], false);
  await indexed(spaceId, second);
});

test("editions stay behind when a space goes to another organization", async () => {
  const { spaceId, first, site } = await moved();
  await show(site, [{ space: spaceId, revision: first }]);
  await indexed(spaceId, first);
  await t.as({ acme: "admin", beta: "admin" }).spaces.transfer({ spaceId, organization: "beta" });
  await indexed(spaceId);
});

test("what was pinned before there were editions comes into the index all the same", async () => {
  const { spaceId, first, site } = await moved();
  await show(site, [{ space: spaceId, revision: first }]);
  await indexed(spaceId, first);
  await t.db.deleteFrom("search_page").where("space", "=", spaceId).execute();
  expect(await found(site, [spaceId], "heron")).toEqual([]);
  await keepAllEditions(t.ctx);
  await indexed(spaceId, first);
  expect(await found(site, [spaceId], "heron")).toEqual(["Birds birds"]);
});
