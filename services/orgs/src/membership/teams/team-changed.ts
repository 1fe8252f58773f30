import { TeamChanged } from "@octavo/shared/contracts/events/orgs";
import { emit } from "@octavo/shared/events/outbox";
import { forgetIdentity } from "../../access/identity.js";
import type { Ctx } from "../../trpc.js";
import type * as queries from "./queries.js";

/** Emits that a team changed, and has this gateway ask again who its members are. */
export async function emitTeamChanged(
  ctx: Ctx,
  { id: team, organization }: Pick<queries.Row, "id" | "organization">,
  more: { deleted?: true } = {},
): Promise<void> {
  await emit(ctx, TeamChanged, organization, { organization, team, ...more });
  forgetIdentity(ctx, organization);
}
