import type { OrgsRouter } from "@octavo/orgs/client";
import type { BaseContext } from "@octavo/shared/context";
import type { Caller } from "@octavo/shared/contracts/callers";
import { type Organization, organization } from "@octavo/shared/contracts/schemas/organization";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { standInFor } from "@octavo/shared/testing/stand-in";
import { createApi } from "@octavo/shared/trpc";
import { z } from "zod";
import { around, type Roles } from "./identities.js";

/** An orgs that holds the organizations that a test gives it: the lookup, as orgs serves it: tRPC over HTTP, for whoever shows a trusted identity. */
export async function startOrgs() {
  const known = new Map<string, Organization>();
  const rolesOf = new Map<string, Roles>();
  const asked: { ids: string[]; caller: Caller }[] = [];
  const api = createApi<BaseContext<never>>();
  const lookup = api
    .internal({})
    .input(z.object({ ids: z.array(z.string()).max(1000) }))
    .output(z.array(organization))
    .query(({ ctx, input: { ids } }) => {
      asked.push({ ids, caller: ctx.caller });
      return ids.flatMap((id) => known.get(id) ?? []);
    });
  // Everybody is what they say to be, until they are something else.
  const find = api
    .service("integrations")
    .input(z.object({ organizationId: z.string(), users: z.array(z.string()) }))
    .query(({ input: { organizationId, users } }) => {
      const roles = rolesOf.get(users[0]!);
      const role = roles === undefined ? "admin" : roles[organizationId];
      return role === undefined ? [] : [{ user: users[0]!, role, teams: [], joinedAt: acme.createdAt }];
    });
  const { log, verifier } = around;
  const router = standInFor<OrgsRouter>()(
    api.router({
      organizations: api.router({ lookup }),
      memberships: api.router({ find }),
    }),
  );
  const server = await serveRouter({ name: "orgs", router, verifier, base: { log }, log });

  /** A new organization; returns its id. */
  function add(over: Partial<Organization> = {}): string {
    const id = over.id ?? newId();
    known.set(id, { ...acme, id, ...over });
    return id;
  }
  return {
    url: server.url,
    add,
    asked,
    /** Has orgs know what somebody is, from now on. */
    knows: (user: string, roles: Roles) => rolesOf.set(user, roles),
    /** The current role of somebody, where a test set it. */
    rolesOf: (user: string) => rolesOf.get(user),
    end: server.close,
  };
}

const acme: Omit<Organization, "id"> = {
  object: "organization",
  title: "Acme",
  createdAt: "2026-01-01T00:00:00.000Z",
  emailDomains: [],
  type: "business",
  inviteLinks: false,
  plan: "free_2024",
  urls: { location: "http://octavo.test/v1/orgs/acme", app: "http://octavo.test/app/o/acme" },
  trial: { status: "notapplicable" },
  permissions: {
    view: true,
    admin: false,
    ownTeam: false,
    createContent: false,
    createOpenAPISpec: false,
    ingestConversations: false,
    viewBilling: false,
    listMembers: false,
    listTeams: false,
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  },
};
