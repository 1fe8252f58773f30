import { anyOf } from "@octavo/shared/database/any-of";
import { refuse } from "@octavo/shared/errors";
import type { Action } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { requireRole, requireStoredRole } from "./identity.js";

/** Whether somebody else ended a person's membership, or lowered their role, since that time. */
export const departedSince = async ({ db }: Ctx, organization: string, person: string, since: string) => {
  const query = db.selectFrom("departure").select("at").where("organization", "=", organization);
  const row = await query.where("person", "=", person).where("at", ">=", since).executeTakeFirst();
  return row !== undefined;
};

/** Since when somebody is a member. */
export async function memberSince(
  { db }: Ctx,
  organization: string,
  person: string,
): Promise<string | undefined> {
  const query = db.selectFrom("member").select("joined_at").where("organization", "=", organization);
  return (await query.where("person", "=", person).executeTakeFirst())?.joined_at;
}

/** Whether a person is in the organization. */
export async function isMember(ctx: Ctx, organization: string, person: string): Promise<boolean> {
  return (await findMembers(ctx, organization, [person])).length > 0;
}

/** 404 for whoever is not in the organization. */
export async function requireMember(ctx: Ctx, organization: string, person: string): Promise<void> {
  if (!(await isMember(ctx, organization, person))) refuse("NOT_FOUND", "Member: not found");
}

/** Which of the people are in the organization. */
export async function filterMembers(ctx: Ctx, organization: string, people: string[]): Promise<Set<string>> {
  return new Set((await findMembers(ctx, organization, people)).map(({ person }) => person));
}

/** Until the end of the transaction nobody else changes who is in the organization or in its teams. */
export const lockMembers = (ctx: Ctx, organization: string) => lock(ctx, organization);

/**
 * Guards a write that changes who may do what: takes turns, and asks again for the caller's role, since the identity
 * may be older than a change that the lock has just let through. Who has no role by it does not come to hold the lock.
 * 403 for a role that does not reach, 404 to strangers, 401 for a token that has ended.
 */
export async function requireRoleLocked(ctx: Ctx, organization: string, action: Action): Promise<Ctx> {
  const entered = await requireRole(ctx, organization, action);
  await lockMembers(entered, organization);
  return requireStoredRole(entered, organization, action);
}

/** Whether a user is the caller. */
export const isOwn = ({ caller }: Ctx, user: string) => caller.kind === "user" && caller.id === user;

const findMembers = ({ db }: Ctx, organization: string, people: string[]) =>
  db
    .selectFrom("member")
    .select("person")
    .where("organization", "=", organization)
    .where("person", "=", anyOf(people))
    .execute();

/** Lets the changes of an organization's members take turns until the end of the transaction. */
const lock = ({ db }: Ctx, organization: string) =>
  db.selectFrom("organization").select("id").where("id", "=", organization).forUpdate().execute();
