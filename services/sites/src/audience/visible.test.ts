import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import * as structure from "../store/structure.js";
import { testSites } from "../testing/sites.js";
import { audienceOf } from "./audience.js";
import { visibleStructure } from "./visible.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const flag = { type: "boolean" as const, description: "A flag." };
const jsonSchema = {
  type: "object" as const,
  properties: { beta: flag, partner: flag, name: { type: "string" as const, description: "A name." } },
  additionalProperties: false as const,
};

/** A site of two sections in groups, one of them for partners, with a variant for testers. */
async function furnished() {
  const api = await service.as({ acme: "create" });
  const spaceOf = (title: string) => service.content.space({ organization: "acme", title }).id;
  const { id } = await api.sites.create({ organizationId: "acme" });
  const one = { organizationId: "acme", siteId: id };
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  const guide = await api.sections.create({ ...one, spaceId: spaceOf("Guide") });
  const partners = await api.sections.create({ ...one, spaceId: spaceOf("Partners") });
  const next = await api.siteSpaces.add({ ...one, spaceId: spaceOf("Next"), sectionId: guide.id });
  await api.sectionGroups.create({ ...one, title: "For partners", sections: [partners.id] });
  await api.sections.update({ ...one, siteSectionId: partners.id, condition: "visitor.claims.partner" });
  await api.siteSpaces.update({ ...one, siteSpaceId: next.id, condition: "visitor.claims.beta" });
  return { api, one, guide, partners, next };
}

test("a visitor is shown the sections, groups and site spaces whose conditions the claims meet", async () => {
  const { one } = await furnished();
  const ctx = service.contextOf(service.self);
  const tree = await structure.current(ctx, one.siteId);
  const shown = (claims?: Record<string, unknown>) => {
    const { groups, sections, siteSpaces } = visibleStructure(tree, claims);
    return [groups.map(({ title }) => title), sections.map(({ title }) => title), siteSpaces.length];
  };
  expect(shown()).toEqual([[], ["Guide"], 1]);
  expect(shown({ unsigned: { partner: true, beta: true } })).toEqual([[], ["Guide"], 1]);
  expect(shown({ beta: true })).toEqual([[], ["Guide"], 2]);
  expect(shown({ partner: true })).toEqual([["For partners"], ["Guide", "Partners"], 2]);
  expect(shown({ partner: true, beta: true })).toEqual([["For partners"], ["Guide", "Partners"], 3]);
});

test("the event of a site has the conditions of every space", async () => {
  const { one, partners, api } = await furnished();
  const [variant] = partners.siteSpaces;
  await api.siteSpaces.update({ ...one, siteSpaceId: variant!.id, condition: "visitor.claims.beta" });
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!;
  expect(audience.spaces.map(({ conditions }) => conditions)).toEqual([
    undefined,
    ["visitor.claims.beta"],
    ["visitor.claims.partner", "visitor.claims.beta"],
  ]);
});

test.each([
  ["public", "visitor-auth"],
  ["unlisted", "visitor-auth"],
  ["share-link", "share-link"],
  ["visitor-auth", "visitor-auth"],
] as const)(
  "on a site that is %s, what is shown on a condition is %s, and all else as the site is",
  async (visibility, conditional) => {
    const { one, api } = await furnished();
    await api.sites.update({ ...one, visibility });
    const last = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!;
    expect(last.spaces.map((space) => space.visibility)).toEqual([visibility, conditional, conditional]);
  },
);

test("a group is shown when a group in it holds a section that is", async () => {
  const { one, api, guide } = await furnished();
  const outer = await api.sectionGroups.create({ ...one, title: "Outer" });
  await api.sectionGroups.create({ ...one, title: "Inner", parent: outer.id, sections: [guide.id] });
  await api.sectionGroups.create({ ...one, title: "Empty", parent: outer.id });
  const { groups } = visibleStructure(
    await structure.current(service.contextOf(service.self), one.siteId),
    {},
  );
  expect(groups.map(({ title }) => title).toSorted()).toEqual(["Inner", "Outer"]);
});

test("the addresses of a site are below its own hostname once the hostname is verified", async () => {
  const { one } = await furnished();
  const addressed = async (row: object) => {
    const ctx = service.contextOf(service.self);
    const site = (await sites.find(ctx, "acme", one.siteId))!;
    const audience = audienceOf(ctx, { ...site, ...row }, await structure.current(ctx, one.siteId));
    return new URL(audience[0]!.url).host;
  };
  const hostname = "docs.example.com";
  expect(await addressed({ hostname, hostname_verified_at: null })).not.toBe(hostname);
  expect(await addressed({ hostname, hostname_verified_at: new Date() })).toBe(hostname);
});

test("a condition that reads a claim which is different for everybody is refused, with the place", async () => {
  const { api, one, guide, next } = await furnished();
  const condition = "visitor.claims.name == 'Ada'";
  const refused = { code: "BAD_REQUEST", details: { issues: [{ path: "body.condition" }] } };
  await expect(api.sections.update({ ...one, siteSectionId: guide.id, condition })).rejects.toMatchObject(
    refused,
  );
  await expect(api.siteSpaces.update({ ...one, siteSpaceId: next.id, condition })).rejects.toMatchObject(
    refused,
  );
  await api.sections.update({ ...one, siteSectionId: guide.id, condition: "visitor.claims.later" });
});

test("every change of a site's audience is another version of it", async () => {
  const { api, one } = await furnished();
  const ctx = service.contextOf(service.self);
  const version = async () => (await sites.find(ctx, "acme", one.siteId))!.version;
  const { id: shareLinkId } = await api.shareLinks.create({ ...one, name: "Press" });
  const changes = [
    () => api.shareLinks.create({ ...one, name: "Partners" }),
    () => api.shareLinks.update({ ...one, shareLinkId, active: false }),
    () => api.shareLinks.remove({ ...one, shareLinkId }),
    () => api.adaptiveSchema.update({ ...one, jsonSchema }),
    () => api.publishingAuth.update({ ...one, backend: "integration" }),
    () => api.publishingAuth.regenerate(one),
    () => api.sites.update({ ...one, adaptiveContent: { enabled: true } }),
  ];
  for (const change of changes) {
    const before = await version();
    await change();
    expect(await version()).toBeGreaterThan(before);
  }
});
