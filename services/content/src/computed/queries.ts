import { sql } from "kysely";
import type { ReadPoint } from "../store/version.js";
import { entriesOf, type PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { ComputedSource } from "./source.js";

/** Most pages of a version whose sources are computed. */
const MOST = 50;

/** Computed pages as an index finds them. */
export const IS_COMPUTED = sql`e.kind = 'page' and (e.props ->> 'type') = 'computed'`;

/** The pages of a version that declare a source, in their order. */
export async function declaredPages({ db }: Ctx, version: ReadPoint): Promise<PageEntry[]> {
  const { rows } = await sql<PageEntry>`select * from (${entriesOf(version, IS_COMPUTED)}) e
    order by e.position, e.id limit ${MOST}`.execute(db);
  return rows;
}

/** Sources that pages of a space declare, or once did, the latest first. */
export async function everDeclared({ db }: Ctx, space: string): Promise<ComputedSource[]> {
  const { rows } = await sql<{ source: ComputedSource }>`select e.props -> 'computed' as source from entry e
    where e.branch = ${space} and ${IS_COMPUTED} order by e.from_seq desc, e.id limit ${4 * MOST}`.execute(
    db,
  );
  return rows.map(({ source }) => source);
}

/** The slugs of the pages under each of some pages, by the id of the page above them. */
export async function slugsUnder(
  { db }: Ctx,
  version: ReadPoint,
  parents: string[],
): Promise<Map<string, string[]>> {
  if (parents.length === 0) return new Map();
  const below = sql`e.kind = 'page' and e.parent = any(${parents}) and e.slug is not null`;
  const columns = sql`e.parent, e.slug`;
  const { rows } = await sql<{ parent: string; slugs: string[] }>`
    select parent, array_agg(slug) as slugs from (${entriesOf(version, below, columns)}) e
    group by parent`.execute(db);
  return new Map(rows.map(({ parent, slugs }) => [parent, slugs]));
}

/** When a revision was made. */
export async function timeOf({ db }: Ctx, revision: string): Promise<string> {
  const row = await db
    .selectFrom("revision")
    .select("created_at")
    .where("id", "=", revision)
    .executeTakeFirstOrThrow();
  return row.created_at;
}

/** The version that a specification had at a time, or the oldest that is kept; undefined when it has none. */
export const versionAt = ({ db }: Ctx, organization: string, slug: string, time: string | null) =>
  db
    .selectFrom("openapi_spec")
    .innerJoin("openapi_spec_version as version", "version.spec", "openapi_spec.id")
    .select(["openapi_spec.id as spec", "version.id"])
    .where("openapi_spec.organization", "=", organization)
    .where("openapi_spec.slug", "=", slug)
    .$if(time !== null, (query) => query.orderBy(sql`version.created_at <= ${time}`, "desc"))
    .$if(time !== null, (query) =>
      query.orderBy(sql`case when version.created_at > ${time} then version.created_at end`, "asc"),
    )
    .orderBy("version.created_at", "desc")
    .orderBy("version.id", "desc")
    .limit(1)
    .executeTakeFirst();

/** The document of a version of a specification, as JSON. */
export async function documentOf({ db }: Ctx, version: string): Promise<string> {
  const row = await db
    .selectFrom("openapi_spec_version")
    .select("document")
    .where("id", "=", version)
    .executeTakeFirstOrThrow();
  return row.document;
}

/** The spaces of an organization whose primary content has pages that depend on a specification. */
export async function spacesOfSpec({ db }: Ctx, organization: string, slug: string): Promise<string[]> {
  const path = '$.*.ref ? (@.kind == "openapi" && @.spec == $slug)';
  const { rows } = await sql<{ id: string }>`select distinct space.id from entry e
    join space on space.id = e.branch
    where ${IS_COMPUTED} and e.to_seq is null and not e.removed
      and space.organization = ${organization} and space.deleted_at is null
      and jsonb_path_exists(e.props -> 'computed' -> 'dependencies', ${path}::jsonpath, ${JSON.stringify({ slug })}::jsonb)
    order by space.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether a space is there, and not in the trash. */
export async function isLive({ db }: Ctx, space: string): Promise<boolean> {
  const query = db.selectFrom("space").select("id").where("id", "=", space).where("deleted_at", "is", null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The organization of a space that is not in the trash. */
export async function organizationOf({ db }: Ctx, space: string): Promise<string | undefined> {
  const query = db.selectFrom("space").select("organization").where("id", "=", space);
  return (await query.where("deleted_at", "is", null).executeTakeFirst())?.organization;
}

/** The revision of a space of an organization. */
export async function revisionOf(
  { db }: Ctx,
  organization: string,
  space: string,
): Promise<string | undefined> {
  const query = db.selectFrom("space").select("revision").where("id", "=", space);
  const own = query.where("organization", "=", organization).where("deleted_at", "is", null);
  return (await own.executeTakeFirst())?.revision;
}
