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

/** Integrations do this, not people: it has a test of its own. */
const BY_INTEGRATIONS = new Set(["tokens.create"]);
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
    ...{ kind: "integration" as const, integration: integrationName, organization, scopes: [] },
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
