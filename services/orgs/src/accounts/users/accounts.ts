// Accounts as sign-in, invites and admission find, confirm and make them, inside their own transactions.

import { UserUpdated } from "@octavo/shared/contracts/events/orgs";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { forgetIdentity } from "../../access/identity.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Registration } from "./schema.js";
import { searchText } from "./search-text.js";
import { view } from "./view.js";

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

/** Returns whether somebody's confirmed address is of the domain (in lower case). */
export async function isOfDomain(ctx: Ctx, id: string, domain: string): Promise<boolean> {
  const { email, emailVerified } = await account(ctx, id);
  return emailVerified && (email?.endsWith(`@${domain}`) ?? false);
}

/** Creates a service account, which has no address, and returns its id. */
export async function makeServiceAccount(ctx: Ctx, organization: string, title: string): Promise<string> {
  const name = { display_name: title, search_text: searchText(title, null) };
  return (await queries.insert(ctx, { id: newId(), organization, email_verified: false, ...name })).id;
}

/** Renames a service account, and emits that. */
export async function rename(ctx: Ctx, id: string, name: string): Promise<void> {
  await queries.update(ctx, id, { display_name: name, photo_url: null }, searchText(name, null));
  await emit(ctx, UserUpdated, id, { user: id, displayName: name });
  forgetIdentity(ctx, id);
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
