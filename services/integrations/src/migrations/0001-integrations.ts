import { inboxTables, outboxTables } from "@octavo/shared/database/shared-tables";
import { type Kysely, sql } from "kysely";

/**
 * Integrations, who installed them, and the events sent to them. An integration or installation that is removed stays
 * behind its `deleted_at` until the news of it is delivered, for the delivery needs its secrets; the name is free
 * at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...integration, ...installation, ...event]) await sql.raw(statement).execute(db);
  await outboxTables(db);
  await inboxTables(db);
}

const integration = [
  `create table integration (
    id text primary key,
    name text not null,
    organization text not null,
    version int not null default 1,
    title text not null,
    description text not null,
    summary text,
    visibility text not null,
    target text not null,
    verified boolean not null default false,
    scopes text[] not null,
    categories text[] not null,
    blocks jsonb,
    -- hosts of the links that the blocks unfurl, such as example.com or *.example.com
    block_domains text[] not null,
    content_sources jsonb,
    configurations jsonb,
    external_links jsonb not null,
    content_security_policy jsonb,
    -- names of assets
    icon text,
    preview_images text[] not null,
    -- sealed: a JSON object of strings
    secrets text not null,
    -- sealed
    signing_secret text not null,
    -- where events go while development mode is on
    tunnel_url text,
    tunnel_all boolean not null default false,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3)
  )`,
  "create unique index integration_name on integration (name) where deleted_at is null",
  "create index integration_listed on integration (visibility, name) where deleted_at is null",
  "create index integration_owned on integration (organization, name) where deleted_at is null",
  "create index integration_target on integration (target, name) where deleted_at is null",
  "create index integration_scopes on integration using gin (scopes)",
  "create index integration_categories on integration using gin (categories)",
  "create index integration_block_domains on integration using gin (block_domains)",
  `create table script (
    integration text primary key references integration (id) on delete cascade,
    runtime text not null,
    source text not null
  )`,
  `create table asset (
    integration text not null references integration (id) on delete cascade,
    -- begins with what it is and holds the hash of its bytes: an asset never changes
    name text not null,
    bytes bytea not null,
    primary key (integration, name)
  )`,
];

const installation = [
  `create table installation (
    id text primary key,
    integration text not null references integration (id) on delete cascade,
    organization text not null,
    status text not null,
    space_selection text not null default 'all',
    site_selection text not null default 'all',
    configuration jsonb not null default '{}',
    external_ids text[] not null default '{}',
    -- sealed
    signing_secret text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3)
  )`,
  "create unique index installation_once on installation (integration, organization) where deleted_at is null",
  "create index installation_listed on installation (integration, id) where deleted_at is null",
  "create index installation_of on installation (organization, integration) where deleted_at is null",
  "create index installation_external_ids on installation using gin (external_ids)",
];

const event = [
  `create table event (
    id text primary key,
    integration text not null references integration (id) on delete cascade,
    -- outlives the installation, so it is no reference
    installation text,
    organization text,
    payload jsonb not null,
    -- null until the delivery has ended
    status text,
    logs jsonb,
    created_at timestamptz(3) not null default now(),
    delivered_at timestamptz(3)
  )`,
  "create index event_listed on event (integration, created_at, id) where status is not null",
  "create index event_listed_of on event (integration, organization, created_at, id) where status is not null",
  "create index event_waiting on event (integration) where status is null",
  "create index event_waiting_of on event (organization, (payload->>'spaceId')) where status is null",
  "create index event_delivered on event (delivered_at) where delivered_at is not null",
  `create table token (
    -- SHA-256 of the token
    hash bytea primary key,
    integration text not null references integration (id) on delete cascade,
    -- absent for a token of the integration itself
    installation text references installation (id) on delete cascade,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null
  )`,
  "create index token_integration on token (integration)",
  "create index token_installation on token (installation)",
  "create index token_expired on token (expires_at)",
];
