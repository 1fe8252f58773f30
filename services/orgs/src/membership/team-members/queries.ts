import { anyOf } from "@octavo/shared/database/any-of";
import type { Ctx } from "../../trpc.js";

/** The people of a team as members of its organization, with the place in it. */
export const list = ({ db }: Ctx, team: string) =>
  db
    .selectFrom("team_member")
    .innerJoin("member", (join) =>
      join
        .onRef("member.organization", "=", "team_member.organization")
        .onRef("member.person", "=", "team_member.person"),
    )
    .innerJoin("person", "person.id", "team_member.person")
    .selectAll("member")
    .select(["person.display_name", "person.email", "person.photo_url"])
    .select("team_member.role as team_role")
    .where("team_member.team", "=", team);

/** Takes people out of a team; returns those who were in it. */
export const remove = ({ db }: Ctx, team: string, people: string[]) =>
  db
    .deleteFrom("team_member")
    .where("team", "=", team)
    .where("person", "=", anyOf(people))
    .returning("person")
    .execute();
