import type { UserCaller } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { Refusal } from "@octavo/shared/errors";
import { memberOf } from "../../access/level.js";
import { lockTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import * as operations from "../operations.js";
import type { Row } from "../sync-queries.js";

/**
 * Whether who set a sync may still set it, as orgs has them now: it brings content in and out in their name, by their
 * credentials.
 */
export async function isAllowed(ctx: Ctx, { space, created_by: id }: Row): Promise<boolean> {
  const organization = await operations.organizationOf(ctx, space);
  const asked: UserCaller = { kind: "user", id, name: "", organizations: {}, teams: [], token: "" };
  const membership = await ctx.orgs.membership(ctx, organization, asked);
  if (!membership) return false;
  const caller = memberOf(organization, membership);
  try {
    await transact({ ...ctx, caller }, (ctx) => lockTarget(ctx, { spaceId: space }, "space.triggerGitSync"));
    return true;
  } catch (error) {
    if (error instanceof Refusal && (error.code === "FORBIDDEN" || error.code === "NOT_FOUND")) return false;
    throw error;
  }
}
