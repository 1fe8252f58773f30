import { roleIn } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { missingRecord, ownershipRecord } from "@octavo/shared/dns/challenge";
import { found, onConstraint, refuse } from "@octavo/shared/errors";
import { lockSite, lockSiteIfAny } from "../access/load-site.js";
import { requireStoredRole } from "../access/standing.js";
import { emitSiteAudience } from "../audience/audience.js";
import { auditSite } from "../audit.js";
import type { HostnameStatus } from "../db/database.js";
import { allowIn, permits } from "../permissions.js";
import * as sites from "../store/sites.js";
import type { Call, Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import type { Lookup, One } from "./schema.js";
import { type Named, view } from "./view.js";

// A custom hostname is one that a site names as its own. Readers come to the site by it once a record in its DNS names
// the site: anybody may name a hostname, and only who has it can write that record.

/** Returns a hostname that a site of the caller's organizations names; 404 when none does. */
export async function get({ ctx, input }: Call<typeof One>) {
  return view(ctx, found(await findNamed(ctx, input.hostname), "Hostname"));
}

/**
 * Looks for the record of a hostname: the hostname is the site's while it is there. Otherwise 409, which states what was
 * looked for and what was found, and the hostname is no longer the site's if it was. A failed look-up changes nothing.
 * 403 for who may not create in the organization, 404 when no site of theirs names it.
 */
export async function update({ ctx, input: { hostname } }: Call<typeof One>) {
  const named = found(await findNamed(ctx, hostname), "Hostname");
  allowIn(ctx, named.organization, "site.update");
  const record = ownershipRecord(hostname, named.id);
  const miss = await missingRecord(ctx.lookupTxt, record);
  if (miss?.reason !== "dns_failed") {
    await note(ctx, named, miss ? STATUS[miss.reason] : "dns_passed").catch(refuseTaken);
  }
  if (!miss) return;
  const wanted = `the TXT record ${record.name} has to hold ${JSON.stringify(record.value)}`;
  refuse("CONFLICT", `Hostname: ${wanted}; ${miss.found}`, { reason: miss.reason });
}

const STATUS = { record_not_found: "dns_no_cname", record_mismatch: "dns_wrong_cname" } as const;

/** Takes a hostname away from the site that names it; 403 for who may not, and nothing happens when none is found. */
export async function remove({ ctx, input: { hostname } }: Call<typeof One>) {
  const known = await findNamed(ctx, hostname);
  if (!known) return;
  await transact(ctx, async (ctx) => {
    const { organization: organizationId, id: siteId } = known;
    const site = await lockSiteIfAny(ctx, { organizationId, siteId }, "site.update");
    if (site?.hostname !== hostname) return;
    await requireStoredRole(ctx, organizationId, "site.update");
    await set(ctx, site, { hostname: null, hostname_status: null, hostname_verified_at: null });
    await auditSite(ctx, "site.hostname.remove", site, { hostname });
  });
}

/**
 * Returns the site whose hostname it is, published or not, for the gateway: on the host of a site there is nothing else.
 * Null when it is none's.
 */
export async function lookup({ ctx, input: { hostname } }: Call<typeof Lookup>) {
  const site = await sites.byHostname(ctx, hostname.toLowerCase());
  return site ? { site: site.id, organization: site.organization } : null;
}

/** Records what the DNS returned, under the lock of the site; 404 when it names the hostname no longer. */
function note(
  ctx: Ctx,
  { id: siteId, organization: organizationId, hostname }: Named,
  status: HostnameStatus,
) {
  return transact(ctx, async (ctx) => {
    const isOwn = status === "dns_passed";
    const widens = (site: sites.Row) => isOwn && site.hostname_verified_at === null;
    const site = await lockSite(ctx, { organizationId, siteId }, "site.update", widens);
    found(site.hostname === hostname ? site : undefined, "Hostname");
    const since = isOwn ? (site.hostname_verified_at ?? ctx.clock().toISOString()) : null;
    await set(ctx, site, { hostname_status: status, hostname_verified_at: since });
    if ((since === null) === (site.hostname_verified_at === null)) return;
    await auditSite(ctx, isOwn ? "site.hostname.verify" : "site.hostname.lose", site, { hostname });
  });
}

async function set(ctx: Ctx, site: sites.Row, change: Parameters<typeof sites.update>[2]) {
  await sites.update(ctx, site.id, change);
  await emitSiteAudience(ctx, { ...site, ...change } as sites.Row);
}

/** The site that names a hostname, in an organization whose sites the caller may see. */
async function findNamed(ctx: Ctx, hostname: string): Promise<Named | undefined> {
  const { caller } = ctx;
  const all = caller.kind === "user" ? Object.keys(caller.organizations) : [];
  const seen = all.filter((organization) => permits(roleIn(caller, organization), "site.view"));
  return (await queries.named(ctx, hostname, seen)) as Named | undefined;
}

function refuseTaken(error: unknown): never {
  onConstraint(error, "site_hostname", () =>
    refuse("CONFLICT", "Hostname: is another site's", { reason: "hostname_taken" }),
  );
  throw error;
}
