import { type Kysely, sql } from "kysely";

/** The hostname that a site is shown under. Many may name one; it is the site's whose record the DNS holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table site add column hostname text, add column hostname_status text,
    add column hostname_verified_at timestamptz(3)`.execute(db);
  await sql`create index site_hostname_named on site (hostname, id) where hostname is not null`.execute(db);
  await sql`create unique index site_hostname on site (hostname) where hostname_verified_at is not null`.execute(
    db,
  );
}
