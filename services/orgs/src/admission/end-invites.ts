// Invites end before their time: with the right of who made them, or once their address needs them no more.

import type { Deed } from "@octavo/shared/audit";
import * as tokens from "../accounts/tokens/revocation.js";
import { audit } from "../audit/audit.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import { targetOf } from "./target.js";

/** Ends invites and links, with the tokens that wait with them. */
export async function end(ctx: Ctx, rows: queries.Row[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tokens.revokeInvited(ctx, ids);
  await queries.remove(ctx, ids);
  await audit(ctx, ...rows.map(deedOf));
}

function deedOf({ id, organization, email }: queries.Row): Deed {
  const target = targetOf({ id });
  if (email === null) return { organization, action: "invite.link.delete", target };
  return { organization, action: "invite.revoke", target, details: { email } };
}

/** Ends the invites and links that somebody made who is no administrator any more: they know them. */
export async function endMadeBy(ctx: Ctx, organization: string, maker: string): Promise<void> {
  await end(ctx, await queries.madeBy(ctx, organization, maker));
}

/** Ends what is pending for a person who came in or went, but for the invite that is just being accepted. */
export async function endFor(
  ctx: Ctx,
  organization: string,
  person: string,
  accepted?: string,
): Promise<void> {
  const pending = await queries.pendingFor(ctx, organization, person);
  await end(
    ctx,
    pending.filter(({ id }) => id !== accepted),
  );
}
