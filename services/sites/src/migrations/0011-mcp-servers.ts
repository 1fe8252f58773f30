import { type Kysely, sql } from "kysely";

/** What the assistants of sites may call besides the sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table mcp_server (
    id text primary key,
    site text not null references site (id) on delete cascade,
    organization text not null,
    name text not null,
    url text not null,
    -- sealed
    headers text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  "create index mcp_server_listed on mcp_server (site, id)",
];
