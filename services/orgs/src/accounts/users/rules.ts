// A user is a person with an account; what they may do hangs on their memberships.

import { isDeepStrictEqual } from "node:util";
import { userOf } from "@octavo/shared/access";
import { changed } from "@octavo/shared/audit";
import { UserUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { forgetIdentity, requireUnboundToken } from "../../access/identity.js";
import { auditUser } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Get, GetById, Lookup, Update } from "./schema.js";
import { searchText } from "./search-text.js";
import { view } from "./view.js";

/** Returns the caller's own profile; 403 for a service, 404 when the account is gone. */
export async function get({ ctx }: Call<typeof Get>) {
  return view(ctx)(found(await queries.find(ctx, userOf(ctx).id), "User"));
}

/**
 * Returns a user whom the caller meets in an organization; 404 to others, guests among them, 403 for an integration.
 */
export async function getById({ ctx, input: { userId } }: Call<typeof GetById>) {
  await meet(ctx, userId);
  return view(ctx)(found(await queries.find(ctx, userId), "User"));
}

/**
 * Changes the caller's own name and photo, never the address; 401 for a token that has ended, 403 for somebody else or
 * with a token bound to an organization, 404 for a user whom the caller does not meet.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  const { userId: id, displayName, photoURL } = input;
  return transact(ctx, async (ctx) => {
    await meet(ctx, id);
    if ((await requireUnboundToken(ctx)).id !== id)
      refuse("FORBIDDEN", "User: only they themselves may do this");
    const row = found(await queries.find(ctx, id), "User");
    const set = { display_name: displayName ?? row.display_name, photo_url: photoURL ?? row.photo_url };
    const changes = { ...row, ...set };
    if (isDeepStrictEqual(changes, row)) return view(ctx)(row);
    await queries.update(ctx, id, set, searchText(set.display_name, row.email));
    const shown = view(ctx)(changes);
    const { email, photoURL: photo } = shown;
    await emit(ctx, UserUpdated, id, { user: id, displayName: shown.displayName, email, photoURL: photo });
    const details = changed(row, set);
    await auditUser(ctx, "user.update", { id, organization: null }, details);
    forgetIdentity(ctx, id);
    return shown;
  });
}

/** 404 for a user whom the caller meets in no organization. */
async function meet(ctx: Ctx, id: string) {
  if (!(await met(ctx, [id])).has(id)) refuse("NOT_FOUND", "User: not found");
}

/**
 * Returns those of the users whom the caller meets in an organization; all of them for a service, 403 for an
 * integration.
 */
export const met = async (ctx: Ctx, ids: string[]): Promise<Set<string>> =>
  ctx.caller.kind === "service" ? new Set(ids) : queries.metBy(ctx, userOf(ctx).id, ids);

/**
 * Returns the users of these ids. Their addresses are for services, and for people who share an organization with them.
 * 403 for an integration.
 */
export async function lookup({ ctx, input: { ids } }: Call<typeof Lookup>) {
  const rows = await queries.findAll(ctx, ids);
  if (ctx.caller.kind === "service") return rows.map(view(ctx));
  const met = await queries.metBy(ctx, userOf(ctx).id, ids);
  return rows.map((row) => view(ctx)(met.has(row.id) ? row : { ...row, email: null }));
}
