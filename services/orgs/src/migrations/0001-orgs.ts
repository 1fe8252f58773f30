import { inboxTables, outboxTables } from "@octavo/shared/database/shared-tables";
import { type Kysely, sql } from "kysely";

/**
 * Who there is and where they belong. A person is a member of any number of organizations; what hangs on a membership
 * (its places in teams) ends with it by its foreign key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...people, ...memberships, ...teams]) await sql.raw(statement).execute(db);
  await outboxTables(db);
  await inboxTables(db);
}

const role = "check (role in ('read', 'comment', 'edit', 'review', 'create', 'admin'))";

const people = [
  `create table person (
    id text primary key,
    display_name text not null,
    -- in lower case
    email text constraint person_email unique,
    photo_url text,
    -- name and address in lower case; PostgreSQL's own lower() knows ASCII only under the locale C
    search_text text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  `create table token (
    id text primary key,
    person text not null references person (id) on delete cascade,
    -- SHA-256 of the token; the token itself is nowhere
    hash bytea not null constraint token_hash unique,
    label text not null,
    scopes text[],
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    expires_at timestamptz(3)
  )`,
  "create index token_listed on token (person, created_at, id)",
];

const memberships = [
  `create table organization (
    id text primary key,
    title text not null,
    type text not null default 'business',
    use_case text,
    community_type text,
    hostname text constraint organization_hostname unique,
    email_domains text[] not null default '{}',
    default_role text,
    default_site text,
    logo_url text,
    sso boolean not null default false,
    ai boolean not null default false,
    invite_links boolean not null default true,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  )`,
  `create table member (
    organization text not null references organization (id) on delete cascade,
    person text not null references person (id) on delete cascade,
    -- null is a guest
    role text ${role},
    disabled boolean not null default false,
    sso boolean not null default false,
    -- spaces that the member holds a grant of their own on
    spaces integer not null default 0,
    joined_at timestamptz(3) not null default now(),
    last_seen_at timestamptz(3),
    primary key (organization, person)
  )`,
  "create index member_person on member (person, organization)",
  "create index member_joined on member (organization, joined_at, person)",
  "create index member_role_joined on member (organization, role, joined_at, person)",
  "create index member_seen on member (organization, last_seen_at, person) where last_seen_at is not null",
  "create index member_role_seen on member (organization, role, last_seen_at, person) where last_seen_at is not null",
];

const teams = [
  `create table team (
    id text primary key,
    organization text not null references organization (id) on delete cascade,
    title text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization, id)
  )`,
  `create table team_member (
    team text not null,
    organization text not null,
    person text not null,
    role text not null default 'member' check (role in ('owner', 'member')),
    joined_at timestamptz(3) not null default now(),
    primary key (team, person),
    foreign key (organization, team) references team (organization, id) on delete cascade,
    foreign key (organization, person) references member (organization, person) on delete cascade
  )`,
  "create index team_member_of on team_member (organization, person)",
  "create index team_member_person on team_member (person)",
];
