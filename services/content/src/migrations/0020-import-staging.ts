import { type Kysely, sql } from "kysely";

/**
 * The state of a running import: the files of the commit, and the entries that the space shall have. It lies here, so
 * that nothing in memory grows with the repository, and is compared with the space by SQL. It goes when the import ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table import_file (
    operation text not null references git_operation (id) on delete cascade,
    path text not null,
    -- The path in one Unicode form, by which any other form of it is found.
    composed text not null,
    oid text not null,
    size bigint not null,
    -- What becomes of the file; one that is neither is not imported.
    page boolean not null default false,
    reusable boolean not null default false,
    asset boolean not null default false,
    -- Of a text that is kept: its name in the store, and what it says about itself.
    hash text,
    source jsonb,
    primary key (operation, path)
  )`,
  "create index import_file_composed on import_file (operation, composed)",
  `create table import_entry (
    operation text not null references git_operation (id) on delete cascade,
    -- The pages in the order of the table of contents, then all else.
    ordinal int not null,
    id text not null,
    kind text not null,
    -- The ordinal of the page above, the place among its siblings, and how many pages are above.
    parent int,
    place int,
    depth int,
    slug text,
    title text not null default '',
    file text,
    occurrence int not null default 0,
    -- The file that a link leads to, and the anchor in it.
    leads_to jsonb,
    body text,
    props jsonb not null default '{}',
    position text collate "C",
    -- The whole entry, when it is new or changed.
    changed jsonb,
    -- The space has it, and the commit does not.
    removed boolean not null default false,
    primary key (operation, ordinal)
  )`,
  "create index import_entry_id on import_entry (operation, id)",
  "create index import_entry_file on import_entry (operation, file)",
];
