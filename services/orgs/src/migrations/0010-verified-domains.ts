import { type Kysely, sql } from "kysely";

/**
 * The proofs that an organization has a domain, a person an address, and whoever was invited the mailbox. Domains that
 * organizations named before are verified for none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    // counts for as long as the organization names the domain
    `create table email_domain (
      organization text not null references organization (id) on delete cascade,
      domain text not null,
      verified_at timestamptz(3) not null,
      primary key (domain, organization)
    )`,
    "create index email_domain_organization on email_domain (organization)",
    `create table email_verification (
      person text primary key references person (id) on delete cascade,
      email text not null,
      -- SHA-256 of the code that was sent last; null once it was used
      hash bytea,
      tries integer not null default 0,
      expires_at timestamptz(3) not null,
      -- so many codes were sent since
      sent integer not null default 1,
      since timestamptz(3) not null
    )`,
    // SHA-256 of what was sent by mail, and nowhere else
    "alter table invite add column secret bytea constraint invite_secret unique",
  ])
    await sql.raw(statement).execute(db);
}
