import { type Kysely, sql } from "kysely";

/**
 * A service account is a person who belongs to an organization. A token may be bound to an organization: it reaches
 * nothing else, and ends with the membership.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "alter table person add column organization text references organization (id) on delete cascade",
    "create index person_service_account on person (organization, id) where organization is not null",
    "alter table token add column organization text",
    `alter table token add constraint token_membership foreign key (organization, person)
      references member (organization, person) on delete cascade`,
    "create index token_bound on token (organization, person, created_at, id) where organization is not null",
    "create index organization_domains on organization using gin (email_domains)",
  ])
    await sql.raw(statement).execute(db);
}
