import { type Selectable, sql } from "kysely";
import type { SiteAdaptiveJSONSchema } from "../claims/schema.js";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

export type Row = Selectable<Database["adaptive_schema"]>;

/** Finds the schema that a site was given. */
export const find = ({ db }: Ctx, site: string): Promise<Row | undefined> =>
  db.selectFrom("adaptive_schema").selectAll().where("site", "=", site).executeTakeFirst();

/** Replaces the schema of a site, and returns the row. */
export const put = ({ db }: Ctx, site: string, schema: SiteAdaptiveJSONSchema): Promise<Row> => {
  const json_schema = JSON.stringify(schema);
  return db
    .insertInto("adaptive_schema")
    .values({ site, json_schema })
    .onConflict((known) => known.column("site").doUpdateSet({ json_schema, updated_at: sql`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow();
};
