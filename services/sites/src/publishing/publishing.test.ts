import { SiteAudience, SitePublished, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function siteWith(titles: string[]) {
  const api = await service.as({ acme: "create" });
  const spaces = titles.map((title) => service.content.space({ organization: "acme", title }));
  const site = await api.sites.create({ organizationId: "acme", spaces: spaces.map(({ id }) => id) });
  return { api, spaces, one: { organizationId: "acme", siteId: site.id } };
}

test("POST …/publish puts the site under its address, and publishes one event however often it is called", async () => {
  const { api, one, spaces } = await siteWith(["Guide"]);
  const address = `http://octavo.test/sites/${one.siteId}/`;
  const site = await api.publishing.publish(one);
  expect(site).toMatchObject({ published: true, siteSpaces: 1, urls: { published: address } });
  expect(await api.publishing.publish(one)).toEqual(site);
  expect(await api.sites.get(one)).toEqual(site);
  const mine = ({ site }: { site: string }) => site === one.siteId;
  expect((await service.emitted(SitePublished)).filter(mine)).toEqual([
    { site: one.siteId, organization: "acme", visibility: "public", spaces: [spaces[0]!.id] },
  ]);
  expect((await service.emitted(SiteAudience)).filter(mine).map(({ published }) => published)).toEqual([
    false,
    true,
  ]);
});

test("POST …/publish of a site without a space is 400 and changes nothing", async () => {
  const { api, one } = await siteWith([]);
  await expect(api.publishing.publish(one)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: "Site: has no space to publish",
    details: { reason: "site_empty" },
  });
  expect((await api.sites.get(one)).published).toBe(false);
});

test("POST …/unpublish takes it back and keeps the settings", async () => {
  const { api, one } = await siteWith(["Guide"]);
  await api.sites.update({ ...one, basename: "guide" });
  const before = await api.sites.get(one);
  await api.publishing.publish(one);
  expect((await api.sites.get(one)).urls.published).toBe("http://octavo.test/sites/guide/");
  expect(await api.publishing.unpublish(one)).toEqual(before);
  expect(await api.publishing.unpublish(one)).toEqual(before);
  expect((await service.emitted(SiteUnpublished)).filter(({ site }) => site === one.siteId)).toHaveLength(1);
  expect(
    (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!.published,
  ).toBe(false);
});

test("POST …/publish and …/unpublish are refused to readers, guests, strangers, and for unknown sites", async () => {
  const { api, one } = await siteWith(["Guide"]);
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const) {
    const caller = await service.as(roles);
    await expect(caller.publishing.publish(one)).rejects.toMatchObject({ code });
    await expect(caller.publishing.unpublish(one)).rejects.toMatchObject({ code });
  }
  await expect(api.publishing.publish({ ...one, siteId: "site_x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect((await api.sites.get(one)).published).toBe(false);
});

test("GET …/published returns the site, its structure and how it looks", async () => {
  const { api, one, spaces } = await siteWith(["Guide", "Version 2", "Secret"]);
  await api.publishing.publish(one);
  spaces[2]!.level = null;
  const reader = await service.as({ acme: "read" });
  const profile = await reader.publishing.getPublished({ ...one, shareKey: "unknown" });
  expect(profile).toMatchObject({
    object: "published-content-site",
    site: { id: one.siteId, published: true },
    structure: {
      type: "siteSpaces",
      structure: [
        { path: "guide", default: true, urls: { published: `http://octavo.test/sites/${one.siteId}/` } },
        {
          path: "version-2",
          default: false,
          urls: { published: `http://octavo.test/sites/${one.siteId}/version-2/` },
        },
      ],
    },
    customizations: {
      site: {
        title: "Guide",
        styling: { theme: "clean", primaryColor: { light: "#346DDB", dark: "#346DDB" }, font: "Inter" },
        internationalization: { locale: "en" },
        insights: { trackingCookie: true },
      },
      siteSpaces: {},
    },
    scripts: [],
  });
  expect(profile.structure.structure).toHaveLength(2);
});

test("GET …/published of a site with sections returns them in their groups, with one call to content", async () => {
  const { api, one } = await siteWith(["Guide"]);
  const spaceId = service.content.space({ organization: "acme", title: "API" }).id;
  const { id: sectionId } = await api.sections.create({ ...one, spaceId });
  const group = await api.sectionGroups.create({ ...one, title: "Reference", sections: [sectionId] });
  await api.sectionGroups.create({ ...one, title: "Empty" });
  await api.publishing.publish(one);
  const before = service.content.asked.length;
  const { structure } = await api.publishing.getPublished(one);
  expect(service.content.asked.length - before).toBe(1);
  expect(structure).toMatchObject({
    type: "sections",
    structure: [
      { object: "site-section", default: true, siteSpaces: [{ default: true }] },
      {
        object: "site-section-group",
        id: group.id,
        title: "Reference",
        sections: [{ id: sectionId, sectionGroup: group.id }],
      },
    ],
  });
  expect(structure.structure).toHaveLength(2);
});

test("GET …/published of an unpublished site is 404, as it is for strangers; 403 for guests", async () => {
  const { api, one } = await siteWith(["Guide"]);
  await expect(api.publishing.getPublished(one)).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Site: is not published",
    details: { reason: "not_published" },
  });
  await expect((await service.as()).publishing.getPublished(one)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect((await service.as({ acme: null })).publishing.getPublished(one)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
