// An e-mail domain is one that an organization names as its own. Others are concerned only once it is verified: by a
// record in the domain's DNS that names the organization, or by the operator's word.

import { transact } from "@octavo/shared/database/transact";
import { missingRecord, ownershipRecord } from "@octavo/shared/dns/challenge";
import { found, refuse } from "@octavo/shared/errors";
import { requireRole } from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import { audit } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Get, List } from "./schema.js";
import { view } from "./view.js";

/** Lists the domains that an organization names to administrators; 403 to other members, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  await requireRole(ctx, input.organizationId, "organization.admin");
  const rows = await queries.ofOrganization(ctx, input.organizationId);
  return { items: rows.map(view(ctx)) };
}

/**
 * Returns a domain that an organization names to an administrator; 403 to other members, 404 for one it does not
 * name.
 */
export async function get({ ctx, input }: Call<typeof Get>) {
  return view(ctx)(await loadDomain(ctx, input));
}

/**
 * Looks for the record, and verifies the domain when it is there. Otherwise 409, which states what was looked for and
 * what was found. A domain that is verified already is not looked up again. 403 for who is no administrator, 404 for a
 * domain that the organization does not name.
 */
export async function verify({ ctx, input }: Call<typeof Get>) {
  const row = await loadDomain(ctx, input);
  if (row.verified_at !== null) return view(ctx)(row);
  const record = ownershipRecord(row.domain, row.organization);
  const miss = await missingRecord(ctx.lookupTxt, record);
  if (miss) {
    const wanted = `the TXT record ${record.name} has to hold ${JSON.stringify(record.value)}`;
    refuse("CONFLICT", `E-mail domain: ${wanted}; ${miss.found}`, { reason: miss.reason });
  }
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, row.organization, "organization.admin");
    await loadDomain(ctx, input);
    await note(ctx, row, "dns");
    return view(ctx)(await loadDomain(ctx, input));
  });
}

/** Takes the operator's word for domains that the organization names, inside the transaction that names them. */
export async function vouch(ctx: Ctx, organization: string, domains: string[]): Promise<void> {
  for (const domain of domains) await note(ctx, { organization, domain }, "operator");
}

async function note(
  ctx: Ctx,
  { organization, domain }: Pick<queries.Row, "organization" | "domain">,
  by: By,
) {
  const verified_at = ctx.clock().toISOString();
  if (!(await queries.verify(ctx, { organization, domain, verified_at }))) return;
  const target = { type: "email-domain", id: domain };
  await audit(ctx, { organization, action: "email-domain.verify", target, details: { by } });
}

type By = "dns" | "operator";

/** Ends the verification of the domains that the organization no longer names, inside the transaction that changes them. */
export async function keepNamed(ctx: Ctx, organization: string, domains: string[]): Promise<void> {
  await queries.keepNamed(ctx, organization, domains);
}

/** Returns the verified domains of an organization, whose people may come into it. */
export const verified = (ctx: Ctx, organization: string): Promise<string[]> =>
  queries.verified(ctx, organization);

/**
 * Returns whether an organization names the domain and has verified it, or has only named it; undefined for neither.
 */
export async function standing(
  ctx: Ctx,
  organization: string,
  domain: string,
): Promise<"verified" | "pending" | undefined> {
  const row = await queries.find(ctx, organization, domain);
  return row && (row.verified_at === null ? "pending" : "verified");
}

async function loadDomain(ctx: Ctx, { organizationId, emailDomain }: Call<typeof Get>["input"]) {
  await requireRole(ctx, organizationId, "organization.admin");
  return found(await queries.find(ctx, organizationId, emailDomain), "E-mail domain");
}
