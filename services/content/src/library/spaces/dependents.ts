import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** A table whose rows go with the space that this column names. */
export interface Dependent {
  table: string;
  column: string;
}

/**
 * The tables that hang on a space by a foreign key, as the database has them, except the branches, whose entries have to
 * go first. A table that others hang on comes after those.
 */
export async function dependentsOfSpaces({ db }: Pick<Ctx, "db">): Promise<Dependent[]> {
  const { rows } = await sql<Dependent>`
    select conrelid::regclass::text as "table", quote_ident(attname) as "column"
    from pg_constraint held
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confdeltype = 'c' and cardinality(conkey) = 1
      and confrelid = 'space'::regclass and conrelid <> 'branch'::regclass
    order by exists (
      select from pg_constraint other
      where other.contype = 'f' and other.confrelid = held.conrelid and other.conrelid <> held.conrelid), 1`.execute(
    db,
  );
  return rows;
}
