// An organization is what people belong to and what owns everything else.

import { userOf } from "@octavo/shared/access";
import { changed } from "@octavo/shared/audit";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { OrganizationCreated, OrganizationUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import {
  boundTo,
  forgetIdentity,
  requireRole,
  requireUnboundToken,
  withRoles,
} from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import * as users from "../../accounts/users/rules.js";
import { admit } from "../../admission/admit.js";
import { audit } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as emailDomains from "../email-domains/rules.js";
import { awaitSite, holdSite, refuseSite } from "../visitor-auth/known.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListOfDomain, Lookup, Settings, Update } from "./schema.js";
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
 * those that they belong to.
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

/** Returns the organization with the hostname, as it is stored; 404 when there is none. */
export const named = async (ctx: Ctx, hostname: string) =>
  found(await queries.findByHostname(ctx, hostname), "Subdomain");

/** Returns the organizations of these ids; those that the caller does not belong to are seen from outside. */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  return (await queries.findAll(ctx, input.ids)).map(view(ctx));
}

/**
 * Creates an organization with the caller as its administrator; 400 for a default site, 403 with a token bound to an
 * organization, 409 for a hostname that is taken.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  if (input.defaultContent) refuseSite();
  return establish(ctx, (await requireUnboundToken(ctx)).id, input);
}

/** Creates an organization with the person as its administrator. */
export function establish(ctx: Ctx, person: string, input: z.output<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const id = newId();
    const { title, type, useCase, communityType } = input;
    const kind = { type, use_case: useCase, community_type: communityType };
    await freeHostname(() => queries.insert(ctx, { id, ...columns(input), title, ...kind }));
    await emit(ctx, OrganizationCreated, id, { organization: id });
    await audit(ctx, {
      organization: id,
      action: "organization.create",
      target: targetOf(id),
      details: { title },
    });
    await admit(ctx, { organization: id, person, role: "admin" });
    const row = found(await queries.find(ctx, id), "Organization");
    return view(withRoles(ctx, { [id]: "admin" }))(row);
  });
}

/**
 * Returns an organization as it is stored, for rules that have guarded already or guard by it; 404 when there is
 * none.
 */
export const load = async (ctx: Ctx, id: string) => found(await queries.find(ctx, id), "Organization");

/** Returns the id of the first organization that the person administers, if there is one. */
export async function administeredBy(ctx: Ctx, person: string): Promise<string | undefined> {
  return (await queries.administeredBy(ctx, person))?.id;
}

/**
 * Changes the settings of an organization; 403 for who is no administrator, 400 for a default site that is not its
 * own, 409 for a hostname that is taken. Domains that it no longer names lose their verification.
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
    if (site !== undefined) await holdSite(ctx, id, site);
    const entered = await requireRoleLocked(ctx, id, "organization.admin");
    const changes = columns(settings);
    const before = found(await queries.find(ctx, id), "Organization");
    const details = changed(before, changes);
    if (Object.keys(details).length > 0) {
      await freeHostname(() => queries.update(ctx, id, changes));
      if (changes.email_domains) await emailDomains.keepNamed(ctx, id, changes.email_domains);
      await emit(ctx, OrganizationUpdated, id, { organization: id });
      if (details.sso) forgetIdentity(ctx, id);
      await audit(ctx, { organization: id, action: "organization.update", target: targetOf(id), details });
    }
    return view(entered)(found(await queries.find(ctx, id), "Organization"));
  });
}

/** Adds domains to those that an organization names, and marks them as verified, on the operator's word. */
export async function vouchFor(ctx: Ctx, id: string, domains: string[]): Promise<void> {
  const before = await load(ctx, id);
  const email_domains = [...new Set([...before.email_domains, ...domains])];
  if (email_domains.length > before.email_domains.length) {
    await queries.update(ctx, id, { email_domains });
    await emit(ctx, OrganizationUpdated, id, { organization: id });
    const details = changed(before, { email_domains });
    await audit(ctx, { organization: id, action: "organization.update", target: targetOf(id), details });
  }
  await emailDomains.vouch(ctx, id, domains);
}

const targetOf = (id: string) => ({ type: "organization", id });

/** The columns of the settings that are there; `null` empties one, absence leaves it. */
function columns({ defaultContent, emailDomains, ...input }: Settings) {
  const changes = {
    title: input.title,
    hostname: input.hostname,
    email_domains: emailDomains && [...new Set(emailDomains)],
    default_role: input.defaultRole,
    default_site: defaultContent === null ? null : defaultContent?.site,
    logo_url: input.logo,
    sso: input.sso,
    ai: input.ai,
    invite_links: input.inviteLinks,
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as typeof changes;
}

/** 409 when another organization has the hostname. */
async function freeHostname(write: () => Promise<unknown>) {
  try {
    await write();
  } catch (error) {
    onConstraint(error, "organization_hostname", () =>
      refuse("CONFLICT", "Hostname: another organization has it", { reason: "hostname_taken" }),
    );
    throw error;
  }
}
