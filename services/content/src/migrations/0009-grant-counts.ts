import { type Kysely, sql } from "kysely";

/** Counts of grants are emitted in an order; those that were granted before are emitted once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence grant_count_version`.execute(db);
  await sql`
    insert into outbox (id, name, aggregate, body)
    select id, 'content.grants.counted', subject, jsonb_build_object('id', id, 'name', 'content.grants.counted',
      'version', 1, 'aggregate', subject, 'occurredAt', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_build_object('organization', organization, 'spaces', spaces,
        'version', nextval('grant_count_version'), 'subject', jsonb_build_object('type', subject_kind, 'id', subject)))
    from (
      select gen_random_uuid()::text as id, g.organization, g.subject, g.subject_kind, count(*) as spaces
      from content_grant g join space s on s.id = g.target and s.deleted_at is null
      group by g.organization, g.subject, g.subject_kind) as counted`.execute(db);
}
