// Tokens that end because something else does, inside the transaction of whoever decided it.

import { TokenRevoked } from "@octavo/shared/contracts/events/orgs";
import { emit } from "@octavo/shared/events/outbox";
import { forgetIdentity } from "../../access/identity.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/**
 * Ends a token with all that were made with it, inside the transaction of whoever decided it; false when it was gone.
 * The token in use stays though it was made with that one, so that people can exchange a token for another of theirs.
 */
export async function end(ctx: Ctx, token: string): Promise<boolean> {
  if (ctx.caller.kind === "user") await queries.succeed(ctx, ctx.caller.token, token);
  const ended = await queries.remove(ctx, token);
  await forget(ctx, ended);
  return ended.length > 0;
}

/** Revokes the tokens that came with invites, and all that were made with them. */
export async function revokeInvited(ctx: Ctx, invites: string[]): Promise<void> {
  await forget(ctx, await queries.revokeInvited(ctx, invites));
}

/** Revokes all tokens with which a person reaches an organization. */
export async function revokeReaching(ctx: Ctx, person: string, organization: string): Promise<void> {
  await forget(ctx, await queries.revokeReaching(ctx, person, organization));
}

/** Revokes the tokens that somebody who is no administrator any more made for others. */
export async function revokeMadeBy(ctx: Ctx, organization: string, maker: string): Promise<void> {
  await forget(ctx, await queries.revokeMadeBy(ctx, organization, maker));
}

/** Revokes the tokens that hang on a membership which ends. */
export async function revokeMember(ctx: Ctx, organization: string, member: string): Promise<void> {
  await forget(ctx, await queries.revokeMember(ctx, organization, member));
}

/** Binds the tokens that waited with an invite to its organization, whose member the person is by now. */
export async function bindInvited(ctx: Ctx, invite: Parameters<typeof queries.bindInvited>[1]) {
  for (const { id } of await queries.bindInvited(ctx, invite)) forgetIdentity(ctx, id);
}

async function forget(ctx: Ctx, revoked: { id: string; person: string }[]) {
  for (const { id: token, person: user } of revoked) {
    await emit(ctx, TokenRevoked, user, { token, user });
    forgetIdentity(ctx, token);
  }
}
