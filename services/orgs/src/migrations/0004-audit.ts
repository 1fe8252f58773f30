import { type Kysely, sql } from "kysely";

/**
 * What was done, in every service. Nothing refers to an organization or a person here: an entry outlives those it records
 * of. It can be added and read, and nothing else, whoever asks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table audit_event (
      id text primary key,
      -- null for what concerns no organization
      organization text,
      service text not null,
      action text not null,
      actor_type text not null,
      actor text not null,
      actor_name text not null,
      token text,
      ip text,
      request text not null,
      target_type text not null,
      target text not null,
      occurred_at timestamptz(3) not null,
      recorded_at timestamptz(3) not null default now(),
      details jsonb
    )`,
    "create index audit_event_listed on audit_event (organization, occurred_at, id)",
    "create index audit_event_actor on audit_event (organization, actor, occurred_at, id)",
    "create index audit_event_target on audit_event (organization, target, occurred_at, id)",
    "create index audit_event_action on audit_event (organization, action, occurred_at, id)",
    `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit_event is append-only' using errcode = 'insufficient_privilege';
    end $$`,
    `create trigger audit_event_append_only before update or delete or truncate on audit_event
      for each statement execute function refuse_audit_change()`,
  ])
    await sql.raw(statement).execute(db);
}
