import { migrate } from "@octavo/shared/database/migrate";
import { type TestSchema, testSchema } from "@octavo/shared/testing/schema";
import { type Kysely, type Migration, sql } from "kysely";
import { expect, test } from "vitest";
import { migrations as content } from "../services/content/src/migrations.js";
import { migrations as integrations } from "../services/integrations/src/migrations.js";
import { migrations as orgs } from "../services/orgs/src/migrations.js";
import { migrations as sites } from "../services/sites/src/migrations.js";

// Copies of the release before work beside a new schema, and start beside it. So a migration takes nothing away that
// their statements name, and asks nothing of their rows that they do not know. What it takes to remove something: a
// release that does not use it any more, and in a later one a migration, which is then named here.

/** What was done before this was held; nothing that is still to be installed beside its predecessor is added. */
const PAST = [
  "orgs 0009-invite-tokens drops column invite.token",
  "orgs 0012-sites drops table visitor_auth",
  "content 0003-reviews adds change_request.organization, which is not null and has no default",
  "content 0003-reviews drops what is unique: contributor USING btree (change_request, person)",
];

/** What looks like harm and is none, and why. */
const HARMLESS: Record<string, string> = {
  "sites 0009-structure drops what is unique: site_space USING btree (site) WHERE is_default":
    "no `on conflict` names it, and the release before gives a site one default, which its sections may add to",
  "sites 0009-structure drops what is unique: site_space USING btree (site, path)":
    "no `on conflict` names it, and the release before gives paths that are unlike all others of the site",
  "sites 0009-structure asks of rows: site_space USING btree (site, COALESCE(section, ''::text)) WHERE is_default":
    "it asks less than the index before it",
  "sites 0009-structure asks of rows: site_space USING btree (site, COALESCE(section, ''::text), lower(path))":
    "it asks less than the index before it of paths that are in lower case, as all are that the release before gives",
};

/** What statements of a release can rely on, by a text that names it. */
interface Shape {
  tables: Set<string>;
  /** `table.column` with its type, and whether rows may leave it out. */
  columns: Map<string, { type: string; optional: boolean; nullable: boolean }>;
  /** What `on conflict` may name. */
  unique: Map<string, Demand>;
  /** What rows must be like: checks, foreign keys, uniqueness. */
  demands: Map<string, Demand>;
}

/** A table, and the columns of it that something is asked of. */
interface Demand {
  table: string;
  columns: string[];
}

async function shapeOf(db: Kysely<unknown>): Promise<Shape> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  const columns = await sql<{ name: string; type: string; optional: boolean; nullable: boolean }>`
    select table_name || '.' || column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
      is_nullable = 'YES' or column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as optional
    from information_schema.columns where table_schema = current_schema()
    order by table_name, ordinal_position`.execute(db);
  // Materialized, for other schemas come and go meanwhile, and what of theirs is gone cannot be described.
  const unique = await sql<Demand & { on: string }>`
    with own as materialized (
      select indexrelid as id, relname as "table", indrelid as of, indkey::int2[] as keys from pg_index join pg_class t on t.oid = indrelid
      where indisunique and relnamespace = current_schema()::regnamespace)
    select "table", "table" || substring(pg_get_indexdef(id) from ' USING .*') as "on",
      array(select attname::text from pg_attribute where attrelid = own.of and attnum = any(own.keys)) as columns from own order by id`.execute(
    db,
  );
  const checks = await sql<Demand & { on: string }>`
    with own as materialized (
      select c.oid as id, relname as "table", conrelid as of, conkey as keys from pg_constraint c join pg_class t on t.oid = conrelid
      where connamespace = current_schema()::regnamespace and contype in ('c', 'f', 'x'))
    select "table", "table" || ' ' || pg_get_constraintdef(id) as "on",
      array(select attname::text from pg_attribute where attrelid = own.of and attnum = any(own.keys)) as columns from own order by id`.execute(
    db,
  );
  return {
    tables: new Set(tables.rows.map(({ name }) => name)),
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    unique: new Map(unique.rows.map((row) => [row.on, row])),
    demands: new Map([...unique.rows, ...checks.rows].map((row) => [row.on, row])),
  };
}

/** What of the schema after a migration a release does not bear that knows the one before. */
function harmOf(before: Shape, after: Shape): string[] {
  const harm: string[] = [];
  for (const table of before.tables) if (!after.tables.has(table)) harm.push(`drops table ${table}`);
  const stays = (table: string) => before.tables.has(table) && after.tables.has(table);
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name);
    if (!stays(name.split(".")[0]!)) continue;
    if (!is) harm.push(`drops column ${name}`);
    else if (is.type !== was.type) harm.push(`makes ${name} ${is.type} instead of ${was.type}`);
    else if (was.nullable && !is.nullable) harm.push(`${name} becomes not null`);
    else if (was.optional && !is.optional) harm.push(`${name} loses its default`);
  }
  for (const [name, { optional }] of after.columns) {
    const isNew = stays(name.split(".")[0]!) && !before.columns.has(name);
    if (isNew && !optional) harm.push(`adds ${name}, which is not null and has no default`);
  }
  for (const [on, { table }] of before.unique) {
    if (stays(table) && !after.unique.has(on)) harm.push(`drops what is unique: ${on}`);
  }
  for (const [on, { table, columns }] of after.demands) {
    // Rows of the release before have the default in a new column, or nothing.
    const known = columns.every((column) => before.columns.has(`${table}.${column}`));
    if (stays(table) && known && !before.demands.has(on)) harm.push(`asks of rows: ${on}`);
  }
  return harm;
}

/** Applies migrations one after the other, and returns the harm of each. */
async function harms(service: string, migrations: Record<string, Migration>): Promise<string[]> {
  const home: TestSchema<unknown> = await testSchema({ service: `steps_${service}` });
  try {
    const found: string[] = [];
    let before = await shapeOf(home.db);
    const names = Object.keys(migrations).sort();
    for (const [at, name] of names.entries()) {
      const known = Object.fromEntries(names.slice(0, at + 1).map((each) => [each, migrations[each]!]));
      await migrate({ db: home.db, migrations: known });
      const after = await shapeOf(home.db);
      found.push(...harmOf(before, after).map((text) => `${service} ${name} ${text}`));
      before = after;
    }
    return found;
  } finally {
    await home.drop();
  }
}

test("no migration harms the release before it", async () => {
  const services = { orgs, content, sites, integrations };
  const found = await Promise.all(Object.entries(services).map(([name, each]) => harms(name, each)));
  expect(found.flat().sort()).toEqual([...PAST, ...Object.keys(HARMLESS)].sort());
});

test("a migration that drops, requires, or leaves no default is reported", async () => {
  const step = (...statements: string[]) => ({
    up: async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  });
  const found = await harms("example", {
    "0001-start": step(
      "create table a (id text primary key, b text, c int not null default 0)",
      "create table d ()",
    ),
    "0002-drop": step("drop table d", "alter table a drop column b", "alter table a alter c drop default"),
    "0003-add": step(
      "alter table a add column e text",
      "alter table a add column f text not null default ''",
    ),
    "0004-demand": step(
      "alter table a alter column e set not null",
      "alter table a add column g text not null",
      "alter table a add check (c > 0)",
      "alter table a alter column c type bigint",
      "create table h (id text primary key, a text references a)",
    ),
    "0005-key": step("alter table a drop constraint a_pkey cascade", "create unique index on a (e)"),
  });
  expect(found).toEqual([
    "example 0002-drop drops table d",
    "example 0002-drop drops column a.b",
    "example 0002-drop a.c loses its default",
    "example 0004-demand makes a.c int8 instead of int4",
    "example 0004-demand a.e becomes not null",
    "example 0004-demand adds a.g, which is not null and has no default",
    "example 0004-demand asks of rows: a CHECK ((c > 0))",
    "example 0005-key drops what is unique: a USING btree (id)",
    "example 0005-key asks of rows: a USING btree (e)",
  ]);
});
