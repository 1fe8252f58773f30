import type { Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { operationsOf } from "@octavo/shared/rest/routes";
import { startDns } from "@octavo/shared/testing/dns";
import { inFlight } from "@octavo/shared/testing/in-flight";
import type { Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMPTY_SCHEMA } from "./claims/schema.js";
import { defaultCustomization } from "./customization/defaults.js";
import type { Database } from "./db/database.js";
import { router } from "./router.js";
import { lockFonts } from "./store/fonts.js";
import { testSites } from "./testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
  service = await testSites({ dnsServers: [dns.server] });
  service.atEnd(dns.close);
});
afterAll(() => service.end());

const organizationId = "acme";
let hostnames = 0;
const server = { name: "Tickets", url: "https://mcp.example.com", headers: {} };
const font = {
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, sources: [{ url: "https://fonts.example.com/a.woff2" }] }],
};
const destination = { kind: "path", path: "/new" } as const;

/** A site of an administrator's, with somebody who may change it for now. */
async function furnished() {
  const admin = await service.as({ acme: "admin" });
  const [shown, other] = ["Shown", "Other"].map((title) =>
    service.content.space({ organization: "acme", title }),
  );
  const { id: siteId } = await admin.sites.create({
    organizationId,
    visibility: "share-link",
    spaces: [shown!.id],
  });
  const one = { organizationId, siteId };
  await admin.publishingAuth.get(one);
  const { id: shareLinkId } = await admin.shareLinks.create({ ...one, name: "Press" });
  const siteSpace = { ...one, siteSpaceId: (await admin.siteSpaces.list(one)).items[0]!.id };
  await admin.siteSpaceCustomization.update({ ...siteSpace, title: "Own title" });
  const hostname = `docs.in-flight-${++hostnames}.example`;
  await admin.sites.update({ ...one, hostname });
  dns.records.set(`_octavo.${hostname}`, [`octavo-verification=${siteId}`]);
  const { id: siteMcpServerId } = await admin.mcpServers.create({ ...one, ...server });
  const { id: fontId } = await admin.fonts.create({ organizationId, ...font });
  const { id } = await admin.redirects.create({ ...one, source: "/old", destination });
  const spaceId = service.content.space({ organization: "acme", title: "Second" }).id;
  const { id: siteSectionId } = await admin.sections.create({ ...one, spaceId });
  const { id: siteSectionGroupId } = await admin.sectionGroups.create({ ...one, title: "Group" });
  const { id: siteReleaseId } = await admin.releases.create({ ...one, title: "First" });
  await admin.releases.pin({
    ...one,
    siteReleaseId: (await admin.releases.create({ ...one, title: "Shown" })).id,
  });
  await admin.releases.create({ ...one, title: "Second", pin: true });
  return {
    ...(await service.someone({ acme: "create" })),
    release: { ...one, siteReleaseId },
    admin,
    one,
    siteSpace,
    redirect: { ...one, siteRedirectId: id },
    section: { ...one, siteSectionId },
    group: { ...one, siteSectionGroupId },
    mcpServer: { ...one, siteMcpServerId },
    fontId,
    shareLinkId,
    hostname,
    shown: shown!,
    other: other!,
  };
}
type Furnished = Awaited<ReturnType<typeof furnished>>;

const siteOf =
  ({ one }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx.selectFrom("site").select("id").where("id", "=", one.siteId).forUpdate().execute();
const changesOf =
  ({ other }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx.insertInto("space_change").values({ space: other.id }).execute();

const fontsOf = () => (trx: Transaction<Database>) => lockFonts({ db: trx }, organizationId);

interface Write {
  write: (of: Furnished) => Promise<unknown>;
  /** What it waits for, where that is not the site. */
  hold?: (of: Furnished) => (trx: Transaction<Database>) => Promise<unknown>;
}

const writes: Record<string, Write> = {
  "sites.create": {
    write: ({ api, other }) => api.sites.create({ organizationId, spaces: [other.id] }),
    hold: changesOf,
  },
  "sites.update": { write: ({ api, one }) => api.sites.update({ ...one, title: "Mine" }) },
  "sites.remove": { write: ({ api, one }) => api.sites.remove(one) },
  "siteSpaces.add": { write: ({ api, one, other }) => api.siteSpaces.add({ ...one, spaceId: other.id }) },
  "customHostnames.update": { write: ({ api, hostname }) => api.customHostnames.update({ hostname }) },
  "customHostnames.remove": { write: ({ api, hostname }) => api.customHostnames.remove({ hostname }) },
  "customization.update": {
    write: ({ api, one }) => api.customization.update({ ...one, ...defaultCustomization("Mine") }),
  },
  "siteSpaceCustomization.update": {
    write: ({ api, siteSpace }) => api.siteSpaceCustomization.update({ ...siteSpace, title: "Mine" }),
  },
  "siteSpaceCustomization.remove": {
    write: ({ api, siteSpace }) => api.siteSpaceCustomization.remove(siteSpace),
  },
  "redirects.create": {
    write: ({ api, one }) => api.redirects.create({ ...one, source: "/mine", destination }),
  },
  "redirects.importMany": {
    write: ({ api, one }) =>
      api.redirects.importMany({ ...one, redirects: [{ source: "/mine", destination }] }),
  },
  "redirects.update": {
    write: ({ api, redirect }) => api.redirects.update({ ...redirect, source: "/mine" }),
  },
  "redirects.remove": { write: ({ api, redirect }) => api.redirects.remove(redirect) },
  "siteSpaces.update": {
    write: ({ api, siteSpace }) => api.siteSpaces.update({ ...siteSpace, path: "mine" }),
  },
  "siteSpaces.remove": {
    write: ({ api, siteSpace }) => api.siteSpaces.remove(siteSpace),
  },
  "siteSpaces.move": { write: ({ api, siteSpace }) => api.siteSpaces.move(siteSpace) },
  "sections.create": { write: ({ api, one, other }) => api.sections.create({ ...one, spaceId: other.id }) },
  "sections.update": { write: ({ api, section }) => api.sections.update({ ...section, title: "Mine" }) },
  "sections.remove": { write: ({ api, section }) => api.sections.remove(section) },
  "sections.move": { write: ({ api, section }) => api.sections.move(section) },
  "sectionGroups.create": { write: ({ api, one }) => api.sectionGroups.create({ ...one, title: "Mine" }) },
  "sectionGroups.update": {
    write: ({ api, group }) => api.sectionGroups.update({ ...group, title: "Mine" }),
  },
  "sectionGroups.remove": { write: ({ api, group }) => api.sectionGroups.remove(group) },
  "sectionGroups.move": { write: ({ api, group }) => api.sectionGroups.move(group) },
  "sectionGroups.addSection": {
    write: ({ api, group, section }) =>
      api.sectionGroups.addSection({ ...group, sectionId: section.siteSectionId }),
  },
  "sectionGroups.removeSection": {
    write: ({ api, group, section }) =>
      api.sectionGroups.removeSection({ ...group, siteSectionId: section.siteSectionId }),
  },
  "structure.sort": {
    write: ({ api, one, section }) =>
      api.structure.sort({ ...one, item: { type: "site-section", id: section.siteSectionId } }),
  },
  "ads.request": {
    write: ({ api, one }) => api.ads.request({ ...one, status: "disabled" }),
  },
  "mcpServers.create": { write: ({ api, one }) => api.mcpServers.create({ ...one, ...server }) },
  "mcpServers.update": {
    write: ({ api, mcpServer }) => api.mcpServers.update({ ...mcpServer, name: "Mine" }),
  },
  "mcpServers.remove": { write: ({ api, mcpServer }) => api.mcpServers.remove(mcpServer) },
  "fonts.create": { write: ({ api }) => api.fonts.create({ organizationId, ...font }), hold: fontsOf },
  "fonts.updateFont": {
    write: ({ api, fontId }) => api.fonts.updateFont({ organizationId, fontId, fontFamily: "Mine" }),
    hold: fontsOf,
  },
  "fonts.remove": { write: ({ api, fontId }) => api.fonts.remove({ organizationId, fontId }), hold: fontsOf },
  "publishing.publish": { write: ({ api, one }) => api.publishing.publish(one) },
  "publishing.unpublish": { write: ({ api, one }) => api.publishing.unpublish(one) },
  "publishingAuth.update": {
    write: ({ api, one }) => api.publishingAuth.update({ ...one, backend: "integration" }),
  },
  "shareLinks.create": { write: ({ api, one }) => api.shareLinks.create({ ...one, name: "Mine" }) },
  "shareLinks.update": {
    write: ({ api, one, shareLinkId }) => api.shareLinks.update({ ...one, shareLinkId, active: false }),
  },
  "shareLinks.remove": {
    write: ({ api, one, shareLinkId }) => api.shareLinks.remove({ ...one, shareLinkId }),
  },
  "releases.create": { write: ({ api, one }) => api.releases.create({ ...one, title: "Mine" }) },
  "releases.update": { write: ({ api, release }) => api.releases.update({ ...release, title: "Mine" }) },
  "releases.remove": { write: ({ api, release }) => api.releases.remove(release) },
  "releases.pin": { write: ({ api, release }) => api.releases.pin(release) },
  "releases.unpin": { write: ({ api, one }) => api.releases.unpin(one) },
  "releases.rollback": { write: ({ api, one }) => api.releases.rollback(one) },
  "adaptiveSchema.update": {
    write: ({ api, one }) => api.adaptiveSchema.update({ ...one, jsonSchema: EMPTY_SCHEMA }),
  },
  "publishingAuth.regenerate": { write: ({ api, one }) => api.publishingAuth.regenerate(one) },
};

/** What only adds, and takes no more than reading, waits for nobody. */
const UNLOCKED = new Set(["insights.trackEvents"]);
const mutations = operationsOf(router).filter(({ type, name }) => type === "mutation" && !UNLOCKED.has(name));

const statusOf = (ended: PromiseSettledResult<unknown>) =>
  ended.status === "fulfilled" ? 200 : errorBody(ended.reason, "").status;

/** All that was written, and done. */
async function stateOf() {
  const tables = [
    ...(["site", "site_space", "publishing_auth", "share_link", "adaptive_schema", "outbox"] as const),
    ...(["site_section", "section_group", "former_path"] as const),
    ...(["site_customization", "site_space_customization", "site_redirect", "mcp_server", "font"] as const),
  ];
  const all = tables.map((table) => service.db.selectFrom(table).selectAll().execute());
  return (await Promise.all(all))
    .flat()
    .map((row) => JSON.stringify(row))
    .sort();
}

describe.each(mutations.map(({ name }) => name))("%s", (name) => {
  test.each<[string, Record<string, Role | null>, number]>([
    ["their removal", {}, 404],
    ["the loss of their role", { acme: "review" }, 403],
  ])("of somebody who waits for %s to be committed writes nothing", async (_, roles, status) => {
    const found = writes[name];
    if (!found) throw new Error(`${name} is not in the table of writes: add it here`);
    const { write, hold = siteOf } = found;
    const of = await furnished();
    const before = await stateOf();
    const ended = await inFlight(service.db, {
      hold: hold(of),
      write: () => write(of),
      change: () => service.content.changedRoles.set(of.id, roles),
    });
    expect(statusOf(ended)).toBe(status);
    expect(await stateOf()).toEqual(before);
  });
});

test.each<[string, (of: Furnished) => Promise<unknown>]>([
  ["loses the right to show a space", async ({ shown }) => Object.assign(shown, { level: "read" })],
  [
    "finds a space added that somebody else closed",
    async ({ one }) => {
      const closed = service.content.space({ organization: "acme", level: null });
      const rows = {
        id: `sitesp_${one.siteId}`,
        site: one.siteId,
        organization: "acme",
        path: "closed",
        position: 9,
      };
      return { ...rows, space: closed.id };
    },
  ],
])("publishing by somebody who waits, and %s meanwhile, is refused", async (_, change) => {
  const of = await furnished();
  const ended = await inFlight(service.db, {
    hold: siteOf(of),
    write: () => of.api.publishing.publish(of.one),
    change: async (trx) => {
      const row = (await change(of)) as { site?: string };
      if (row.site)
        await trx
          .insertInto("site_space")
          .values(row as never)
          .execute();
    },
  });
  expect(statusOf(ended)).toBe(403);
  expect((await of.admin.sites.get(of.one)).published).toBe(false);
});
