import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "../../trpc.js";
import type { Find, List, Membership, Teams } from "./schema.js";

/** Returns the memberships of people, and of all people of teams, in an organization, sorted by person. */
export async function find({ db }: Ctx, { organizationId, users, teams }: z.output<typeof Find>) {
  const { rows } = await sql<Membership>`
    select m.person as "user", m.role, m.joined_at as "joinedAt", array(
      select t.team from team_member t
      where t.organization = m.organization and t.person = m.person order by t.team) as teams
    from member m
    where m.organization = ${organizationId} and (m.person = ${anyOf(users)} or exists (
      select 1 from team_member t
      where t.organization = m.organization and t.person = m.person and t.team = ${anyOf(teams)}))
    order by m.person`.execute(db);
  return rows;
}

/** Selects the members who have one of the roles and are not excepted, and those named by `users` in any case. */
export const list = ({ db }: Ctx, { organizationId, roles, except, users }: z.output<typeof List>) =>
  db
    .selectFrom("member")
    .innerJoin("person", "person.id", "member.person")
    .select(["member.person", "member.role", "member.joined_at"])
    .select(["person.display_name", "person.email", "person.photo_url"])
    .where("member.organization", "=", organizationId)
    .where((of) =>
      of.or([
        of.and([
          sql<boolean>`coalesce(member.role, 'guest') = ${anyOf(roles)}`,
          sql<boolean>`member.person <> all(${except}::text[])`,
        ]),
        of("member.person", "=", anyOf(users)),
      ]),
    );

/** Returns those of the teams that belong to an organization. */
export const teams = ({ db }: Ctx, { organizationId, teams }: z.output<typeof Teams>) =>
  db
    .selectFrom("team")
    .select("id")
    .where("organization", "=", organizationId)
    .where("id", "=", anyOf(teams))
    .execute();
