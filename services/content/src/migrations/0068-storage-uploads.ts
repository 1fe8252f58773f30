import { type Kysely, sql } from "kysely";

/** Files that are uploaded for an organization, outside of any space. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table storage_upload (
    id text primary key,
    organization text not null,
    kind text not null,
    name text not null,
    -- As they were announced; what comes in has to be so.
    content_type text not null,
    size int not null,
    -- The hash of what came in.
    content text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    -- Since when something refers to it, which keeps it for good.
    taken_at timestamptz(3)
  )`.execute(db);
  await sql`create index storage_upload_organization on storage_upload (organization, content)`.execute(db);
  await sql`create index storage_upload_content on storage_upload (content)`.execute(db);
  await sql`create index storage_upload_unused on storage_upload (created_at) where taken_at is null`.execute(
    db,
  );
}
