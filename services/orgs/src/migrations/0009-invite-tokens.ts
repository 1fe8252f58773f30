import { type Kysely, sql } from "kysely";

/**
 * A token that comes with an invite, and what is made with it, wait with the invite: they end with it, or are bound to
 * its organization once it is accepted. Those of pending invites did not wait yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "alter table token add column invite text references invite (id) on delete cascade",
    "create index token_invite on token (invite) where invite is not null",
    `update token set invite = invite.id
      from invite join token made on made.id = invite.token join person on person.id = made.person
      where token.person = made.person and token.organization is null and not person.email_verified`,
    "alter table invite drop column token",
  ])
    await sql.raw(statement).execute(db);
}
