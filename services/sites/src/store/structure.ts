import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Structure } from "../tree/cache.js";
import { normalize } from "../tree/normalize.js";
import { formerPaths, type Target } from "../tree/paths.js";
import { sorted, type Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { withEditLink } from "./customizations.js";
import { bumpVersion, type Row as Site } from "./sites.js";

/** How many former paths a site keeps; older ones are forgotten. */
const FORMER_PATHS = 10_000;

/** The structure of a site as it is stored. */
export async function load({ db }: Ctx, site: string): Promise<Tree> {
  const [groups, sections, siteSpaces] = await Promise.all([
    db.selectFrom("section_group").selectAll().where("site", "=", site).execute(),
    db.selectFrom("site_section").selectAll().where("site", "=", site).execute(),
    db.selectFrom("site_space").selectAll().where("site", "=", site).execute(),
  ]);
  return { groups: sorted(groups), sections: sorted(sections), siteSpaces: sorted(siteSpaces) };
}

/** The structure of a site, whole even where a release before this one changed it. */
export const current = async (ctx: Ctx, site: string): Promise<Tree> => normalize(await load(ctx, site));

/**
 * The structure of a site at the version of its row, for reading alone: it is frozen, and kept until the site has another
 * version, which every change of the structure gives it.
 */
export const read = async (ctx: Ctx, site: Versioned): Promise<Tree> => (await structureOf(ctx, site)).tree;

/** Whether any redirect or former path of a site leads elsewhere, at the version of its row. */
export const isRedirected = async (ctx: Ctx, site: Versioned): Promise<boolean> =>
  (await structureOf(ctx, site)).isRedirected;

/** Whether a site space shows where its pages are edited, at the version of its site's row. */
export const showsEditLink = async (ctx: Ctx, site: Versioned, siteSpace: string): Promise<boolean> =>
  (await structureOf(ctx, site)).withEditLink.has(siteSpace);

type Versioned = Pick<Site, "id" | "version">;

async function structureOf(ctx: Ctx, { id, version }: Versioned): Promise<Structure> {
  // A transaction sees its own changes, which a version that others see does not name yet.
  if (ctx.db.isTransaction) return { version, ...(await readStructure(ctx, id)) };
  const kept = ctx.structures.get(id);
  if (kept?.version === version) return kept;
  const { tree, ...others } = await readStructure(ctx, id);
  const structure = { version, tree: frozen(tree), ...others };
  ctx.structures.set(id, structure);
  return structure;
}

async function readStructure(ctx: Ctx, id: string): Promise<Omit<Structure, "version">> {
  const [tree, isRedirected, shown] = await Promise.all([
    current(ctx, id),
    leadsElsewhere(ctx, id),
    withEditLink(ctx, id),
  ]);
  return { tree, isRedirected, withEditLink: shown };
}

async function leadsElsewhere({ db }: Ctx, site: string): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean;
  }>`select exists (select from site_redirect where site = ${site})
    or exists (select from former_path where site = ${site}) as found`.execute(db);
  return rows[0]!.found;
}

function frozen(tree: Tree): Tree {
  for (const rows of [tree.groups, tree.sections, tree.siteSpaces]) {
    for (const row of rows) Object.freeze(row);
    Object.freeze(rows);
  }
  return Object.freeze(tree);
}

/**
 * Writes what a change made of a structure, the paths that it gave up, and the site's next version; nothing when it
 * changed nothing. The lock of the site is held.
 */
export async function save(ctx: Ctx, site: string, before: Tree, after: Tree): Promise<boolean> {
  const changes = TABLES.map(({ table, key, columns }) => {
    const known = new Map(before[key].map((row) => [row.id, row as Row]));
    const rows = (after[key] as Row[]).filter((row) => {
      const was = known.get(row.id);
      return !was || columns.some((column) => was[column] !== row[column]);
    });
    const kept = new Set(after[key].map(({ id }) => id));
    const gone = [...known.keys()].filter((id) => !kept.has(id));
    return { table, columns, rows, gone, known };
  });
  if (changes.every(({ rows, gone }) => rows.length === 0 && gone.length === 0)) return false;
  // At no time two siblings may be the default: those that were give it up first.
  for (const { table, rows, gone, known } of changes) {
    const losing = [...gone, ...rows.filter((row) => !row.is_default).map(({ id }) => id)];
    await giveUpDefault(
      ctx,
      table,
      losing.filter((id) => known.get(id)?.is_default),
    );
  }
  for (const { table, columns, rows } of changes) await put(ctx, table, columns, rows);
  for (const { table, gone } of changes.toReversed()) await remove(ctx, table, gone);
  await keepPaths(ctx, site, formerPaths(before, after));
  await bumpVersion(ctx, site);
  return true;
}

type Row = Record<string, unknown> & { id: string };

/** The tables of a structure, those first that others refer to. */
const TABLES = [
  {
    table: "section_group",
    key: "groups",
    columns: ["id", "site", "organization", "parent", "title", "icon", "position"],
  },
  {
    table: "site_section",
    key: "sections",
    columns: [
      "id",
      "site",
      "organization",
      "section_group",
      "title",
      "icon",
      "description",
      "path",
      "condition",
      "is_default",
      "position",
    ],
  },
  {
    table: "site_space",
    key: "siteSpaces",
    columns: [
      "id",
      "site",
      "organization",
      "section",
      "space",
      "path",
      "condition",
      "is_default",
      "position",
      "trashed_at",
    ],
  },
] as const;

async function giveUpDefault({ db }: Ctx, table: string, ids: string[]) {
  if (ids.length === 0) return;
  await sql`update ${sql.table(table)} set is_default = false where id = ${anyOf(ids)}`.execute(db);
}

async function put({ db }: Ctx, table: string, columns: readonly string[], rows: Row[]) {
  if (rows.length === 0) return;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`));
  await sql`insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${written(columns, rows)}::jsonb)
    on conflict (id) do update set ${set}`.execute(db);
}

/** Rows as JSON, with these columns of them. */
const written = (columns: readonly string[], rows: Row[]) =>
  JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]]))));

async function remove({ db }: Ctx, table: string, ids: string[]) {
  if (ids.length === 0) return;
  await sql`delete from ${sql.table(table)} where id = ${anyOf(ids)}`.execute(db);
}

async function keepPaths({ db }: Ctx, site: string, paths: Map<string, Target>) {
  if (paths.size === 0) return;
  const rows = [...paths].map(([path, target]) => ({
    path,
    section: "section" in target ? target.section : null,
    site_space: "siteSpace" in target ? target.siteSpace : null,
  }));
  await sql`insert into former_path (site, path, section, site_space)
    select ${site}, r.path, r.section, r.site_space
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (path text, section text, site_space text)
    on conflict (site, path) do update
    set section = excluded.section, site_space = excluded.site_space, created_at = excluded.created_at`.execute(
    db,
  );
  await sql`delete from former_path where site = ${site} and path in (
    select path from former_path where site = ${site}
    order by created_at desc, path desc offset ${FORMER_PATHS})`.execute(db);
}
