import { type Kysely, sql } from "kysely";

/** Links to pages of other spaces: found from where they lead to, and followed when their targets move. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "update reference set target_space = target where kind = 'space' and target_space is null",
  // Addresses of the application that were kept as they are. What names a space of ours is one, whatever host it names.
  `update reference r set
      kind = case when a.path = '' then 'space' else 'path' end,
      target_space = a.space,
      target = case when a.path = '' then a.space end,
      path = nullif(a.path, ''),
      anchor = case when a.path <> '' then a.anchor end
    from (
      select r.space as within, r.source, r.body, r.ordinal, m[1] as space, trim('/' from coalesce(m[2], '')) as path,
        nullif(m[3], '') as anchor
      from reference r
      cross join regexp_match(r.url, '^https?://[^/]+/s/([\\w-]+)(?:/([^?#]*))?(?:\\?[^#]*)?(?:#(.*))?$') m
      where r.kind = 'url' and r.url like '%/s/%' and strpos(r.url, '%') = 0 and octet_length(r.url) <= 1000
    ) a
    where a.space in (select id from space) and a.path !~ '^(revisions|change-requests|~)/'
      and (r.space, r.source, r.body, r.ordinal) = (a.within, a.source, a.body, a.ordinal)`,
  "create index reference_elsewhere on reference (space, target_space) where target_space is not null",
  "create index reference_from_elsewhere on reference (target_space, target, space) where target_space is not null",
  `create index reference_path_elsewhere on reference (target_space, path)
    where target_space is not null and path is not null`,
];
