import { type Kysely, sql } from "kysely";

/** OpenAPI documents of an organization, and the versions that were made of their sources. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table openapi_spec (
    id text primary key,
    organization text not null,
    slug text not null,
    source_url text,
    source_text text,
    visibility text not null default 'private',
    processing_state text not null default 'pending',
    source_number int not null default 1,
    last_version text,
    last_processed_at timestamptz,
    error_code text,
    errors jsonb,
    check_at timestamptz,
    created_by text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization, slug),
    check ((source_url is null) <> (source_text is null))
  )`,
  "create index openapi_spec_due on openapi_spec (check_at) where check_at is not null",
  `create table openapi_spec_version (
    id text primary key,
    spec text not null references openapi_spec (id) on delete cascade,
    hash text not null,
    document text not null,
    breaking jsonb,
    created_at timestamptz not null default now()
  )`,
  "create index openapi_spec_version_of on openapi_spec_version (spec, id desc)",
];
