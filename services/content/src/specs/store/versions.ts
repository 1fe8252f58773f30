import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["openapi_spec_version"];

/** All but the document, which may be long. */
const columns = ["id", "spec", "breaking", "created_at"] as const;
export type Row = Pick<Selectable<Table>, (typeof columns)[number]>;

/** Selects the versions of a specification. */
export const ofSpec = ({ db }: Ctx, spec: string) =>
  db.selectFrom("openapi_spec_version").select(columns).where("spec", "=", spec);

/** Finds a version of a specification by its id. */
export const find = (ctx: Ctx, spec: string, id: string): Promise<Row | undefined> =>
  ofSpec(ctx, spec).where("id", "=", id).executeTakeFirst();

/** The document of a version, as JSON, and its hash. */
export const textOf = ({ db }: Pick<Ctx, "db">, id: string) =>
  db
    .selectFrom("openapi_spec_version")
    .select(["id", "hash", "document"])
    .where("id", "=", id)
    .executeTakeFirst();

/** The document of the latest version of a specification, while that is public. */
export const publishedOf = ({ db }: Pick<Ctx, "db">, spec: string) =>
  db
    .selectFrom("openapi_spec")
    .innerJoin("openapi_spec_version as version", "version.id", "openapi_spec.last_version")
    .select(["version.id", "version.hash", "version.document"])
    .where("openapi_spec.id", "=", spec)
    .where("openapi_spec.visibility", "=", "public")
    .executeTakeFirst();

/** Deletes the versions of a specification that are older than so many; never the latest. */
export const prune = ({ db }: Ctx, spec: string, kept: number) =>
  sql`delete from openapi_spec_version v using openapi_spec s
    where v.spec = ${spec} and s.id = v.spec and v.id is distinct from s.last_version
      and v.id < (select o.id from openapi_spec_version o where o.spec = ${spec}
        order by o.id desc offset ${kept - 1} limit 1)`.execute(db);

/** Inserts a version. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("openapi_spec_version").values(values).execute();
