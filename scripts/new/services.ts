/** How the tests of a service start it, and call it as an administrator of an organization. */
interface Kit {
  file: string;
  start: string;
  end: string;
  organization: string;
  call: string;
}

const ADMIN = 'service.as({ [organizationId]: "admin" })';
export const SERVICES = {
  orgs: {
    file: "testing/orgs.js",
    start: "startOrgs",
    end: "end",
    organization: "await service.rows.organization()",
    call: `(await ${ADMIN}).call`,
  },
  content: {
    file: "testing/content.js",
    start: "contentTest",
    end: "drop",
    organization: '"acme"',
    call: ADMIN,
  },
  sites: {
    file: "testing/sites.js",
    start: "testSites",
    end: "end",
    organization: '"acme"',
    call: `await ${ADMIN}`,
  },
  integrations: {
    file: "testing/integrations.js",
    start: "startIntegrations",
    end: "end",
    organization: "service.orgs.add()",
    call: `(await ${ADMIN}).call`,
  },
} satisfies Record<string, Kit>;

export type ServiceName = keyof typeof SERVICES;
