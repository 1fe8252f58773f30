import { allowIn } from "@octavo/shared/access";
import type { Role } from "@octavo/shared/contracts/roles";
import { found } from "@octavo/shared/errors";
import * as queries from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { requireDecision, requireStoredRole } from "./standing.js";

interface Input {
  organizationId: string;
  siteId: string;
}

/** The site, for a caller with at least `minimum` in its organization. */
export async function loadSite(
  ctx: Ctx,
  { organizationId, siteId }: Input,
  minimum: Role,
): Promise<queries.Row> {
  allowIn(ctx, organizationId, minimum);
  return found(await queries.find(ctx, organizationId, siteId), "Site");
}

/**
 * The same inside a transaction, which then is the only one to write to the site, by the role as it is then. What
 * `widens` who sees the spaces of the site takes the right to decide that about all of them as well.
 */
export async function lockSite(
  ctx: Ctx,
  input: Input,
  minimum: Role,
  widens: (site: queries.Row) => boolean = () => false,
): Promise<queries.Row> {
  const site = found(await lockSiteIfAny(ctx, input, minimum), "Site");
  await (widens(site)
    ? requireDecision(ctx, site, minimum)
    : requireStoredRole(ctx, site.organization, minimum));
  return site;
}

/** The site, when it is there, for a transaction that asks for the caller's right itself. */
export function lockSiteIfAny(ctx: Ctx, { organizationId, siteId }: Input, minimum: Role) {
  allowIn(ctx, organizationId, minimum);
  return queries.lock(ctx, organizationId, siteId);
}
