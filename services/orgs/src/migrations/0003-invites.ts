import { type Kysely, sql } from "kysely";

/**
 * An invite is for one e-mail address, and gone when it is used, or a link for whoever has it. Accounts that are made
 * for an invite have an address that nobody has confirmed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "alter table person add column email_verified boolean not null default true",
    `create table invite (
      -- a secret: whoever knows it may use the invite
      id text primary key,
      organization text not null references organization (id) on delete cascade,
      -- in lower case; null for a link
      email text,
      -- in the organization, or on the target; null is a guest
      role text check (role in ('read', 'comment', 'edit', 'review', 'create', 'admin')),
      target_type text check (target_type in ('space', 'collection')),
      target text,
      sso boolean not null default false,
      invited_by text references person (id) on delete set null,
      -- the token of an account that was made for the invite
      token text references token (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      constraint invite_target check ((target is null) = (target_type is null))
    )`,
    "create unique index invite_email on invite (organization, email) where email is not null",
    "create index invite_listed on invite (organization, id)",
  ])
    await sql.raw(statement).execute(db);
}
