// What ends when a member loses a role or leaves, inside the transaction of whoever decided it.

import { refuse } from "@octavo/shared/errors";
import { isOwn } from "../../access/members.js";
import * as tokens from "../../accounts/tokens/revocation.js";
import { endMadeBy } from "../../admission/end-invites.js";
import { permits } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/** Refuses to lose the only administrator left (409); the organization has to be locked. */
export async function refuseLastAdministrator(ctx: Ctx, { organization, person, role }: queries.Row) {
  if (!permits(role, "organization.admin") || (await queries.otherAdministrator(ctx, organization, person)))
    return;
  refuse("CONFLICT", "Member: an organization needs an administrator, and this is the last one", {
    reason: "last_administrator",
  });
}

/** Ends the tokens and invites that a person made as an administrator, before they are none any more. */
export async function endRight(ctx: Ctx, organization: string, user: string) {
  await tokens.revokeMadeBy(ctx, organization, user);
  await endMadeBy(ctx, organization, user);
}

/** Remembers a loss that somebody else decided; what people do to themselves they may take back. */
export async function noteDeparture(ctx: Ctx, organization: string, person: string) {
  if (isOwn(ctx, person)) return;
  const by = ctx.caller.kind === "user" ? ctx.caller.id : ctx.caller.kind;
  await queries.noteDeparture(ctx, { organization, person, at: ctx.clock().toISOString(), by });
}
