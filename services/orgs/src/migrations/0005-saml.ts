import { type Kysely, sql } from "kysely";

/**
 * Connections to identity providers, and what a sign-in through one leaves behind for a while. A token that came from
 * a sign-in ends with its provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table saml_provider (
      id text primary key,
      organization text not null references organization (id) on delete cascade,
      label text not null,
      -- empty until an administrator says what it is
      entity_id text not null default '',
      sso_url text not null default '',
      certificate text not null default '',
      default_team text references team (id) on delete set null,
      -- null is a guest
      default_role text check (default_role in ('read', 'comment', 'edit', 'review', 'create', 'admin')),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`,
    "create index saml_provider_listed on saml_provider (organization, id)",
    "create index saml_provider_team on saml_provider (default_team)",
    `create table saml_request (
      id text primary key,
      provider text not null references saml_provider (id) on delete cascade,
      relay_state text not null,
      return_to text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    )`,
    "create index saml_request_provider on saml_request (provider)",
    "create index saml_request_expires on saml_request (expires_at)",
    `create table saml_assertion (
      provider text not null references saml_provider (id) on delete cascade,
      -- SHA-256 of the assertion's id
      hash bytea not null,
      expires_at timestamptz(3) not null,
      primary key (provider, hash)
    )`,
    "create index saml_assertion_expires on saml_assertion (expires_at)",
    `create table sso_code (
      -- SHA-256 of the code; the code itself is nowhere
      hash bytea primary key,
      provider text not null references saml_provider (id) on delete cascade,
      person text not null references person (id) on delete cascade,
      expires_at timestamptz(3) not null
    )`,
    "create index sso_code_provider on sso_code (provider)",
    "create index sso_code_person on sso_code (person)",
    "create index sso_code_expires on sso_code (expires_at)",
    "alter table token add column saml_provider text references saml_provider (id) on delete cascade",
    "create index token_saml_provider on token (saml_provider) where saml_provider is not null",
  ])
    await sql.raw(statement).execute(db);
}
