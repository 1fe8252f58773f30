import { type RawBuilder, sql } from "kysely";
import type { Located } from "../../references/addressed.js";
import { each, SOURCES, TEXT } from "../../references/record.js";
import { entriesOf, type Version } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** What backlinks are asked of: an entry of a version, and the paths and addresses that lead to it without its id. */
export interface Referred {
  version: Version;
  id: string;
  /** Inside the space. */
  paths: string[];
  /** In addresses of the space. */
  addresses: string[];
}

/** The paths by which references that name nothing by its id might mean an entry at one of `places`. */
export async function pathsAround(ctx: Ctx, version: Version, places: string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`select distinct r.path from reference r
    where r.space = ${version.space} and r.path = any(${places}) and r.target_space is null
      and ${isLoose(version)}`.execute(ctx.db);
  return rows.map(({ path }) => path);
}

/** Whether a reference `r` that leads to a version has no target there to be remembered by. */
const isLoose = (version: Version) =>
  sql`(r.target is null or not exists (${entriesOf(version, sql`e.id = r.target`, sql`1`)}))`;

/** The other spaces that refer to an entry; found one by one, however many references each of them has. */
export async function spacesReferring(ctx: Ctx, { version, id, addresses }: Referred): Promise<string[]> {
  const { space } = version;
  const next = (behind: RawBuilder<unknown>) => sql`(select r.space from reference r
    where r.target_space = ${space} and r.target = ${id} and ${behind} order by r.space limit 1)`;
  const { rows } = await sql<{ space: string }>`with recursive referring as (
      ${next(sql`true`)}
      union all select ${next(sql`r.space > referring.space`)} from referring where referring.space is not null)
    select space from referring where space <> ${space}
    union select r.space from reference r
      where r.target_space = ${space} and r.path = any(${addresses}::text[]) and r.space <> ${space}`.execute(
    ctx.db,
  );
  return rows.map(({ space }) => space);
}

/**
 * The entries that refer to one: those of its own space in the version, then those of the given other spaces as they
 * are now. Entries are read together and compared with a map of the texts that refer: see `each`.
 */
export function referring({ version, id, paths, addresses }: Referred, others: string[]) {
  const { space } = version;
  const references = sql`select r.space, r.source, r.body from reference r`;
  const own = sql`${references} where r.space = ${space} and r.source <> ${id}`;
  const other = sql`${references} where r.space = any(${others}::text[]) and r.target_space = ${space}`;
  const addressed = sql`r.path = any(${addresses}::text[]) and r.target_space = ${space} and ${isLoose(version)}`;
  const refer = (within: RawBuilder<unknown>) => sql`${SOURCES}
    and e.id = any(array(select source from ${within}))
    and jsonb_exists((select coalesce(jsonb_object_agg(source || ' ' || body, true), '{}') from ${within}),
      e.id || ' ' || ${TEXT})`;
  const here = sql`here where true`;
  const there = sql`there where there.space = o.space`;
  return sql`(with here as materialized (
      ${own} and r.target = ${id} and coalesce(r.target_space, ${space}) = ${space}
      union ${own} and r.path = any(${paths}::text[]) and r.target_space is null and ${isLoose(version)}
      union ${own} and ${addressed}),
    there as materialized (${other} and r.target = ${id} union ${other} and ${addressed})
    select '' as space, e.id from (${entriesOf(version, refer(here), sql`e.id`)}) e
    union all
    select o.space, e.id from unnest(${others}::text[]) as o (space)
    cross join ${each(entriesOf({ branch: sql`o.space` }, refer(there), sql`e.id`))} e)`;
}

/** Entries that refer to one, behind a place in their order; the space of those inside is empty. */
export async function backlinksAfter(ctx: Ctx, found: RawBuilder<unknown>, after: Located, limit: number) {
  const { rows } = await sql<Located>`select space, id from ${found} found
    where (space, id) > (${after.space}, ${after.id}) order by space, id limit ${limit}`.execute(ctx.db);
  return rows;
}

export async function countBacklinks(ctx: Ctx, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${found} found`.execute(
    ctx.db,
  );
  return rows[0]!.count;
}
