import type { Ctx } from "../../trpc.js";

/** The people who belong to the organization, as members of it. */
export const list = ({ db }: Ctx, organization: string) =>
  db
    .selectFrom("person")
    .innerJoin("member", (join) =>
      join.onRef("member.organization", "=", "person.organization").onRef("member.person", "=", "person.id"),
    )
    .select(["person.id", "person.display_name", "person.created_at", "member.organization", "member.role"])
    .select(({ selectFrom }) =>
      selectFrom("token")
        .select(({ fn }) => fn.max("token.last_used_at").as("last_used_at"))
        .whereRef("token.person", "=", "person.id")
        .as("last_used_at"),
    )
    .where("person.organization", "=", organization);

/** Finds a service account of an organization. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  list(ctx, organization).where("person.id", "=", id).executeTakeFirst();

export type Row = NonNullable<Awaited<ReturnType<typeof find>>>;
