// An organization is what people belong to and what owns everything else.

import { userOf } from "@octavo/shared/access";
import { changed } from "@octavo/shared/audit";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { OrganizationUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import {
  boundTo,
  forgetIdentity,
  requireRole,
  requireUnboundToken,
  withRoles,
} from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import * as users from "../../accounts/users/accounts.js";
import { auditOrganization } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as emailDomains from "../email-domains/rules.js";
import { awaitSite, refuseSite, requireSite } from "../visitor-auth/known.js";
import { establish } from "./establish.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListOfDomain, Lookup, Update } from "./schema.js";
import { columnsOf, refuseTaken } from "./settings.js";
import { view } from "./view.js";

/** Lists the organizations of the caller that the token in use reaches; 403 for a service. */
export function list({ ctx, input }: Call<typeof List>) {
  const query = queries.reached(ctx, userOf(ctx));
  return paginate({
    query,
    key: "organization.id",
    input,
    view: (rows) => {
      const roles = Object.fromEntries(rows.map(({ id, role }) => [id, role]));
      return rows.map(view(withRoles(ctx, roles)));
    },
  });
}

/** Returns an organization to its members, guests among them; 404 to strangers. */
export async function get({ ctx, input: { organizationId: id } }: Call<typeof Get>) {
  const row = await queries.find(ctx, id);
  const entered = await requireRole(ctx, id, "organization.view");
  return view(entered)(found(row, "Organization"));
}

/**
 * Lists the organizations that name a domain: to people of it those that verified it, which they may join; to others
 * those that they belong to. 403 for an integration.
 */
export async function listOfDomain({ ctx, input: { emailDomain } }: Call<typeof ListOfDomain>) {
  const shown =
    ctx.caller.kind === "service" ? { own: [], open: true } : await shownTo(ctx, userOf(ctx), emailDomain);
  return { organizations: (await queries.ofDomain(ctx, emailDomain, shown)).map(view(ctx)) };
}

/** A token that is bound to an organization joins no other, and is shown none. */
async function shownTo(ctx: Ctx, { id, organizations }: UserCaller, domain: string) {
  const open = (await boundTo(ctx)) === null && (await users.isOfDomain(ctx, id, domain));
  return { own: Object.keys(organizations), open };
}

/** Returns the organizations of these ids; those that the caller does not belong to are seen from outside. */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  return (await queries.findAll(ctx, input.ids)).map(view(ctx));
}

/**
 * Creates an organization with the caller as its administrator; 400 for a default site, 401 for a token that has ended,
 * 403 with one bound to an organization, 409 for a hostname that is taken.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  if (input.defaultContent) refuseSite();
  return establish(ctx, (await requireUnboundToken(ctx)).id, input);
}

/**
 * Changes the settings of an organization; 403 for who is no administrator, 404 to strangers, 400 for a default site
 * that is not its own, 409 for a hostname that is taken. Domains that it no longer names lose their verification.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const site = input.defaultContent?.site;
  if (site !== undefined) {
    await requireRole(ctx, input.organizationId, "organization.admin");
    await awaitSite(ctx, input.organizationId, site);
  }
  return transact(ctx, async (ctx) => {
    const { organizationId: id, ...settings } = input;
    // The site is held first, as by whoever deletes one and takes it from the organization then.
    if (site !== undefined) await requireSite(ctx, id, site);
    const entered = await requireRoleLocked(ctx, id, "organization.admin");
    const changes = columnsOf(settings);
    const before = found(await queries.find(ctx, id), "Organization");
    const details = changed(before, changes);
    if (Object.keys(details).length > 0) {
      await refuseTaken(() => queries.update(ctx, id, changes));
      if (changes.email_domains) await emailDomains.keepNamed(ctx, id, changes.email_domains);
      await emit(ctx, OrganizationUpdated, id, { organization: id });
      if (details.sso) forgetIdentity(ctx, id);
      await auditOrganization(ctx, "organization.update", { id, organization: id }, details);
    }
    return view(entered)(found(await queries.find(ctx, id), "Organization"));
  });
}
