import { found } from "@octavo/shared/errors";
import { type Action, allowIn } from "../permissions.js";
import * as queries from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { requireDecision, requireStoredRole } from "./standing.js";

interface Input {
  organizationId: string;
  siteId: string;
}

/** The site, for a caller who may do this in its organization: 404 for strangers, else 403. */
export async function loadSite(
  ctx: Ctx,
  { organizationId, siteId }: Input,
  action: Action,
): Promise<queries.Row> {
  allowIn(ctx, organizationId, action);
  return found(await queries.find(ctx, organizationId, siteId), "Site");
}

/**
 * The same inside a transaction, which then is the only one to write to the site, by the role as it is then. What
 * `widens` who sees the spaces of the site takes the right to decide that about all of them as well.
 */
export async function lockSite(
  ctx: Ctx,
  input: Input,
  action: Action,
  widens: (site: queries.Row) => boolean = () => false,
): Promise<queries.Row> {
  const site = found(await lockSiteIfAny(ctx, input, action), "Site");
  await (widens(site)
    ? requireDecision(ctx, site, action)
    : requireStoredRole(ctx, site.organization, action));
  return site;
}

/** The site, when it is there, for a transaction that asks for the caller's right itself. */
export function lockSiteIfAny(ctx: Ctx, { organizationId, siteId }: Input, action: Action) {
  allowIn(ctx, organizationId, action);
  return queries.lock(ctx, organizationId, siteId);
}
