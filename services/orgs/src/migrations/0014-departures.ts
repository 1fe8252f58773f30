import { type Kysely, sql } from "kysely";

/**
 * When somebody last lost a membership, or a part of their role, by somebody else: links from before do not bring it back.
 * Pending invites and links of people who administer the organization no more end, as they do from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table departure (
      organization text not null references organization (id) on delete cascade,
      person text not null references person (id) on delete cascade,
      at timestamptz(3) not null,
      -- who decided it; kept when they are gone
      by text not null,
      primary key (organization, person)
    )`,
    "create index departure_person on departure (person)",
    "create index invite_made_by on invite (organization, invited_by)",
    `delete from invite where invited_by is not null and not exists (
      select from member where member.organization = invite.organization
        and member.person = invite.invited_by and member.role = 'admin')`,
  ])
    await sql.raw(statement).execute(db);
}
