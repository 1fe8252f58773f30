import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, type Migration, Migrator, sql } from "kysely";
import type { Logger } from "../log.js";

export interface MigrateOptions<Database> {
  db: Kysely<Database>;
  /** By name, applied in the order of the names; forward only. */
  migrations: Record<string, Migration>;
  log?: Pick<Logger, "info">;
}

const LOCK_TIMEOUT = "3s";
const TRIES = 20;

/**
 * Brings the schema (the first of the search path) up to date and returns the names of what was applied.
 * Several starters take turns. All pending migrations are one transaction; a statement that would wait long
 * for a lock gives up, so that it never blocks the traffic behind it, and all is tried again.
 */
export async function migrate<Database>(options: MigrateOptions<Database>): Promise<string[]> {
  const { db, migrations, log } = options;
  return db.connection().execute(async (connection) => {
    const schema = await currentSchema(connection);
    const turn = sql`hashtextextended(${`octavo.migrate.${schema}`}, 0)`;
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${turn})`.execute(connection);
    try {
      await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(connection);
      const applied = await apply(connection, schema, migrations);
      for (const name of applied) log?.info({ migration: name }, "migrated");
      return applied;
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
      await sql`select pg_advisory_unlock(${turn})`.execute(connection);
    }
  });
}

async function apply<Database>(db: Kysely<Database>, schema: string, migrations: Record<string, Migration>) {
  const known = { ...migrations, ...(await ofNewerRelease(db, schema, migrations)) };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => known },
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
    migrationTableSchema: schema,
  });
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (!error) return results.map(({ migrationName }) => migrationName);
    if (attempt === TRIES || !isLockTimeout(error)) throw error;
    await sleep(Math.random() * 1_000);
  }
}

/**
 * What a newer release applied after all that this one knows. Migrations are safe beside the release before them, so a
 * copy of that one starts as well, and has nothing to do about these.
 */
async function ofNewerRelease<Database>(
  db: Kysely<Database>,
  schema: string,
  migrations: Record<string, Migration>,
) {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass(quote_ident(${schema}) || '.migration') is not null as there`.execute(db);
  if (!tables[0]!.there) return {};
  const last = Object.keys(migrations).sort().at(-1) ?? "";
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(schema, "migration")}`.execute(db);
  const newer = rows.filter(({ name }) => name > last);
  return Object.fromEntries(newer.map(({ name }) => [name, { up: async () => undefined }]));
}

async function currentSchema<Database>(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (schema) return schema;
  const message = "the schema of the service does not exist, provision the database first";
  throw Object.assign(new Error(message), { code: "3F000" });
}

const isLockTimeout = (error: unknown) => error instanceof Error && "code" in error && error.code === "55P03";
