import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const organizationId = "acme";

type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];
type Page = { title: string; markdown: string; condition?: string; description?: string };

async function write(spaceId: string, pages: Page[]) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes: Changes = pages.map(({ markdown, ...page }) => ({
    operation: "insert_page" as const,
    ...page,
    document: { markdown },
  }));
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
}

async function shownSpace(pages: Page[], site = newId("site")) {
  const spaceId = await t.space();
  await write(spaceId, pages);
  await show(site, [spaceId]);
  const { revision } = await admin.spaces.get({ spaceId });
  const visitor = (over: Partial<ReaderCaller> = {}) =>
    t.call({
      kind: "reader",
      organization: organizationId,
      site,
      epoch: 0,
      space: spaceId,
      revision,
      token: newId(),
      ...over,
    });
  return { spaceId, site, visitor };
}
const show = (site: string, spaces: string[], epoch = 0) =>
  deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: organizationId,
    published: true,
    epoch,
    spaces: spaces.map((space) => ({ space, visibility: "share-link", url: `http://sites.test/${space}/` })),
  });

type Visitor = ReturnType<Awaited<ReturnType<typeof shownSpace>>["visitor"]>;
/** What a search of one space finds, and of that space among others. */
const found = async (visitor: Visitor, spaceId: string, query: string) => {
  const one = await visitor.search.inSpace({ spaceId, query, limit: 50 });
  const many = await visitor.search.inSpaces({ organizationId, spaces: [spaceId], query, limit: 50 });
  const titles = one.items.map(({ title }) => title);
  expect([one.count, many.items.flatMap(({ pages }) => pages.map(({ title }) => title))]).toEqual([
    titles.length,
    titles,
  ]);
  return titles;
};
const beta = { claims: { beta: true } };

test("a visitor searches the pages that the site shows, with their sections", async () => {
  const { spaceId, visitor } = await shownSpace([
    { title: "Birds", markdown: "# Birds\n\nThe heron waits.\n\n## Feet\n\nHerons have long ones.\n" },
  ]);
  const { items } = await visitor().search.inSpace({ spaceId, query: "heron", limit: 50 });
  expect(items).toMatchObject([{ title: "Birds", path: "birds" }]);
  expect(items[0]!.sections!.map(({ id, body }) => [id, body])).toEqual(
    expect.arrayContaining([["feet", "Herons have long ones."]]),
  );
});

test("a page whose condition is not met, or that lies below one, is neither found nor counted", async () => {
  const { spaceId, visitor } = await shownSpace([
    { title: "Open", markdown: "# Open\n\nheron\n" },
    { title: "Closed", markdown: "# Closed\n\nheron\n", condition: "visitor.claims.beta" },
  ]);
  expect(await found(visitor(), spaceId, "heron")).toEqual(["Open"]);
  expect((await found(visitor(beta), spaceId, "heron")).sort()).toEqual(["Closed", "Open"]);
  // What one visitor found is not what is kept for another.
  for (let times = 0; times < 3; times++) expect(await found(visitor(), spaceId, "heron")).toEqual(["Open"]);
});

test("words for others, notes and what is hidden in names find nothing, and stand in no excerpt", async () => {
  const markdown = [
    "# Prices\n\nEverybody pays. <!-- the acquisition -->\n",
    "{% if visitor.claims.beta %}\nTesters get a rebate for everybody.\n{% endif %}\n",
  ].join("\n");
  const { spaceId, visitor } = await shownSpace([
    { title: "Prices", markdown, description: "Shown {% if visitor.claims.beta %}secretly{% endif %}" },
  ]);
  const stranger = visitor();
  for (const hidden of ["rebate", "acquisition", "secretly", "everybody rebate", '"a rebate"', "rebat"])
    expect(await found(stranger, spaceId, hidden), hidden).toEqual([]);
  expect(await found(stranger, spaceId, "everybody")).toEqual(["Prices"]);
  const { items } = await stranger.search.inSpace({ spaceId, query: "everybody", limit: 50 });
  expect(JSON.stringify(items)).not.toMatch(/rebate|acquisition|secretly|Testers/);
  expect(await found(visitor(beta), spaceId, "rebate")).toEqual(["Prices"]);
  expect(await found(visitor(beta), spaceId, '"a rebate"')).toEqual(["Prices"]);
  expect(await found(visitor(beta), spaceId, "acquisition")).toEqual([]);
});

test("a visitor searches nothing that the site does not show, and nothing once the token has ended", async () => {
  const mine = await shownSpace([{ title: "Mine", markdown: "# Mine\n\nheron\n" }]);
  const other = await shownSpace([{ title: "Other", markdown: "# Other\n\nheron\n" }]);
  const visitor = mine.visitor();
  const elsewhere = visitor.search.inSpace({ spaceId: other.spaceId, query: "heron", limit: 50 });
  await expect(elsewhere).rejects.toMatchObject({ code: "NOT_FOUND" });
  const spaces = [mine.spaceId, other.spaceId];
  const search = (organization: string) =>
    visitor.search.inSpaces({ organizationId: organization, spaces, query: "heron", limit: 50 });
  expect((await search(organizationId)).items.map(({ id }) => id)).toEqual([mine.spaceId]);
  expect((await search("beta")).items).toEqual([]);
  await expect(
    visitor.search.inOrganization({ organizationId, query: "heron", limit: 50 }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await show(mine.site, [mine.spaceId], 1);
  expect((await search(organizationId)).items).toEqual([]);
  await expect(
    visitor.search.inSpace({ spaceId: mine.spaceId, query: "heron", limit: 50 }),
  ).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});
