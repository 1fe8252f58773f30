import { type Kysely, sql } from "kysely";

/**
 * What pages and reusable contents refer to. A `reference` belongs to a source and one text of it, and is there for
 * every version in which the source has that text; whether it leads anywhere is found out when it is read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table reference (
    space text not null references space (id) on delete cascade,
    source text not null,
    -- hash of the source's text; of a page that has none, a hash of what it leads to
    body text collate "C" not null,
    ordinal int not null,
    kind text not null,
    url text not null,
    -- inside the space, without anchor; absent when the reference names its target by id or lies outside
    path text collate "C",
    anchor text,
    target text,
    target_space text,
    primary key (space, source, body, ordinal)
  )`,
  "create index reference_target on reference (space, target) where target is not null",
  "create index reference_path on reference (space, path) where path is not null",
  // The anchors of a text, for texts that anchors were asked of.
  `create table outline (
    space text not null references space (id) on delete cascade,
    body text collate "C" not null,
    anchors text[] not null,
    primary key (space, body)
  )`,
  // Spaces with texts from before references were kept.
  `create table reference_pending (
    space text primary key references space (id) on delete cascade
  )`,
  "insert into reference_pending select id from space",
  "create index entry_git_path_past on entry (branch, git_path)",
];
