import { newId } from "@octavo/shared/ids";
import { operationsOf } from "@octavo/shared/rest/routes";
import { inFlight } from "@octavo/shared/testing/in-flight";
import type { Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "./db/database.js";
import { router } from "./router.js";
import { holdOrganization } from "./store/webhooks.js";
import type { Roles } from "./testing/identities.js";
import { publication, startIntegrations } from "./testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());

/** An integration of an organization's with an installation, and somebody who may change both for now. */
async function furnished() {
  const [organization, id] = [home.orgs.add(), newId()];
  const { call } = await home.as({ [organization]: "admin" }, { id });
  const published = publication({ organization });
  const { name: integrationName } = await call.integrations.publish(published);
  const { id: installationId } = await call.installations.install({ integrationName, organization });
  const [space, site] = [home.content.space(organization), home.sites.site(organization)];
  const key = { integrationName, installationId };
  await call.installationSpaces.install({ ...key, space });
  await call.installationSites.install({ ...key, siteId: site });
  const organizationId = organization;
  const { id: webhookId } = await call.webhooks.create({
    organizationId,
    url: "https://mine.example/",
    types: ["site.deleted"],
  });
  const webhook = { organizationId, webhookId };
  const { id: deliveryId } = await call.webhooks.test(webhook);
  return { organization, id, call, published, ...key, key, space, site, webhook, deliveryId };
}
type Furnished = Awaited<ReturnType<typeof furnished>>;

const integrationOf =
  ({ integrationName }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx.selectFrom("integration").select("id").where("name", "=", integrationName).forUpdate().execute();
const installationOf =
  ({ installationId }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx.selectFrom("installation").select("id").where("id", "=", installationId).forUpdate().execute();

const contentInstallationsOf =
  ({ installationId }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx
      .selectFrom("content_installation")
      .select("id")
      .where("installation", "=", installationId)
      .forUpdate()
      .execute();

const webhookOf =
  ({ webhook }: Furnished) =>
  (trx: Transaction<Database>) =>
    trx.selectFrom("webhook").select("id").where("id", "=", webhook.webhookId).forUpdate().execute();

interface Write {
  write: (of: Furnished) => Promise<unknown>;
  hold: (of: Furnished) => (trx: Transaction<Database>) => Promise<unknown>;
}

const writes: Record<string, Write> = {
  "integrations.publish": {
    write: ({ call, published }) => call.integrations.publish({ ...published, title: "Mine" }),
    hold: integrationOf,
  },
  "integrations.unpublish": {
    write: ({ call, integrationName }) => call.integrations.unpublish({ integrationName }),
    hold: integrationOf,
  },
  "devMode.enable": {
    write: ({ call, integrationName }) =>
      call.devMode.enable({ integrationName, tunnelUrl: "https://mine.example", all: true }),
    hold: integrationOf,
  },
  "devMode.disable": {
    write: ({ call, integrationName }) => call.devMode.disable({ integrationName }),
    hold: integrationOf,
  },
  "installations.install": {
    write: ({ call, integrationName, organization }) =>
      call.installations.install({ integrationName, organization }),
    hold: integrationOf,
  },
  "installations.update": {
    write: ({ call, integrationName, installationId }) =>
      call.installations.update({ integrationName, installationId, externalIds: ["mine"] }),
    hold: installationOf,
  },
  "installations.uninstall": {
    write: ({ call, integrationName, installationId }) =>
      call.installations.uninstall({ integrationName, installationId }),
    hold: installationOf,
  },
};

writes["installationSpaces.install"] = {
  write: ({ call, key, organization }) =>
    call.installationSpaces.install({ ...key, space: home.content.space(organization) }),
  hold: installationOf,
};
writes["installationSpaces.update"] = {
  write: ({ call, key, space: spaceId }) =>
    call.installationSpaces.update({ ...key, spaceId, externalIds: ["mine"] }),
  hold: contentInstallationsOf,
};
writes["installationSpaces.uninstall"] = {
  write: ({ call, key, space: spaceId }) => call.installationSpaces.uninstall({ ...key, spaceId }),
  hold: contentInstallationsOf,
};
writes["installationSites.install"] = {
  write: ({ call, key, organization }) =>
    call.installationSites.install({ ...key, siteId: home.sites.site(organization) }),
  hold: installationOf,
};
writes["installationSites.update"] = {
  write: ({ call, key, site: siteId }) =>
    call.installationSites.update({ ...key, siteId, externalIds: ["mine"] }),
  hold: contentInstallationsOf,
};
writes["installationSites.uninstall"] = {
  write: ({ call, key, site: siteId }) => call.installationSites.uninstall({ ...key, siteId }),
  hold: contentInstallationsOf,
};

const time = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const webhookWrites: Record<string, (of: Furnished) => Promise<unknown>> = {
  "webhooks.update": ({ call, webhook }) => call.webhooks.update({ ...webhook, description: "mine" }),
  "webhooks.remove": ({ call, webhook }) => call.webhooks.remove(webhook),
  "webhooks.rotateSecret": ({ call, webhook }) => call.webhooks.rotateSecret(webhook),
  "webhooks.test": ({ call, webhook }) => call.webhooks.test(webhook),
  "webhooks.replay": ({ call, webhook }) => call.webhooks.replay({ ...webhook, ...time }),
  "webhookDeliveries.replay": ({ call, webhook, deliveryId }) =>
    call.webhookDeliveries.replay({ ...webhook, deliveryId }),
};
for (const [name, write] of Object.entries(webhookWrites)) writes[name] = { write, hold: webhookOf };
writes["webhooks.create"] = {
  write: ({ call, organization: organizationId }) =>
    call.webhooks.create({ organizationId, url: "https://mine.example/", types: ["site.deleted"] }),
  hold:
    ({ organization }) =>
    (db) =>
      holdOrganization({ ...home.ownContext(), db }, organization),
};

/** Integrations do this, not people; and what only reads has nothing to lose. */
const OTHERS = new Set(["tokens.create", "tasks.create", "render.post"]);
const mutations = operationsOf(router).filter(({ type, name }) => type === "mutation" && !OTHERS.has(name));

/** All that was written, and done. */
async function stateOf() {
  const tables = [
    ...(["integration", "installation", "content_installation", "event", "outbox"] as const),
    ...(["webhook", "webhook_delivery"] as const),
  ];
  const all = tables.map((table) => home.db.selectFrom(table).selectAll().execute());
  return (await Promise.all(all))
    .flat()
    .map((row) => JSON.stringify(row))
    .sort();
}

describe.each(mutations.map(({ name }) => name))("%s", (name) => {
  test.each<[string, (organization: string) => Roles]>([
    ["their removal", () => ({})],
    ["the loss of their role", (organization) => ({ [organization]: "review" })],
  ])("of somebody who waits for %s to be committed writes nothing", async (_, roles) => {
    const found = writes[name];
    if (!found) throw new Error(`${name} is not in the table of writes: add it here`);
    const of = await furnished();
    // So that being installed already is not what refuses it.
    if (name === "installations.install") await of.call.installations.uninstall(of);
    const before = await stateOf();
    const ended = await inFlight(home.db, {
      hold: found.hold(of),
      write: () => found.write(of),
      change: () => home.orgs.knows(of.id, roles(of.organization)),
    });
    // What one may not see any more is removed as much as what is not there.
    const silent = /unpublish|disable|uninstall|remove/.test(name) && Object.keys(roles("")).length === 0;
    expect(ended.status).toBe(silent ? "fulfilled" : "rejected");
    expect(await stateOf()).toEqual(before);
  });
});

test("installing an integration that becomes another organization's private one meanwhile is refused", async () => {
  const of = await furnished();
  const rival = home.orgs.add();
  const { call } = await home.as({ [rival]: "create" });
  const { integrationName } = of;
  await of.call.integrations.publish({ ...of.published, visibility: "public" });
  const ended = await inFlight(home.db, {
    hold: integrationOf(of),
    write: () => call.installations.install({ integrationName, organization: rival }),
    change: (trx) =>
      trx
        .updateTable("integration")
        .set({ visibility: "private" })
        .where("name", "=", integrationName)
        .execute(),
  });
  expect(ended).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
});
