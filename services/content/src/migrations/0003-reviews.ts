import { type Kysely, sql } from "kysely";

/**
 * Reviews of change requests, and who is asked for one. Contributors are counted by what they did. A change request
 * names the organization of its space, so that those of an organization are listed by an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...reviews, ...contributors, ...organizations])
    await sql.raw(statement).execute(db);
}

const reviews = [
  `create table review (
    id text primary key,
    change_request text not null references change_request (id) on delete cascade,
    revision text not null,
    reviewer text not null,
    status text not null check (status in ('approved', 'changes-requested')),
    outdated boolean not null default false,
    requested_by text,
    -- the users and teams whose request it answered
    answered text[] not null default '{}',
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  "create index review_listed on review (change_request, created_at, id)",
  `create table requested_reviewer (
    change_request text not null references change_request (id) on delete cascade,
    subject text not null,
    subject_kind text not null check (subject_kind in ('user', 'team')),
    revision text not null,
    requested_by text not null,
    created_at timestamptz(3) not null,
    primary key (change_request, subject)
  )`,
  "create index requested_reviewer_listed on requested_reviewer (change_request, created_at, subject)",
  "create index requested_reviewer_subject on requested_reviewer (subject)",
];

const contributors = [
  `alter table contributor add column action text not null default 'edit'
    check (action in ('edit', 'comment'))`,
  "alter table contributor drop constraint contributor_pkey",
  "alter table contributor add primary key (change_request, person, action)",
];

const organizations = [
  "alter table change_request add column organization text",
  `update change_request set organization = space.organization from space
    where space.id = change_request.space`,
  "alter table change_request alter column organization set not null",
  "create index change_request_organization on change_request (organization, status, created_at, id)",
  "create index change_request_author on change_request (organization, created_by, status, created_at, id)",
];
