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

const secret = "{% if visitor.claims.beta %}\nThe bittern is for testers.\n{% endif %}";

async function write(spaceId: string, title: string, markdown: string, more: object = {}) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const change = { operation: "insert_page" as const, title, document: { markdown }, ...more };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
}

/** A private space that a site shows, and one that it does not. */
async function shownSpace(over: Partial<{ epoch: number; conditions: string[] }> = {}) {
  const [spaceId, other] = [await t.space(), await t.space()];
  await write(
    spaceId,
    "Birds",
    `# Birds\n\nThe heron.\n\n## Reeds\n\nA place.\n\n${secret}\n\n## Sky\n\nThe swift.\n`,
  );
  await write(spaceId, "Testers", "# Testers\n\nThe heron again.\n", { condition: "visitor.claims.beta" });
  await write(other, "Elsewhere", "# Elsewhere\n\nThe heron.\n");
  const site = newId("site");
  const { epoch = 0, conditions } = over;
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch,
    spaces: [{ space: spaceId, visibility: "share-link" as const, url: "http://sites.test/a/", conditions }],
  });
  const { revision } = await admin.spaces.get({ spaceId });
  const find = async (query: string, as: Partial<ReaderCaller> = {}) => {
    const caller: ReaderCaller = {
      kind: "reader",
      organization: "acme",
      site,
      epoch: 0,
      space: spaceId,
      revision,
      token: newId(),
      ...as,
    };
    const input = { organizationId: "acme", spaces: [spaceId, other], query, limit: 10 };
    const { items, count } = await t.call(caller).search.inSpaces(input);
    expect(count).toBe(items.length);
    return items.flatMap(({ pages }) => pages);
  };
  return { find };
}

const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);

test("search.inSpaces finds for a visitor the pages of the spaces that the site shows, and no others", async () => {
  const { find } = await shownSpace();
  expect(titles(await find("heron"))).toEqual(["Birds"]);
  expect(titles(await find("heron", { claims: { beta: true } })).sort()).toEqual(["Birds", "Testers"]);
  const [found] = await find("swift");
  expect(found!.sections!.map(({ id, body }) => [id, body])).toEqual([["sky", "The swift."]]);
});

test("search.inSpaces reveals to a visitor nothing in a condition that the visitor does not meet", async () => {
  const { find } = await shownSpace();
  expect(await find("bittern")).toEqual([]);
  expect(await find("testers")).toEqual([]);
  const found = await find("bittern", { claims: { beta: true } });
  expect(titles(found)).toEqual(["Birds"]);
  expect(JSON.stringify(await find("reeds"))).not.toContain("bittern");
});

test("search.inSpaces finds nothing for tokens of another site, organization, or an audience that has changed", async () => {
  const { find } = await shownSpace({ epoch: 2 });
  expect(titles(await find("heron", { epoch: 2 }))).toEqual(["Birds"]);
  for (const as of [{ epoch: 1 }, { epoch: 2, site: newId("site") }, { epoch: 2, organization: "beta" }])
    expect(await find("heron", as)).toEqual([]);
  const conditional = await shownSpace({ conditions: ["visitor.claims.beta"] });
  expect(await conditional.find("heron", { space: "another" })).toEqual([]);
});
