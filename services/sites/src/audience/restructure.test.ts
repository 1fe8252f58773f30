import { SiteAudience, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import * as structure from "../store/structure.js";
import { testSites } from "../testing/sites.js";
import { addGroup, removeSiteSpace } from "../tree/edit.js";
import type { Tree } from "../tree/tree.js";
import { restructure } from "./restructure.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function siteWith(...titles: string[]) {
  const api = await service.as({ acme: "create" });
  const spaces = titles.map((title) => service.content.space({ organization: "acme", title }).id);
  const { id } = await api.sites.create({ organizationId: "acme", spaces });
  const ctx = service.contextOf(service.self);
  const change = <Result>(edit: (tree: Tree, site: sites.Row) => Result) =>
    transact(ctx, async (ctx) => {
      const site = (await sites.lock(ctx, "acme", id))!;
      return restructure(ctx, site, (tree) => edit(tree, site));
    });
  const mine = ({ site }: { site: string }) => site === id;
  return {
    api,
    id,
    one: { organizationId: "acme", siteId: id },
    change,
    stored: () => structure.load(ctx, id),
    audienceEvents: async () => (await service.emitted(SiteAudience)).filter(mine),
    ended: async () => (await service.emitted(SiteUnpublished)).filter(mine),
  };
}

const addGroups = (count: number) => (tree: Tree, site: sites.Row) => {
  for (let n = 0; n < count; n += 1) addGroup(tree, site, { title: `${n}`, parent: null });
};

test("a site holds 2,000 sections, groups and site spaces together, and one more is refused and changes nothing", async () => {
  const { change, stored } = await siteWith("Guide", "Version 2");
  const full = { code: "CONFLICT", details: { reason: "structure_full" } };
  await expect(change(addGroups(1999))).rejects.toMatchObject(full);
  expect((await stored()).groups).toEqual([]);
  await change(addGroups(1998));
  expect((await stored()).groups.length).toBe(1998);
  await expect(change(addGroups(1))).rejects.toMatchObject(full);
});

test("a site that holds more since an earlier release may be changed, and not grow", async () => {
  const { change, stored, id } = await siteWith("Guide");
  await change(addGroups(1));
  const { id: _, ...group } = (await stored()).groups[0]!;
  const more = Array.from({ length: 2001 }, (_, n) => ({
    ...group,
    id: `sitesg_${id}_${n}`,
    position: n + 1,
  }));
  await service.db.insertInto("section_group").values(more).execute();
  await change((tree) => {
    tree.groups[0]!.title = "Other";
  });
  expect((await stored()).groups[0]!.title).toBe("Other");
  await expect(change(addGroups(1))).rejects.toMatchObject({ code: "CONFLICT" });
});

test("a change of who reaches what publishes an event, and no other does", async () => {
  const { change, audienceEvents } = await siteWith("Guide", "Version 2");
  const before = (await audienceEvents()).length;
  await change(addGroups(1));
  await change((tree) => {
    tree.groups[0]!.title = "Other";
  });
  expect((await audienceEvents()).length).toBe(before);
  const { result, tree } = await change((tree) => {
    tree.siteSpaces[1]!.path = "other";
    return "done";
  });
  expect([result, tree.siteSpaces[1]!.path]).toEqual(["done", "other"]);
  const events = await audienceEvents();
  expect(events.length).toBe(before + 1);
  expect(events.at(-1)!.spaces.map(({ url }) => new URL(url).pathname.split("/").at(-2))).toEqual([
    expect.stringMatching(/^site_/),
    "other",
  ]);
});

test("a published site that shows nothing any more is unpublished, and one that shows something stays", async () => {
  const { api, one, change, ended } = await siteWith("Guide", "Version 2");
  await api.publishing.publish(one);
  await change((tree) => removeSiteSpace(tree, tree.siteSpaces[1]!));
  expect((await api.sites.get(one)).published).toBe(true);
  await change((tree) => removeSiteSpace(tree, tree.siteSpaces[0]!));
  expect((await api.sites.get(one)).published).toBe(false);
  expect(await ended()).toMatchObject([{ spaces: [] }]);
  const unpublished = await siteWith("Guide");
  await unpublished.change((tree) => removeSiteSpace(tree, tree.siteSpaces[0]!));
  expect(await unpublished.ended()).toEqual([]);
});
