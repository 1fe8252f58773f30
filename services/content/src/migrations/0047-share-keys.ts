import { type Kysely, sql } from "kysely";

/** The keys of share links that sites reported, as hashes, and the root of the addresses that they stand in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table share_key (
    site text not null,
    hash text not null,
    root text not null,
    primary key (site, hash)
  )`.execute(db);
}
