import { found } from "@octavo/shared/errors";
import { requireRole } from "../../access/identity.js";
import { allowIn } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/**
 * Returns the team with the context of somebody who may see it, its own people and members who may list teams; 403 to
 * other guests, 404 to strangers or when there is none.
 */
export async function loadTeam(ctx: Ctx, { organizationId: organization, teamId: id }: Key) {
  const entered = await requireRole(ctx, organization, "organization.view");
  const row = await queries.find(ctx, organization, id);
  if (!row?.own_role) allowIn(entered, organization, "team.view");
  return { ctx: entered, row: found(row, "Team") };
}

interface Key {
  organizationId: string;
  teamId: string;
}
