import { type Kysely, sql } from "kysely";

/** Webhooks of organizations, and the log of what was sent to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table webhook (
    id text primary key,
    organization text not null,
    url text not null,
    description text not null,
    types text[] not null,
    -- active or paused
    status text not null,
    -- why it was paused; absent when somebody did so
    paused_because text,
    paused_at timestamptz(3),
    -- sealed
    secret text not null,
    -- sealed; the one before, with which is signed as well until then
    previous_secret text,
    previous_until timestamptz(3),
    -- since when nothing could be delivered; absent after a success
    failing_since timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  "create index webhook_of on webhook (organization, id)",
  `create table webhook_delivery (
    id text primary key,
    webhook text not null references webhook (id) on delete cascade,
    -- what receivers know it by; a replay has that of what it repeats
    message text not null,
    type text not null,
    -- what is sent and signed, byte for byte
    body text not null,
    -- waiting, success, failed, or held while the webhook is paused
    status text not null,
    attempts jsonb not null default '[]',
    next_attempt_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    ended_at timestamptz(3)
  )`,
  "create index webhook_delivery_of on webhook_delivery (webhook, created_at, id)",
  "create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null",
];
