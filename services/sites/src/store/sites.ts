import type { Reach } from "@octavo/shared/contracts/callers";
import { anyOf } from "@octavo/shared/database/any-of";
import { prepare } from "@octavo/shared/database/prepare";
import type { Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

/** A site with the number of spaces that it shows. */
export type Row = Selectable<Database["site"]> & { site_spaces: number };

interface Filter {
  organizationId: string;
  space?: string;
  title?: string;
  published?: boolean;
  type?: Row["type"][];
  /** What an integration is installed for; everything when absent. */
  reach?: Reach;
}

/** All sites, each with the number of spaces that it shows. */
export const all = ({ db }: Ctx) =>
  db
    .selectFrom("site")
    .selectAll("site")
    .select(({ selectFrom, fn }) =>
      selectFrom("site_space")
        .select(fn.countAll<number>().as("count"))
        .whereRef("site_space.site", "=", "site.id")
        .where("trashed_at", "is", null)
        .$asScalar()
        .$notNull()
        .as("site_spaces"),
    );

const escaped = (part: string) => part.replaceAll(/[\\%_]/g, "\\$&");

const within = ({ all, but }: Reach) => sql<boolean>`(site.id = any(${but}::text[])) <> ${all}`;

/** Selects the sites of an organization that match all filters; `title` is a part of the title, case ignored. */
export const inOrganization = (ctx: Ctx, { organizationId, space, title, published, type, reach }: Filter) =>
  all(ctx)
    .where("site.organization", "=", organizationId)
    .$if(published !== undefined, (query) => query.where("site.published", "=", published!))
    .$if(title !== undefined, (query) => query.where("site.title", "ilike", `%${escaped(title!)}%`))
    .$if(reach !== undefined, (query) => query.where(within(reach!)))
    .$if(type !== undefined, (query) => query.where("site.type", "=", anyOf(type!)))
    .$if(space !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("site_space")
            .select("site_space.id")
            .whereRef("site_space.site", "=", "site.id")
            .where("site_space.space", "=", space!)
            .where("site_space.trashed_at", "is", null),
        ),
      ),
    );

/** Finds a site of an organization. */
export async function find({ db }: Ctx, organization: string, id: string): Promise<Row | undefined> {
  return (await inOrganizationById(db, { organization, id }))[0];
}

/** Finds the site of this name, or else of this id. */
export async function findNamed({ db }: Ctx, name: string): Promise<Row | undefined> {
  return (await named(db, { name, lower: name.toLowerCase() }))[0];
}

/** A site as `all` selects it, for statements that every visit runs. */
const SITE = sql`select site.*, (select count(*) from site_space
    where site_space.site = site.id and trashed_at is null) as site_spaces
  from site`;

const inOrganizationById = prepare<{ organization: string; id: string }, Row>(
  (arg) => sql`${SITE} where site.organization = ${arg("organization")} and site.id = ${arg("id")}`,
);

const named = prepare<{ name: string; lower: string }, Row>(
  (arg) => sql`${SITE} where lower(basename) = ${arg("lower")} or site.id = ${arg("name")} limit 1`,
);

/** Returns the sites of these ids, sorted by id; unknown ids are left out. */
export const byIds = (ctx: Ctx, ids: string[]) =>
  all(ctx).where("site.id", "=", anyOf(ids)).orderBy("site.id").execute();

/** The site whose hostname it is, as its DNS says. */
export const byHostname = (ctx: Ctx, hostname: string): Promise<Row | undefined> =>
  all(ctx).where("hostname", "=", hostname).where("hostname_verified_at", "is not", null).executeTakeFirst();

/** Waits for its turn on the site; writes to a site and to its spaces happen one after the other. */
export async function lock(ctx: Ctx, organization: string, id: string): Promise<Row | undefined> {
  const { db } = ctx;
  const own = db.selectFrom("site").where("organization", "=", organization).where("id", "=", id);
  await own.select("id").forUpdate().execute();
  return find(ctx, organization, id);
}

/** Inserts a site. */
export const insert = async (
  { db }: Ctx,
  row: Pick<Row, "id" | "organization" | "type" | "title" | "visibility">,
) => {
  await db.insertInto("site").values(row).execute();
};

/** Changes columns of a site, and gives it its next version. */
export const update = async ({ db }: Ctx, id: string, set: Updateable<Database["site"]>) => {
  await db
    .updateTable("site")
    .set({ ...set, version: sql`version + 1`, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
};

/**
 * Gives a site its next version, in the transaction of every change that a renderer of it must notice: of structure,
 * look, redirects, audience. Changes of the site's own row have it from `update`.
 */
export const bumpVersion = (ctx: Ctx, id: string) => update(ctx, id, {});

/** Gives some sites of an organization, or all of them, their next version; in the order of their ids. */
export async function bumpVersions({ db }: Ctx, organization: string, ids?: string[]): Promise<void> {
  if (ids?.length === 0) return;
  const held = db
    .selectFrom("site")
    .select("id")
    .where("organization", "=", organization)
    .$if(ids !== undefined, (query) => query.where("id", "=", anyOf(ids!)))
    .orderBy("id")
    .forUpdate();
  await db
    .with("held", () => held)
    .updateTable("site")
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .where("id", "in", (query) => query.selectFrom("held").select("id"))
    .execute();
}

/** Notes that fewer people may see a site than before; what was given to renderers until then ends. */
export const narrow = async ({ db }: Ctx, id: string) => {
  await db
    .updateTable("site")
    .set({ audience_epoch: sql`audience_epoch + 1` })
    .where("id", "=", id)
    .execute();
};

/** How often the audience of a site was narrowed; 0 for an unknown one. */
export async function epochOf({ db }: Ctx, id: string): Promise<number> {
  const row = await db.selectFrom("site").select("audience_epoch").where("id", "=", id).executeTakeFirst();
  return row?.audience_epoch ?? 0;
}

/** Deletes a site. */
export const remove = async ({ db }: Ctx, id: string) => {
  await db.deleteFrom("site").where("id", "=", id).execute();
};
