import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { newId } from "@octavo/shared/ids";
import { operationsOf } from "@octavo/shared/rest/routes";
import { emitted } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "./router.js";
import { publication, startIntegrations } from "./testing/integrations.js";
import { createCaller } from "./trpc.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());

const SECRET = "hunter2";

/** An organization that published an integration, and installed it. */
async function acme() {
  const organization = home.orgs.add();
  const id = newId();
  const { call } = await home.as({ [organization]: "admin" }, { id });
  const { name: integrationName } = await call.integrations.publish(
    publication({ organization, secrets: { key: SECRET }, script: `export default "${SECRET}"` }),
  );
  const { id: installationId } = await call.installations.install({ integrationName, organization });
  return { id, organization, call, integrationName, installationId };
}

type Acme = Awaited<ReturnType<typeof acme>>;

/** Every write, done once; returns what it was done to. */
const writes: Record<string, (acme: Acme) => Promise<{ action: string; target: string }>> = {
  "integrations.publish": async ({ integrationName }) => ({
    action: "integration.publish",
    target: integrationName,
  }),
  "integrations.unpublish": async ({ call, integrationName }) => {
    await call.integrations.unpublish({ integrationName });
    return { action: "integration.unpublish", target: integrationName };
  },
  "devMode.enable": async ({ call, integrationName }) => {
    await call.devMode.enable({ integrationName, tunnelUrl: `https://tunnel.example/${SECRET}`, all: true });
    return { action: "integration.dev.enable", target: integrationName };
  },
  "devMode.disable": async ({ call, integrationName }) => {
    await call.devMode.disable({ integrationName });
    return { action: "integration.dev.disable", target: integrationName };
  },
  "installations.install": async ({ installationId }) => ({
    action: "installation.create",
    target: installationId,
  }),
  "installations.update": async ({ call, integrationName, installationId }) => {
    const key = { integrationName, installationId };
    await call.installations.update({ ...key, externalIds: ["one"], configuration: { key: SECRET } });
    return { action: "installation.update", target: installationId };
  },
  "installations.uninstall": async ({ call, integrationName, installationId }) => {
    await call.installations.uninstall({ integrationName, installationId });
    return { action: "installation.delete", target: installationId };
  },
};

/** An organization's webhook, and what is done to it. */
const webhookWrite =
  (
    action: string,
    write: (call: Acme["call"], one: { organizationId: string; webhookId: string }) => Promise<unknown>,
  ) =>
  async ({ call, organization }: Acme) => {
    const { id: webhookId } = await call.webhooks.create({
      organizationId: organization,
      url: `https://example.com/${SECRET}`,
      types: ["site.deleted"],
    });
    await write(call, { organizationId: organization, webhookId });
    return { action, target: webhookId };
  };
const time = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
Object.assign(writes, {
  "webhooks.create": webhookWrite("webhook.create", async () => undefined),
  "webhooks.update": webhookWrite("webhook.update", (call, one) =>
    call.webhooks.update({ ...one, url: `https://example.org/${SECRET}` }),
  ),
  "webhooks.remove": webhookWrite("webhook.delete", (call, one) => call.webhooks.remove(one)),
  "webhooks.rotateSecret": webhookWrite("webhook.rotateSecret", (call, one) =>
    call.webhooks.rotateSecret(one),
  ),
  "webhooks.test": webhookWrite("webhook.test", (call, one) => call.webhooks.test(one)),
  "webhooks.replay": webhookWrite("webhook.replay", (call, one) => call.webhooks.replay({ ...one, ...time })),
  "webhookDeliveries.replay": webhookWrite("webhook.replay", async (call, one) => {
    const { id: deliveryId } = await call.webhooks.test(one);
    await call.webhookDeliveries.replay({ ...one, deliveryId });
  }),
});

/** The same for spaces and for sites. */
for (const kind of ["space", "site"] as const) {
  const place = ({ organization }: Acme) =>
    kind === "space" ? home.content.space(organization) : home.sites.site(organization);
  const install = async (acme: Acme) => {
    const { call, integrationName, installationId } = acme;
    const id = place(acme);
    const key = { integrationName, installationId };
    await (kind === "space"
      ? call.installationSpaces.install({ ...key, space: id })
      : call.installationSites.install({ ...key, siteId: id }));
    const { id: target } = await home.db
      .selectFrom("content_installation")
      .select("id")
      .where("content", "=", id)
      .executeTakeFirstOrThrow();
    return { target, key: { ...key, spaceId: id, siteId: id } };
  };
  const name = kind === "space" ? "installationSpaces" : "installationSites";
  writes[`${name}.install`] = async (acme) => ({
    action: "contentInstallation.create",
    target: (await install(acme)).target,
  });
  writes[`${name}.update`] = async (acme) => {
    const { target, key } = await install(acme);
    await acme.call[name].update({ ...key, externalIds: ["one"], configuration: { key: SECRET } });
    return { action: "contentInstallation.update", target };
  };
  writes[`${name}.uninstall`] = async (acme) => {
    const { target, key } = await install(acme);
    await acme.call[name].uninstall(key);
    return { action: "contentInstallation.delete", target };
  };
}

/** Integrations do this, not people: tokens have a test of their own, tasks and components are their own affair. */
const BY_INTEGRATIONS = new Set(["tokens.create", "tasks.create", "render.post"]);
const mutations = operationsOf(router).filter(
  ({ type, name }) => type === "mutation" && !BY_INTEGRATIONS.has(name),
);

test.each(mutations.map(({ name }) => name))("%s is recorded once, without secrets", async (name) => {
  const write = writes[name];
  if (!write)
    throw new Error(`${name} is not in the table of writes: record it with audit(), and add it here`);
  const { id, organization, ...rest } = await acme();
  const { action, target } = await write({ id, organization, ...rest });
  const entries = (await emitted(home, AuditRecorded)).filter(
    (entry) => entry.target.id === target && entry.action === action,
  );
  expect(entries).toMatchObject([
    { service: "integrations", organization, actor: { type: "user", id, displayName: "Ada" } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

test("a token that an integration makes for an installation is recorded as the integration's, without the token", async () => {
  const { organization, integrationName, installationId } = await acme();
  const caller = {
    kind: "integration" as const,
    integration: integrationName,
    organization,
    scopes: [],
    token: newId(),
  };
  const call = createCaller(router)({ ...home.ownContext(), caller });
  const { token } = await call.tokens.create({ integrationName, installationId });
  const entries = (await emitted(home, AuditRecorded)).filter(
    ({ action, target }) => action === "installation.token.create" && target.id === installationId,
  );
  const actor = { type: "integration", id: integrationName, displayName: integrationName };
  expect(entries).toMatchObject([{ organization, actor, token: caller.token }]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("unpublishing an integration is recorded for every installation that goes with it", async () => {
  const { call, integrationName, installationId } = await acme();
  await call.integrations.unpublish({ integrationName });
  const entries = (await emitted(home, AuditRecorded)).filter(({ target }) => target.id === installationId);
  expect(entries.map(({ action }) => action)).toEqual(["installation.create", "installation.delete"]);
});
