import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "../customization/defaults.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

test("the gateway is told the title and the address of a site that is published to everybody, and of no other", async () => {
  const api = await service.as({ acme: "create" });
  const gateway = await service.asService("gateway");
  const space = service.content.space({ organization: "acme", title: "Guide" });
  const site = await api.sites.create({ organizationId: "acme", title: "Docs", spaces: [space.id] });
  const one = { organizationId: "acme", siteId: site.id };
  const seen = () => gateway.sites.publicView(one);
  expect(await seen()).toBeNull();
  await api.publishing.publish(one);
  expect(await seen()).toEqual({ title: "Docs", published: `http://octavo.test/sites/${site.id}/` });
  await api.customization.update({ ...one, ...defaultCustomization("Handbook") });
  await api.sites.update({ ...one, visibility: "unlisted", basename: "handbook" });
  expect(await seen()).toEqual({ title: "Handbook", published: "http://octavo.test/sites/handbook/" });
  for (const visibility of ["share-link", "visitor-auth"] as const) {
    await api.sites.update({ ...one, visibility });
    expect(await seen(), visibility).toBeNull();
  }
  await api.sites.update({ ...one, visibility: "public" });
  expect(await gateway.sites.publicView({ ...one, organizationId: "other" })).toBeNull();
  expect(await gateway.sites.publicView({ ...one, siteId: "site_none" })).toBeNull();
  await expect(api.sites.publicView(one)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const { items } = await api.siteSpaces.list(one);
  await api.siteSpaces.update({ ...one, siteSpaceId: items[0]!.id, condition: "visitor.claims.beta" });
  expect(await seen()).toBeNull();
});
