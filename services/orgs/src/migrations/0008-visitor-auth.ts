import { type Kysely, sql } from "kysely";

/** The keys with which sites have the tokens of their visitors signed, as sites reports them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table visitor_auth (
    site text primary key,
    organization text not null,
    -- sealed
    private_key text not null
  )`.execute(db);
}
