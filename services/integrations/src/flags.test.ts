import { ROLES } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { permits } from "./permissions.js";
import { publication, startIntegrations } from "./testing/integrations.js";

// What an answer says that the caller may do, held against the operations themselves. The flags of an organization are
// shown by orgs, from the same entries that guard here.

const t = await startIntegrations();
afterAll(t.end);

/** Whether an operation is not refused for want of a permission. */
const isLetThrough = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      const { status } = errorBody(error, "");
      if (status !== 403 && status !== 404) throw error;
      return false;
    },
  );

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
    expect(permissions).toEqual({
      admin: await isLetThrough(
        call.devMode.enable({ integrationName, tunnelUrl: "https://tunnel.example.com", all: false }),
      ),
    });

    const { id: installationId } = await admin.call.installations.install({ integrationName, organization });
    expect({
      listIntegrations: await isLetThrough(call.integrations.get({ integrationName: closed.name })),
      listInstallations: await isLetThrough(call.installations.get({ integrationName, installationId })),
      installIntegration: await isLetThrough(
        call.installations.install({ integrationName: closed.name, organization }),
      ),
    }).toEqual({
      listIntegrations: permits(role, "organization.listIntegrations"),
      listInstallations: permits(role, "organization.listInstallations"),
      installIntegration: permits(role, "organization.installIntegration"),
    });
  },
);
