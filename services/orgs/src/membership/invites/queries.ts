import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable } from "kysely";
import { inOrganization } from "../../admission/queries.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["invite"];

/** Finds an invite or a link of an organization by id. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  inOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** The invite whose code has this hash; until the transaction ends nobody else uses it. */
export const findMailed = ({ db }: Ctx, secret: Buffer) =>
  db.selectFrom("invite").selectAll().where("secret", "=", secret).forUpdate().executeTakeFirst();

/** How many invites to addresses an organization has made since, up to a number. */
export async function countSince({ db }: Ctx, organization: string, since: string, most: number) {
  const some = db
    .selectFrom("audit_event")
    .select("id")
    .where("organization", "=", organization)
    .where("action", "=", "invite.create")
    .where("occurred_at", ">", since)
    .limit(most);
  const { count } = await db
    .selectFrom(some.as("some"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The invite to the organization with which a token waits. */
export const waitsFor = ({ db }: Ctx, organization: string, token: string) =>
  db
    .selectFrom("token")
    .innerJoin("invite", "invite.id", "token.invite")
    .selectAll("invite")
    .where("token.id", "=", token)
    .where("invite.organization", "=", organization)
    .executeTakeFirst();

/** The invites to addresses, links left out. */
export const list = (ctx: Ctx, organization: string) =>
  inOrganization(ctx, organization).where("email", "is not", null);

/** Those of the addresses that have an invite already. */
export const pending = (ctx: Ctx, organization: string, emails: string[]) =>
  inOrganization(ctx, organization).where("email", "=", anyOf(emails)).execute();

/** Those of the addresses whose people are members. */
export async function joined({ db }: Ctx, organization: string, emails: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("member")
    .innerJoin("person", "person.id", "member.person")
    .select("person.email")
    .where("member.organization", "=", organization)
    .where("person.email", "=", anyOf(emails))
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** Inserts invites. */
export const insert = ({ db }: Ctx, values: Insertable<Table>[]) =>
  db.insertInto("invite").values(values).execute();
