import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "../customization/defaults.js";
import { testSites } from "../testing/sites.js";
import * as sites from "./sites.js";
import * as structure from "./structure.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function site() {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const { id } = await api.sites.create({ organizationId: "acme", spaces: [space] });
  const ctx = service.contextOf(service.self);
  const row = async () => (await sites.find(ctx, "acme", id))!;
  const one = { organizationId: "acme", siteId: id };
  const group = (title: string) => api.sectionGroups.create({ ...one, title });
  return { ctx, row, group, api, one };
}

test("a structure is read once for each version of its site, and nobody changes what is kept", async () => {
  const { ctx, row, group } = await site();
  const first = await structure.read(ctx, await row());
  expect(await structure.read(ctx, await row())).toBe(first);
  expect(() => first.groups.push()).toThrow(TypeError);
  expect(() => Object.assign(first.siteSpaces[0]!, { path: "other" })).toThrow(TypeError);
  await group("Guides");
  const next = await structure.read(ctx, await row());
  expect([first.groups.length, next.groups.map(({ title }) => title)]).toEqual([0, ["Guides"]]);
});

test("a transaction reads what it has written, and what it takes back is not kept", async () => {
  const { ctx, row } = await site();
  const before = await row();
  const written = transact(ctx, async (ctx) => {
    const tree = await structure.load(ctx, before.id);
    const after = { ...tree, siteSpaces: tree.siteSpaces.map((one) => ({ ...one, path: "written" })) };
    await structure.save(ctx, before.id, tree, after);
    expect((await structure.read(ctx, before)).siteSpaces[0]!.path).toBe("written");
    throw new Error("taken back");
  });
  await expect(written).rejects.toThrow("taken back");
  expect((await structure.read(ctx, await row())).siteSpaces[0]!.path).not.toBe("written");
});

test("whether anything leads elsewhere follows redirects, and paths that the structure gave up", async () => {
  const { ctx, row, api, one } = await site();
  const isRedirected = async () => structure.isRedirected(ctx, await row());
  expect(await isRedirected()).toBe(false);
  const destination = { kind: "path" as const, path: "/new" };
  const { id } = await api.redirects.create({ ...one, source: "/old", destination });
  expect(await isRedirected()).toBe(true);
  await api.redirects.remove({ ...one, siteRedirectId: id });
  expect(await isRedirected()).toBe(false);
  const { id: spaceId } = service.content.space({ organization: "acme" });
  const { id: siteSpaceId } = await api.siteSpaces.add({ ...one, spaceId });
  await api.siteSpaces.update({ ...one, siteSpaceId, path: "moved" });
  expect(await isRedirected()).toBe(true);
});

test("which site spaces show where their pages are edited follows the look of the site and of each of them", async () => {
  const { ctx, row, api, one } = await site();
  const { id: spaceId } = service.content.space({ organization: "acme" });
  const { id } = await api.siteSpaces.add({ ...one, spaceId });
  const shows = async () => structure.showsEditLink(ctx, await row(), id);
  expect(await shows()).toBe(false);
  await api.customization.update({ ...one, ...defaultCustomization("Site"), git: { showEditLink: true } });
  expect(await shows()).toBe(true);
  await api.siteSpaceCustomization.update({ ...one, siteSpaceId: id, git: { showEditLink: false } });
  expect(await shows()).toBe(false);
  await api.siteSpaceCustomization.remove({ ...one, siteSpaceId: id });
  expect(await shows()).toBe(true);
});
