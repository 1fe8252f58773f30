import { type Kysely, sql } from "kysely";

/** Orgs learns of all sites; those that were there before are emitted once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into outbox (id, name, aggregate, body)
    select id, 'sites.site.changed', site, jsonb_build_object('id', id, 'name', 'sites.site.changed',
      'version', 1, 'aggregate', site, 'occurredAt', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'payload', jsonb_strip_nulls(jsonb_build_object('site', site, 'organization', organization,
        'visibility', visibility, 'auth', auth)))
    from (
      select gen_random_uuid()::text as id, s.id as site, s.organization, s.visibility,
        case when a.site is not null
          then jsonb_build_object('backend', a.backend, 'privateKey', a.private_key) end as auth
      from site s left join publishing_auth a on a.site = s.id) as told`.execute(db);
}
