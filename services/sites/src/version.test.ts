import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "./customization/defaults.js";
import { testSites } from "./testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

test("every change of structure, look and redirects gives a site its next version, a read and a removal of nothing do not", async () => {
  const api = await service.as({ acme: "create" });
  const space = (title: string) => service.content.space({ organization: "acme", title }).id;
  const site = await api.sites.create({ organizationId: "acme", spaces: [space("Guide"), space("Events")] });
  const one = { organizationId: "acme", siteId: site.id };
  const { items } = await api.siteSpaces.list(one);
  const siteSpace = { ...one, siteSpaceId: items[1]!.id };
  const version = async () => {
    const row = service.db.selectFrom("site").select("version").where("id", "=", one.siteId);
    return (await row.executeTakeFirstOrThrow()).version;
  };
  let redirect = { ...one, siteRedirectId: "none" };
  const changes: Record<string, () => Promise<unknown>> = {
    "a title": () => api.sites.update({ ...one, title: "Other" }),
    publication: () => api.publishing.publish(one),
    "a path": () => api.siteSpaces.update({ ...siteSpace, path: "other" }),
    "a section": () => api.sections.create({ ...one, spaceId: space("API") }),
    "a group": () => api.sectionGroups.create({ ...one, title: "Group" }),
    "a look": () => api.customization.update({ ...one, ...defaultCustomization("Other") }),
    "a look of a site space": () => api.siteSpaceCustomization.update({ ...siteSpace, title: "Own" }),
    "its removal": () => api.siteSpaceCustomization.remove(siteSpace),
    "a redirect": async () => {
      const destination = { kind: "path" as const, path: "/new" };
      const { id } = await api.redirects.create({ ...one, source: "/old", destination });
      redirect = { ...one, siteRedirectId: id };
    },
    "another source": () => api.redirects.update({ ...redirect, source: "/older" }),
    "the end of a redirect": () => api.redirects.remove(redirect),
    "a release that is pinned": () => api.releases.create({ ...one, title: "First", pin: true }),
    "another one": () => api.releases.create({ ...one, title: "Second", pin: true }),
    "a rollback": () => api.releases.rollback(one),
    "the end of a pin": () => api.releases.unpin(one),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = await version();
    await change();
    expect([what, await version()]).toEqual([what, before + 1]);
  }
  const before = await version();
  await api.structure.get(one);
  await api.publishing.getPublished(one);
  await api.redirects.remove(redirect);
  await api.siteSpaceCustomization.remove(siteSpace);
  await api.sections.remove({ ...one, siteSectionId: "none" });
  await api.releases.create({ ...one, title: "Not pinned" });
  await api.releases.unpin(one);
  expect(await version()).toBe(before);
});
