import { type Kysely, sql } from "kysely";

/** Translations of spaces, the segments that they consist of, and the glossary of an organization. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table translation (
    id text primary key,
    organization text not null,
    space text not null,
    source_language text not null,
    language text not null,
    instructions jsonb not null,
    status text not null default 'pending',
    result_space text,
    result_revision text,
    source_revision text,
    error jsonb,
    runs int not null default 0,
    total_words int not null default 0,
    total_pages int not null default 0,
    total_duration int not null default 0,
    latest_words int not null default 0,
    latest_pages int not null default 0,
    latest_duration int not null default 0,
    created_by text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  "create index translation_of_organization on translation (organization, id)",
  "create index translation_of_space on translation (space)",
  `create table translated_segment (
    translation text not null references translation (id) on delete cascade,
    hash text not null,
    text text not null,
    run int not null,
    primary key (translation, hash)
  )`,
  `create table glossary_entry (
    id text primary key,
    organization text not null,
    translations jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  "create index glossary_entry_of_organization on glossary_entry (organization, id)",
];
