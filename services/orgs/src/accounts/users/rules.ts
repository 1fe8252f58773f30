// A user is a person with an account; what they may do hangs on their memberships.

import { isDeepStrictEqual } from "node:util";
import { userOf } from "@octavo/shared/access";
import { changed } from "@octavo/shared/audit";
import { UserUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { forgetIdentity, requireUnboundToken } from "../../access/identity.js";
import { auditUser } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Get, GetById, Lookup, Registration, Update } from "./schema.js";
import { view } from "./view.js";

/** Returns the caller's own profile; 403 for a service. */
export async function get({ ctx }: Call<typeof Get>) {
  return view(ctx)(found(await queries.find(ctx, userOf(ctx).id), "User"));
}

/** Returns a user whom the caller meets in an organization; 404 to others, guests among them. */
export async function getById({ ctx, input: { userId } }: Call<typeof GetById>) {
  await meet(ctx, userId);
  return view(ctx)(found(await queries.find(ctx, userId), "User"));
}

/**
 * Changes the caller's own name and photo, never the address; 403 for somebody else or with a token bound to an
 * organization, 404 for a user whom the caller does not meet.
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

/** Returns those of the users whom the caller meets in an organization; all of them for a service. */
export const met = async (ctx: Ctx, ids: string[]): Promise<Set<string>> =>
  ctx.caller.kind === "service" ? new Set(ids) : queries.metBy(ctx, userOf(ctx).id, ids);

const searchText = (name: string, email: string | null) => `${name}\n${email ?? ""}`.toLowerCase();

/**
 * Returns the users of these ids. Their addresses are for services, and for people who share an organization with
 * them.
 */
export async function lookup({ ctx, input: { ids } }: Call<typeof Lookup>) {
  const rows = await queries.findAll(ctx, ids);
  if (ctx.caller.kind === "service") return rows.map(view(ctx));
  const met = await queries.metBy(ctx, userOf(ctx).id, ids);
  return rows.map((row) => view(ctx)(met.has(row.id) ? row : { ...row, email: null }));
}

/** Returns the user who has the address (in lower case); 404 when nobody has. */
export async function ofAddress(ctx: Ctx, email: string): Promise<{ id: string; name: string }> {
  const { id, display_name: name } = found(await queries.findByEmail(ctx, email), "User");
  return { id, name };
}

/** What decides where somebody may come in. */
export interface Account {
  id: string;
  /** In lower case. */
  email?: string;
  emailVerified: boolean;
}

/** Returns what decides on admission about a user; 404 when there is none. */
export async function account(ctx: Ctx, id: string): Promise<Account> {
  const row = found(await queries.findAccount(ctx, id), "User");
  return { id, email: row.email ?? undefined, emailVerified: row.email_verified };
}

/** Notes that the address is the user's, as they or somebody trusted proved; returns false when they have another one. */
export async function confirm(ctx: Ctx, id: string, email: string): Promise<boolean> {
  return (await queries.confirm(ctx, id, email)) !== undefined;
}

/** Creates a service account, which has no address, and returns its id. */
export async function makeServiceAccount(ctx: Ctx, organization: string, title: string): Promise<string> {
  const name = { display_name: title, search_text: searchText(title, null) };
  return (await queries.insert(ctx, { id: newId(), organization, email_verified: false, ...name })).id;
}

/** Gives a service account another name, and tells the others. */
export async function rename(ctx: Ctx, id: string, name: string): Promise<void> {
  await queries.update(ctx, id, { display_name: name, photo_url: null }, searchText(name, null));
  await emit(ctx, UserUpdated, id, { user: id, displayName: name });
  forgetIdentity(ctx, id);
}

/** Returns whether somebody's confirmed address is of the domain (in lower case). */
export async function isOfDomain(ctx: Ctx, id: string, domain: string): Promise<boolean> {
  const { email, emailVerified } = await account(ctx, id);
  return emailVerified && (email?.endsWith(`@${domain}`) ?? false);
}

/** The user with an address, and whether they may be without a token of their own. */
interface Invited {
  id: string;
  tokenless: boolean;
}

/** Returns the users with these addresses (in lower case); new ones have an address that nobody has confirmed. */
export async function invited(ctx: Ctx, emails: string[]): Promise<Map<string, Invited>> {
  const known = await findInvited(ctx, emails);
  // In one order whoever invites, so that nobody waits in a circle.
  const unknown = emails.filter((email) => !known.has(email)).sort();
  if (unknown.length === 0) return known;
  await queries.insertUnlessKnown(ctx, unknown.map(newcomer));
  return new Map([...known, ...(await findInvited(ctx, unknown))]);
}

const findInvited = async (ctx: Ctx, emails: string[]) =>
  new Map((await queries.findInvited(ctx, emails)).map(({ email, ...user }) => [email, user]));

function newcomer(email: string) {
  const display_name = email.slice(0, email.lastIndexOf("@")).slice(0, 64);
  return {
    id: newId(),
    email,
    email_verified: false,
    display_name,
    search_text: searchText(display_name, email),
  };
}

/** Returns the user with the e-mail address, who is created when there is none. */
export async function register(ctx: Ctx, { displayName, ...registration }: z.output<typeof Registration>) {
  const email = registration.email.toLowerCase();
  const known = await queries.findByEmail(ctx, email);
  const search = searchText(displayName, email);
  const row =
    known ??
    (await queries.insert(ctx, { id: newId(), display_name: displayName, email, search_text: search }));
  return view(ctx)(row);
}
