import {
  type DatabaseIntrospector,
  type Driver,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  type SchemaMetadata,
  sql,
  type TableMetadata,
} from "kysely";
import { PostingDriver } from "./posted.js";

/**
 * PostgreSQL, of which a service sees its own schema alone. Kysely's introspector describes the tables of all schemas
 * and fails when one of them is altered or dropped meanwhile, as happens whenever two services migrate at once.
 */
export class SchemaDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  readonly #schema: string;

  constructor(config: PostgresDialectConfig, schema: string) {
    super(config);
    this.#config = config;
    this.#schema = schema;
  }

  override createDriver(): Driver {
    return new PostingDriver(this.#config, this.#schema);
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    const getTables = () => tablesOf(db);
    return {
      getSchemas: () => schemasOf(db),
      getTables,
      getMetadata: async () => ({ tables: await getTables() }),
    };
  }
}

async function schemasOf(db: Kysely<unknown>): Promise<SchemaMetadata[]> {
  const { rows } = await sql<SchemaMetadata>`select current_schema() as name`.execute(db);
  return rows;
}

/** The names of the tables; a migrator asks for no more. */
async function tablesOf(db: Kysely<unknown>): Promise<TableMetadata[]> {
  const { rows } = await sql<Pick<TableMetadata, "name" | "schema" | "isView">>`
    select c.relname as name, n.nspname as schema, c.relkind = 'v' as "isView"
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'v', 'p') order by c.relname`.execute(db);
  return rows.map((table) => ({ ...table, columns: [] }));
}
