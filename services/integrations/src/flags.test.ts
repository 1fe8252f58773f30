import { ROLES } from "@octavo/shared/contracts/roles";
import { flagProblems, isLetThrough } from "@octavo/shared/testing/flags";
import { afterAll, expect, test } from "vitest";
import { flagsOf } from "./permissions.js";
import { publication, startIntegrations } from "./testing/integrations.js";

// What a response lets the caller do, held against the operations themselves. The flags of an organization are
// shown by orgs, from the same entries that guard here.

const t = await startIntegrations();
afterAll(t.end);

test.each([...ROLES, null, undefined])(
  "the flags for the role %s are what the operations do",
  async (role) => {
    const organization = t.orgs.add();
    const admin = await t.as({ [organization]: "admin" });
    const open = await admin.call.integrations.publish(publication({ organization, visibility: "public" }));
    const closed = await admin.call.integrations.publish(
      publication({ organization, visibility: "private" }),
    );
    const { call } = await t.as(role === undefined ? {} : { [organization]: role });
    const integrationName = open.name;

    const { permissions } = await call.integrations.get({ integrationName });
    const enabled = { integrationName, tunnelUrl: "https://tunnel.example.com", all: false };
    expect(
      await flagProblems(permissions, { admin: () => isLetThrough(call.devMode.enable(enabled)) }),
    ).toEqual([]);

    const { id: installationId } = await admin.call.installations.install({ integrationName, organization });
    const { listIntegrations, listInstallations, installIntegration } = flagsOf(role, "organization");
    const inOrganization = {
      listIntegrations: () => isLetThrough(call.integrations.get({ integrationName: closed.name })),
      listInstallations: () => isLetThrough(call.installations.get({ integrationName, installationId })),
      installIntegration: () =>
        isLetThrough(call.installations.install({ integrationName: closed.name, organization })),
    };
    const shown = { listIntegrations, listInstallations, installIntegration };
    expect(await flagProblems(shown, inOrganization)).toEqual([]);
  },
);
