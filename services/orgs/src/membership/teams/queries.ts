import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";
import type { TeamRole } from "./schema.js";

type Table = Database["team"];
/** A team, and the caller's place in it. */
export type Row = Selectable<Table> & { own_role: TeamRole | null };

const personOf = ({ caller }: Ctx) => (caller.kind === "user" ? caller.id : null);

const all = (ctx: Ctx) =>
  ctx.db
    .selectFrom("team")
    .selectAll("team")
    .select(({ selectFrom }) =>
      selectFrom("team_member as own")
        .select("own.role")
        .whereRef("own.team", "=", "team.id")
        .where("own.person", "=", personOf(ctx))
        .as("own_role"),
    );

const titled = (ctx: Ctx, organization: string, title?: string) =>
  all(ctx)
    .where("team.organization", "=", organization)
    .$if(Boolean(title), (query) =>
      query.where(sql<boolean>`strpos(team.search_text, ${title?.toLowerCase()}) > 0`),
    );

/** Finds a team of an organization, with the caller's role in it. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  titled(ctx, organization).where("team.id", "=", id).executeTakeFirst();

/** Returns the teams of these ids, sorted by id; unknown ids are left out. */
export const findAll = (ctx: Ctx, ids: string[]) =>
  all(ctx).where("team.id", "=", anyOf(ids)).orderBy("team.id").execute();

/** Selects the teams of an organization whose title contains `title` (case ignored) and that `owner` owns, if given. */
export const list = (ctx: Ctx, organization: string, { title, owner }: { title?: string; owner?: string }) =>
  titled(ctx, organization, title).$if(owner !== undefined, (query) =>
    query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("team_member")
          .select("team_member.team")
          .whereRef("team_member.team", "=", "team.id")
          .where("team_member.person", "=", owner ?? null)
          .where("team_member.role", "=", "owner"),
      ),
    ),
  );

/** The teams that a person is in, with the place there. */
export const ofMember = (ctx: Ctx, organization: string, person: string, title?: string) =>
  titled(ctx, organization, title)
    .innerJoin("team_member", "team_member.team", "team.id")
    .select("team_member.role")
    .where("team_member.person", "=", person);

/** How many people each of the teams has; a team without any is not there. */
export async function sizes({ db }: Ctx, teams: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("team_member")
    .select(["team", ({ fn }) => fn.countAll<number>().as("people")])
    .where("team", "=", anyOf(teams))
    .groupBy("team")
    .execute();
  return new Map(rows.map(({ team, people }) => [team, people]));
}

/** Inserts a team. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("team").values(values).execute();

/** Changes the title of a team and the text by which it is searched. */
export const update = ({ db }: Ctx, id: string, set: { title: string; search_text: string }) =>
  db
    .updateTable("team")
    .set({ ...set, updated_at: new Date().toISOString() })
    .where("id", "=", id)
    .execute();

/** Deletes a team of an organization; returns undefined when there was none. */
export const remove = ({ db }: Ctx, organization: string, id: string) =>
  db
    .deleteFrom("team")
    .where("organization", "=", organization)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();

/** Puts people, who are members, into a team; who is in it already gets the role, or keeps theirs without one. */
export const enroll = ({ db }: Ctx, { id: team, organization }: Team, people: string[], role?: TeamRole) =>
  db
    .insertInto("team_member")
    .values([...new Set(people)].map((person) => ({ team, organization, person, role: role ?? "member" })))
    .onConflict((taken) => {
      const same = taken.columns(["team", "person"]);
      return role ? same.doUpdateSet({ role }) : same.doNothing();
    })
    .execute();

type Team = Pick<Row, "id" | "organization">;
