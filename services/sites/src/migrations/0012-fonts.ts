import { type Kysely, sql } from "kysely";

/** Fonts of organizations, for the customization of their sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table font (
    id text primary key,
    organization text not null,
    family text not null,
    faces jsonb not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  "create index font_listed on font (organization, id)",
];
