// Invites end before their time: with the right of who made them, or once their address needs them no more.

import { audit } from "../audit.js";
import * as tokens from "../tokens/rules.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import { targetOf } from "./target.js";

/** Ends an invite to an address, with the tokens that wait with it. */
export async function end(ctx: Ctx, { id, organization, email }: queries.Row): Promise<void> {
  await tokens.withdrawInvited(ctx, id);
  await queries.remove(ctx, id);
  const target = targetOf({ id });
  if (email === null) await audit(ctx, { organization, action: "invite.link.delete", target });
  else await audit(ctx, { organization, action: "invite.revoke", target, details: { email } });
}

/** Ends the invites and links that somebody made who is no administrator any more: they know them. */
export async function endMadeBy(ctx: Ctx, organization: string, maker: string): Promise<void> {
  for (const row of await queries.madeBy(ctx, organization, maker)) await end(ctx, row);
}

/** Ends what is pending for a person who came in or went, but for the invite that is just being accepted. */
export async function endFor(
  ctx: Ctx,
  organization: string,
  person: string,
  accepted?: string,
): Promise<void> {
  for (const row of await queries.pendingFor(ctx, organization, person)) {
    if (row.id !== accepted) await end(ctx, row);
  }
}
