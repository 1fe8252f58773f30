import { isWithin, type ReaderCaller } from "@octavo/shared/contracts/callers";
import { found, refuse } from "@octavo/shared/errors";
import { type Action, allowIn } from "../permissions.js";
import * as queries from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { requireDecision, requireStoredRole } from "./standing.js";

interface Input {
  organizationId: string;
  siteId: string;
}

/**
 * The site, for a caller who may do this in its organization: 404 for strangers, else 403. A visitor views the site that
 * the token is for; 401 once its audience was narrowed.
 */
export async function loadSite(
  ctx: Ctx,
  { organizationId, siteId }: Input,
  action: Action,
): Promise<queries.Row> {
  if (ctx.caller.kind === "reader") return loadVisited(ctx, { organizationId, siteId }, ctx.caller);
  allowIn(ctx, organizationId, action);
  return found(worksOn(ctx, siteId) ? await queries.find(ctx, organizationId, siteId) : undefined, "Site");
}

/** Whether the caller, if it is an integration, is installed for the site. */
const worksOn = ({ caller }: Ctx, site: string) =>
  caller.kind !== "integration" || isWithin(caller.sites, site);

async function loadVisited(ctx: Ctx, input: Input, reader: ReaderCaller): Promise<queries.Row> {
  const { organizationId, siteId } = input;
  const own = reader.site === siteId && reader.organization === organizationId;
  const site = found(own ? await queries.find(ctx, organizationId, siteId) : undefined, "Site");
  if ((site.published || reader.preview) && site.audience_epoch <= reader.epoch) return site;
  refuse("UNAUTHORIZED", "Token: the audience of its site has changed", { reason: "reader_token_ended" });
}

/**
 * Locks a site inside a transaction, which then is the only one to write to it, by the role as it is then: 403 for a
 * role that does not reach, 404 to strangers or when there is none. What `widens` who sees the spaces of the site takes
 * the right to decide that about all of them as well.
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

/**
 * Locks a site, when it is there, for a transaction that asks for the caller's right itself; 403 for a role that does
 * not reach by the identity, 404 to strangers.
 */
export async function lockSiteIfAny(ctx: Ctx, { organizationId, siteId }: Input, action: Action) {
  allowIn(ctx, organizationId, action);
  if (!worksOn(ctx, siteId)) return undefined;
  return queries.lock(ctx, organizationId, siteId);
}
