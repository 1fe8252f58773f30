import { allowIn, type Role } from "@octavo/shared/access";
import { found } from "@octavo/shared/errors";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

interface Input {
  organizationId: string;
  siteId: string;
}

/** The site, for a caller with at least `minimum` in its organization. */
export async function siteFor(
  ctx: Ctx,
  { organizationId, siteId }: Input,
  minimum: Role,
): Promise<queries.Row> {
  allowIn(ctx, organizationId, minimum);
  return found(await queries.find(ctx, organizationId, siteId), "Site");
}

/** The same inside a transaction, which then is the only one to write to the site. */
export async function lockedSite(ctx: Ctx, input: Input, minimum: Role): Promise<queries.Row> {
  allowIn(ctx, input.organizationId, minimum);
  return found(await queries.lock(ctx, input.organizationId, input.siteId), "Site");
}
