import { inboxTables, outboxTables } from "@octavo/shared/database/shared-tables";
import { type Kysely, sql } from "kysely";

/**
 * The content store. A space's primary branch has the id of the space; every change request is a branch of its own.
 * An `entry` is one version of a page, file, reusable content or variable, valid on its branch from one revision
 * (`from_seq`) up to another (`to_seq`, absent while it is current). A change request holds only what it touched;
 * below its own entries the primary branch shows through as it was at `base_seq`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...containers, ...versions, ...changeRequests, ...rest])
    await sql.raw(statement).execute(db);
  await outboxTables(db);
  await inboxTables(db);
}

const containers = [
  `create table collection (
    id text primary key,
    organization text not null,
    title text not null default '',
    description text,
    parent text references collection (id),
    -- ids of all collections above, from the top
    ancestors text[] not null default '{}',
    default_level text default 'inherit',
    position text collate "C" not null,
    created_by text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  "create index collection_siblings on collection (organization, parent, position, id)",
  "create index collection_listed on collection (organization, position, id)",
  "create index collection_parent on collection (parent)",
  "create index collection_ancestors on collection using gin (ancestors)",
  `create table space (
    id text primary key,
    organization text not null,
    title text not null default '',
    emoji text not null default '',
    icon text,
    visibility text not null default 'private',
    edit_mode text not null default 'locked',
    parent text references collection (id),
    default_level text default 'inherit',
    position text collate "C" not null,
    language text,
    git jsonb,
    revision text not null,
    comments int not null default 0,
    change_requests int not null default 0,
    change_requests_open int not null default 0,
    change_requests_draft int not null default 0,
    created_by text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3)
  )`,
  "create index space_listed on space (organization, position, id) where deleted_at is null",
  "create index space_siblings on space (organization, parent, position, id) where deleted_at is null",
  "create index space_parent on space (parent, id)",
  "create index space_deleted on space (deleted_at) where deleted_at is not null",
  // A direct grant of a role on a space or collection, to a user or a team.
  `create table content_grant (
    target text not null,
    subject text not null,
    subject_kind text not null check (subject_kind in ('user', 'team')),
    organization text not null,
    role text not null,
    created_at timestamptz(3) not null default now(),
    primary key (target, subject)
  )`,
  "create index content_grant_subject on content_grant (subject, target)",
  // Where a space is published, as the sites service reports it.
  `create table audience (
    site text not null,
    space text not null,
    visibility text not null,
    url text,
    primary key (site, space)
  )`,
  "create index audience_space on audience (space, site)",
  `create table person (
    id text primary key,
    display_name text not null,
    email text,
    photo_url text
  )`,
];

const versions = [
  `create table branch (
    id text primary key,
    space text not null references space (id) on delete cascade,
    seq int not null,
    revision text not null,
    base_seq int
  )`,
  "create index branch_space on branch (space)",
  `create table revision (
    id text primary key,
    space text not null references space (id) on delete cascade,
    branch text not null,
    seq int not null,
    base_seq int,
    type text not null check (type in ('edits', 'merge', 'update', 'rollback')),
    parents text[] not null,
    merged_from text,
    git jsonb,
    created_by text,
    created_at timestamptz(3) not null default now(),
    unique (branch, seq)
  )`,
  "create index revision_space on revision (space, id)",
  `create table entry (
    branch text not null,
    id text not null,
    from_seq int not null,
    to_seq int,
    kind text not null check (kind in ('page', 'file', 'reusable', 'variable')),
    removed boolean not null default false,
    parent text,
    position text collate "C" not null default '',
    slug text,
    title text not null default '',
    body text,
    git_path text,
    git_oid text,
    props jsonb not null default '{}',
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3),
    primary key (branch, id, from_seq)
  )`,
  "create unique index entry_head on entry (branch, id) where to_seq is null",
  "create index entry_children on entry (branch, kind, parent, position, id) where to_seq is null",
  "create index entry_children_past on entry (branch, kind, parent, position, id)",
  "create index entry_listed on entry (branch, kind, id) where to_seq is null",
  "create index entry_listed_past on entry (branch, kind, id)",
  "create index entry_git_path on entry (branch, git_path) where to_seq is null",
  "create index entry_from on entry (branch, from_seq)",
  "create index entry_to on entry (branch, to_seq) where to_seq is not null",
  // The source markdown of pages and reusable contents, once for each content of a space.
  `create table body (
    space text not null references space (id) on delete cascade,
    hash text not null,
    markdown text not null,
    primary key (space, hash)
  )`,
];

const changeRequests = [
  `create table change_request (
    id text primary key,
    space text not null references space (id) on delete cascade,
    number int not null,
    status text not null default 'draft' check (status in ('draft', 'open', 'archived', 'merged')),
    subject text not null default '',
    revision_initial text not null,
    revision_merged_ancestor text,
    revision_merged text,
    comments int not null default 0,
    created_by text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (space, number)
  )`,
  "create index change_request_listed on change_request (space, status, number)",
  "create index change_request_creator on change_request (space, created_by, number)",
  `create table contributor (
    change_request text not null references change_request (id) on delete cascade,
    person text not null,
    count int not null default 1,
    updated_at timestamptz(3) not null default now(),
    primary key (change_request, person)
  )`,
  "create index contributor_person on contributor (person, change_request)",
];

const rest = [
  // One searchable section of a page of the primary branch; \`terms\` also names the space and organization.
  `create table search_section (
    space text not null references space (id) on delete cascade,
    page text not null,
    ordinal int not null,
    organization text not null,
    anchor text,
    title text not null,
    body text not null,
    terms tsvector not null,
    primary key (space, page, ordinal)
  )`,
  "create index search_section_terms on search_section using gin (terms)",
  `create table git_operation (
    id text primary key,
    space text not null references space (id) on delete cascade,
    direction text not null check (direction in ('import', 'export')),
    state text not null default 'running' check (state in ('running', 'success', 'failure')),
    stage text not null default 'repo_fetch',
    request text not null,
    revision text,
    error text,
    dispatched_tasks int not null default 0,
    completed_tasks int not null default 0,
    created_by text not null,
    started_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    completed_at timestamptz(3)
  )`,
  "create index git_operation_space on git_operation (space, id)",
];
