import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  // The platform's own host lies below the domain as well.
  service = await testSites({ sitesDomain: "test" });
});
afterAll(() => service.end());

async function publishedSite(settings: object) {
  const api = await service.as({ acme: "create" });
  const spaces = ["Guide", "Other"].map((title) => service.content.space({ organization: "acme", title }).id);
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces });
  const one = { organizationId: "acme", siteId };
  await api.sites.update({ ...one, ...settings });
  const { urls } = await api.publishing.publish(one);
  return { api, one, url: urls.published!, siteSpaces: (await api.siteSpaces.list(one)).items };
}
const resolve = async (url: string) => (await service.as({ beta: "read" })).urls.resolvePublished({ url });

test("a site with a name has a host of its own below the sites' domain, and is found there and at its path", async () => {
  const basename = `Docs-${Date.now()}`;
  const { one, url, siteSpaces } = await publishedSite({ basename });
  expect(url).toBe(`http://${basename.toLowerCase()}.test/`);
  for (const { id, urls } of siteSpaces) {
    const found = await resolve(`${urls.published}a/page`);
    expect(found).toMatchObject({ siteSpace: id, siteBasePath: "/", pathname: "/a/page" });
    expect(found).toMatchObject({ canonicalUrl: `${urls.published}a/page` });
  }
  for (const name of [basename, one.siteId]) {
    const found = await resolve(`http://octavo.test/sites/${name}/other/`);
    expect(found).toMatchObject({ siteBasePath: `/sites/${name}/`, canonicalUrl: `${url}other/` });
  }
});

test.each([
  ["without a name", {}],
  ["with one that is too long for the DNS", { basename: "x".repeat(64) }],
  ["whose host would be the platform's", { basename: "octavo" }],
])("a site %s stays below the path of all sites", async (_, settings) => {
  const { one, url } = await publishedSite(settings);
  const { basename = one.siteId } = settings as { basename?: string };
  expect(url).toBe(`http://octavo.test/sites/${basename}/`);
  expect(await resolve(url)).toMatchObject({ site: one.siteId, canonicalUrl: url });
});

test("other hosts below the domain are nobody's, and no site names one", async () => {
  const { api, one } = await publishedSite({});
  for (const host of ["nobody.test", "a.docs.test", "test", `${one.siteId}.test`])
    await expect(resolve(`http://${host}/`)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const foreign = [{ hostname: "docs.example.test" }, { proxy: "docs.test/help" }];
  for (const settings of foreign)
    await expect(api.sites.update({ ...one, ...settings })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
