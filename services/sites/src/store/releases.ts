import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

/** A release with the number of spaces that it holds. */
export type Row = Selectable<Database["site_release"]> & { spaces: number };

/** A space at one of its revisions. */
export interface Held {
  space: string;
  revision: string;
}

/** Selects the releases of a site. */
export const ofSite = ({ db }: Ctx, site: string) =>
  db
    .selectFrom("site_release")
    .selectAll()
    .select(({ selectFrom, fn }) =>
      selectFrom("site_release_space")
        .select(fn.countAll<number>().as("count"))
        .whereRef("site_release_space.release", "=", "site_release.id")
        .$asScalar()
        .$notNull()
        .as("spaces"),
    )
    .where("site", "=", site);

/** Finds a release of a site. */
export const find = (ctx: Ctx, site: string, id: string): Promise<Row | undefined> =>
  ofSite(ctx, site).where("id", "=", id).executeTakeFirst();

/** Finds the release of a site that readers were shown last, of those that were not taken back, besides one. */
export const findShownLast = (ctx: Ctx, site: string, besides: string | null): Promise<Row | undefined> =>
  ofSite(ctx, site)
    .where("shown", "is not", null)
    .$if(besides !== null, (query) => query.where("id", "<>", besides!))
    .orderBy("shown", "desc")
    .limit(1)
    .executeTakeFirst();

/** Counts the releases of a site. */
export async function count({ db }: Ctx, site: string): Promise<number> {
  const own = db.selectFrom("site_release").where("site", "=", site);
  const row = await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Inserts a release with what it holds. */
export async function insert({ db }: Ctx, row: Insertable<Database["site_release"]>, held: Held[]) {
  await db.insertInto("site_release").values(row).execute();
  await sql`insert into site_release_space (release, space, revision)
    select ${row.id}, r.space, r.revision
    from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as r (space text, revision text)`.execute(db);
}

/** Gives a release another title. */
export const rename = async ({ db }: Ctx, id: string, title: string) => {
  await db.updateTable("site_release").set({ title }).where("id", "=", id).execute();
};

/** Notes that readers are shown a release from now on, after all that they were shown before. */
export const noteShown = async ({ db }: Ctx, { id, site }: Pick<Row, "id" | "site">) => {
  const last = sql<number>`(select coalesce(max(shown), 0) + 1 from site_release where site = ${site})`;
  await db.updateTable("site_release").set({ shown: last }).where("id", "=", id).execute();
};

/** Notes that a release was taken back: no rollback leads to it. */
export const takeBack = async ({ db }: Ctx, id: string) => {
  await db.updateTable("site_release").set({ shown: null }).where("id", "=", id).execute();
};

/** Deletes a release. */
export const remove = async ({ db }: Ctx, id: string) => {
  await db.deleteFrom("site_release").where("id", "=", id).execute();
};

/** What a release holds, sorted by space; of these spaces alone where they are named. */
export const held = ({ db }: Ctx, release: string, spaces?: string[]): Promise<Held[]> =>
  db
    .selectFrom("site_release_space")
    .select(["space", "revision"])
    .where("release", "=", release)
    .$if(spaces !== undefined, (query) => query.where("space", "=", anyOf(spaces!)))
    .orderBy("space")
    .execute();

/** The revisions of spaces that a release holds, by space; none without a release. */
export async function revisionsIn(ctx: Ctx, release: string | null, spaces?: string[]) {
  const rows = release === null ? [] : await held(ctx, release, spaces);
  return new Map(rows.map(({ space, revision }) => [space, revision]));
}
