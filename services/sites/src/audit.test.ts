import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { operationsOf } from "@octavo/shared/rest/routes";
import { startDns } from "@octavo/shared/testing/dns";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "./customization/defaults.js";
import { router } from "./router.js";
import { listeners } from "./site-spaces/listeners.js";
import { testSites } from "./testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
  service = await testSites({ dnsServers: [dns.server] });
  service.atEnd(dns.close);
});
afterAll(() => service.end());

type Api = Awaited<ReturnType<(typeof service)["as"]>>;

const organizationId = "acme";
const space = () => service.content.space({ organization: organizationId, title: "Guide" }).id;

/** A site that shows one space. */
const site = async (api: Api) => (await api.sites.create({ organizationId, spaces: [space()] })).id;

const shareLink = async (api: Api) => {
  const siteId = await site(api);
  return { siteId, id: (await api.shareLinks.create({ organizationId, siteId, name: "Press" })).id };
};

/** A site space that has a title of its own. */
async function customized(api: Api) {
  const one = { organizationId, siteId: await site(api) };
  const { items } = await api.siteSpaces.list(one);
  const target = { ...one, siteSpaceId: items[0]!.id };
  await api.siteSpaceCustomization.update({ ...target, title: "Own title" });
  return target;
}

/** A redirect of a site. */
async function redirected(api: Api) {
  const one = { organizationId, siteId: await site(api) };
  const destination = { kind: "path", path: "/new" } as const;
  const { id } = await api.redirects.create({ ...one, source: "/old", destination });
  return { ...one, siteRedirectId: id };
}

/** A release of a site. */
async function released(api: Api) {
  const one = { organizationId, siteId: await site(api) };
  return { ...one, siteReleaseId: (await api.releases.create({ ...one, title: "Spring" })).id };
}

/** An MCP server of a site. */
async function served(api: Api) {
  const one = { organizationId, siteId: await site(api) };
  const server = { name: "Tickets", url: "https://mcp.example.com", headers: {} };
  return { ...one, siteMcpServerId: (await api.mcpServers.create({ ...one, ...server })).id };
}

const fontFaces = [{ weight: 400, sources: [{ url: "https://fonts.example.com/a.woff2" }] }];
const font = async (api: Api) =>
  (await api.fonts.create({ organizationId, fontFamily: "Acme Sans", fontFaces })).id;

/** Every write, done once; returns what it was done to. */
const writes: Record<string, (api: Api) => Promise<{ action: string; target: string }>> = {
  "sites.create": async (api) => ({ action: "site.create", target: await site(api) }),
  "sites.update": async (api) => {
    const siteId = await site(api);
    await api.sites.update({ organizationId, siteId, title: "Handbook" });
    return { action: "site.update", target: siteId };
  },
  "sites.remove": async (api) => {
    const siteId = await site(api);
    await api.sites.remove({ organizationId, siteId });
    return { action: "site.delete", target: siteId };
  },
  "customHostnames.update": async (api) => {
    const siteId = await site(api);
    const hostname = "docs.audit.example";
    await api.sites.update({ organizationId, siteId, hostname });
    dns.records.set(`_octavo.${hostname}`, [`octavo-verification=${siteId}`]);
    await api.customHostnames.update({ hostname });
    return { action: "site.hostname.verify", target: siteId };
  },
  "customHostnames.remove": async (api) => {
    const siteId = await site(api);
    const hostname = "docs.removed.example";
    await api.sites.update({ organizationId, siteId, hostname });
    await api.customHostnames.remove({ hostname });
    return { action: "site.hostname.remove", target: siteId };
  },
  "publishing.publish": async (api) => {
    const siteId = await site(api);
    await api.publishing.publish({ organizationId, siteId });
    return { action: "site.publish", target: siteId };
  },
  "publishing.unpublish": async (api) => {
    const siteId = await site(api);
    await api.publishing.publish({ organizationId, siteId });
    await api.publishing.unpublish({ organizationId, siteId });
    return { action: "site.unpublish", target: siteId };
  },
  "publishingAuth.update": async (api) => {
    const siteId = await site(api);
    await api.publishingAuth.update({ organizationId, siteId, backend: "integration" });
    return { action: "site.auth.update", target: siteId };
  },
  "publishingAuth.regenerate": async (api) => {
    const siteId = await site(api);
    await api.publishingAuth.regenerate({ organizationId, siteId });
    return { action: "site.auth.regenerate", target: siteId };
  },
  "releases.create": async (api) => {
    const { siteId } = await released(api);
    return { action: "site.release.create", target: siteId };
  },
  "releases.update": async (api) => {
    const one = await released(api);
    await api.releases.update({ ...one, title: "Other" });
    return { action: "site.release.update", target: one.siteId };
  },
  "releases.remove": async (api) => {
    const one = await released(api);
    await api.releases.remove(one);
    return { action: "site.release.delete", target: one.siteId };
  },
  "releases.pin": async (api) => {
    const one = await released(api);
    await api.releases.pin(one);
    return { action: "site.release.pin", target: one.siteId };
  },
  "releases.unpin": async (api) => {
    const one = await released(api);
    await api.releases.pin(one);
    await api.releases.unpin(one);
    return { action: "site.release.unpin", target: one.siteId };
  },
  "releases.rollback": async (api) => {
    const one = await released(api);
    await api.releases.pin(one);
    await api.releases.unpin(one);
    await api.releases.rollback(one);
    return { action: "site.release.rollback", target: one.siteId };
  },
  "shareLinks.create": async (api) => {
    const { id } = await shareLink(api);
    return { action: "share-link.create", target: id };
  },
  "shareLinks.update": async (api) => {
    const { siteId, id } = await shareLink(api);
    await api.shareLinks.update({ organizationId, siteId, shareLinkId: id, active: false });
    return { action: "share-link.update", target: id };
  },
  "shareLinks.remove": async (api) => {
    const { siteId, id } = await shareLink(api);
    await api.shareLinks.remove({ organizationId, siteId, shareLinkId: id });
    return { action: "share-link.delete", target: id };
  },
  "adaptiveSchema.update": async (api) => {
    const siteId = await site(api);
    const jsonSchema = { type: "object" as const, properties: {}, additionalProperties: false as const };
    await api.adaptiveSchema.update({ organizationId, siteId, jsonSchema });
    return { action: "site.claims.update", target: siteId };
  },
  "siteSpaces.add": async (api) => {
    const { id } = await api.siteSpaces.add({ organizationId, siteId: await site(api), spaceId: space() });
    return { action: "site-space.add", target: id };
  },
  "redirects.create": async (api) => ({
    action: "site.redirect.create",
    target: (await redirected(api)).siteId,
  }),
  "redirects.importMany": async (api) => {
    const { siteId } = await redirected(api);
    const destination = { kind: "path" as const, path: "/new" };
    await api.redirects.importMany({ organizationId, siteId, redirects: [{ source: "/x", destination }] });
    return { action: "site.redirect.import", target: siteId };
  },
  "redirects.update": async (api) => {
    const one = await redirected(api);
    await api.redirects.update({ ...one, source: "/older" });
    return { action: "site.redirect.update", target: one.siteId };
  },
  "redirects.remove": async (api) => {
    const one = await redirected(api);
    await api.redirects.remove(one);
    return { action: "site.redirect.delete", target: one.siteId };
  },
  "ads.request": async (api) => {
    const siteId = await site(api);
    await service.db
      .updateTable("site")
      .set({ ads: JSON.stringify({ status: "in-review", topic: "webdev" }) })
      .where("id", "=", siteId)
      .execute();
    await api.ads.request({ organizationId, siteId, status: "disabled" });
    return { action: "site.ads.request", target: siteId };
  },
  "mcpServers.create": async (api) => ({
    action: "site.mcp-server.create",
    target: (await served(api)).siteId,
  }),
  "mcpServers.update": async (api) => {
    const one = await served(api);
    await api.mcpServers.update({ ...one, name: "Issues" });
    return { action: "site.mcp-server.update", target: one.siteId };
  },
  "mcpServers.remove": async (api) => {
    const one = await served(api);
    await api.mcpServers.remove(one);
    return { action: "site.mcp-server.delete", target: one.siteId };
  },
  "fonts.create": async (api) => ({ action: "font.create", target: await font(api) }),
  "fonts.updateFont": async (api) => {
    const fontId = await font(api);
    await api.fonts.updateFont({ organizationId, fontId, fontFamily: "Acme Serif" });
    return { action: "font.update", target: fontId };
  },
  "fonts.remove": async (api) => {
    const fontId = await font(api);
    await api.fonts.remove({ organizationId, fontId });
    return { action: "font.delete", target: fontId };
  },
  "customization.update": async (api) => {
    const one = { organizationId, siteId: await site(api) };
    await api.customization.update({ ...one, ...defaultCustomization("Handbook") });
    return { action: "site.customization.update", target: one.siteId };
  },
  "siteSpaceCustomization.update": async (api) => {
    const target = await customized(api);
    return { action: "site-space.customization.update", target: target.siteSpaceId };
  },
  "siteSpaceCustomization.remove": async (api) => {
    const target = await customized(api);
    await api.siteSpaceCustomization.remove(target);
    return { action: "site-space.customization.delete", target: target.siteSpaceId };
  },
  "siteSpaces.update": async (api) => {
    const siteId = await site(api);
    const siteSpaceId = await firstSiteSpace(api, siteId);
    await api.siteSpaces.update({ organizationId, siteId, siteSpaceId, path: "elsewhere" });
    return { action: "site-space.update", target: siteSpaceId };
  },
  "siteSpaces.remove": async (api) => {
    const siteId = await site(api);
    const siteSpaceId = await firstSiteSpace(api, siteId);
    await api.siteSpaces.add({ organizationId, siteId, spaceId: space() });
    await api.siteSpaces.remove({ organizationId, siteId, siteSpaceId });
    return { action: "site-space.remove", target: siteSpaceId };
  },
  "siteSpaces.move": async (api) => {
    const siteId = await site(api);
    const siteSpaceId = await firstSiteSpace(api, siteId);
    await api.siteSpaces.move({ organizationId, siteId, siteSpaceId });
    return { action: "site-space.move", target: siteSpaceId };
  },
  "sections.create": async (api) => {
    const { siteSectionId } = await sectioned(api);
    return { action: "site-section.create", target: siteSectionId };
  },
  "sections.update": async (api) => {
    const { siteSectionId, ...at } = await sectioned(api);
    await api.sections.update({ ...at, siteSectionId, title: "Elsewhere" });
    return { action: "site-section.update", target: siteSectionId };
  },
  "sections.remove": async (api) => {
    const { siteSectionId, ...at } = await sectioned(api);
    await api.sections.remove({ ...at, siteSectionId });
    return { action: "site-section.delete", target: siteSectionId };
  },
  "sections.move": async (api) => {
    const { siteSectionId, ...at } = await sectioned(api);
    await api.sections.move({ ...at, siteSectionId });
    return { action: "site-section.move", target: siteSectionId };
  },
  "sectionGroups.create": async (api) => {
    const { siteSectionGroupId } = await sectioned(api);
    return { action: "site-section-group.create", target: siteSectionGroupId };
  },
  "sectionGroups.update": async (api) => {
    const { siteSectionGroupId, ...at } = await sectioned(api);
    await api.sectionGroups.update({ ...at, siteSectionGroupId, title: "Less" });
    return { action: "site-section-group.update", target: siteSectionGroupId };
  },
  "sectionGroups.remove": async (api) => {
    const { siteSectionGroupId, ...at } = await sectioned(api);
    await api.sectionGroups.remove({ ...at, siteSectionGroupId });
    return { action: "site-section-group.delete", target: siteSectionGroupId };
  },
  "sectionGroups.move": async (api) => {
    const { siteSectionGroupId, ...at } = await sectioned(api);
    await api.sectionGroups.move({ ...at, siteSectionGroupId });
    return { action: "site-section-group.move", target: siteSectionGroupId };
  },
  "sectionGroups.addSection": async (api) => {
    const { siteSectionGroupId, siteSectionId, ...at } = await sectioned(api);
    await api.sectionGroups.addSection({ ...at, siteSectionGroupId, sectionId: siteSectionId });
    return { action: "site-section-group.addSection", target: siteSectionGroupId };
  },
  "sectionGroups.removeSection": async (api) => {
    const { siteSectionGroupId, ...at } = await sectioned(api);
    await api.sectionGroups.removeSection({ ...at, siteSectionGroupId });
    return { action: "site-section-group.removeSection", target: siteSectionGroupId };
  },
  "structure.sort": async (api) => {
    const { siteSectionGroupId: id, ...at } = await sectioned(api);
    await api.structure.sort({ ...at, item: { type: "site-section-group", id } });
    return { action: "site-section-group.move", target: id };
  },
};

const firstSiteSpace = async (api: Api, siteId: string) =>
  (await api.siteSpaces.list({ organizationId, siteId })).items[0]!.id;

/** A site with two sections, and a group with the second one. */
async function sectioned(api: Api) {
  const siteId = await site(api);
  const { id: siteSectionId } = await api.sections.create({ organizationId, siteId, spaceId: space() });
  const group = { organizationId, siteId, title: "More", sections: [siteSectionId] };
  const { id: siteSectionGroupId } = await api.sectionGroups.create(group);
  return { organizationId, siteId, siteSectionId, siteSectionGroupId };
}

const recorded = async (target: string, action: string) =>
  (await service.emitted(AuditRecorded)).filter(
    (entry) => entry.target.id === target && entry.action === action,
  );

/** What visitors do is recorded as it is, not as the doing of whoever sends it. */
const SILENT = new Set(["insights.trackEvents"]);
const mutations = operationsOf(router).filter(({ type, name }) => type === "mutation" && !SILENT.has(name));

test.each(mutations.map(({ name }) => name))("%s is recorded once", async (name) => {
  const write = writes[name];
  if (!write)
    throw new Error(`${name} is not in the table of writes: record it with audit(), and add it here`);
  const { action, target } = await write(await service.as({ acme: "create" }));
  expect(await recorded(target, action)).toMatchObject([
    { service: "sites", organization: "acme", actor: { type: "user", displayName: "Ada" } },
  ]);
});

test("PATCH /orgs/{organizationId}/sites/{siteId} is recorded with what changed, but not with a structure's contents", async () => {
  const api = await service.as({ acme: "create" });
  const siteId = await site(api);
  await api.sites.update({ organizationId, siteId, title: "Handbook", visibility: "unlisted" });
  const [entry] = await recorded(siteId, "site.update");
  expect(entry!.details).toEqual({
    title: { from: "Guide", to: "Handbook" },
    visibility: { from: "public", to: "unlisted" },
  });
});

test("a refused write is not recorded", async () => {
  const api = await service.as({ acme: "create" });
  const siteId = (await api.sites.create({ organizationId })).id;
  await expect(api.publishing.publish({ organizationId, siteId })).rejects.toThrow();
  expect(await recorded(siteId, "site.publish")).toEqual([]);
});

test("what a site loses by the transfer of a space is recorded as the doing of the service", async () => {
  const api = await service.as({ acme: "create" });
  const spaceId = space();
  const siteId = (await api.sites.create({ organizationId, spaces: [spaceId] })).id;
  const { items } = await api.siteSpaces.list({ organizationId, siteId });
  const moved = { space: spaceId, from: "acme", to: "beta" };
  const ctx = service.contextOf({ kind: "service", service: "sites" });
  await deliver(ctx, listeners, SpaceTransferred, spaceId, moved);
  expect(await recorded(items[0]!.id, "site-space.remove")).toMatchObject([
    { actor: { type: "service", id: "sites" }, details: { site: siteId, space: spaceId } },
  ]);
});
