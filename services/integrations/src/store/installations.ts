import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Scope } from "../schemas/manifest.js";
import type { Ctx } from "../trpc.js";
import type { ContentTarget } from "./integrations.js";
import { type OfOrganization, whereExists } from "./where-exists.js";

export type Row = Omit<Selectable<Database["installation"]>, "signing_secret" | "accepted_scopes">;
/** With the name of its integration, and the organization that publishes it. */
export type Named = Row & { name: string; owner: string };

const COLUMNS = [
  "installation.id",
  "installation.integration",
  "installation.organization",
  "installation.status",
  "installation.space_selection",
  "installation.site_selection",
  "installation.configuration",
  "installation.external_ids",
  "installation.created_at",
  "installation.updated_at",
  "installation.deleted_at",
] as const;

/** One live installation of a live integration. */
export const find = ({ db }: Ctx, integrationName: string, id: string): Promise<Named | undefined> =>
  db
    .selectFrom("installation")
    .innerJoin("integration", "integration.id", "installation.integration")
    .select([...COLUMNS, "integration.name", "integration.organization as owner"])
    .where("installation.id", "=", id)
    .where("integration.name", "=", integrationName)
    .where("installation.deleted_at", "is", null)
    .where("integration.deleted_at", "is", null)
    .executeTakeFirst();

/** Holds the installation until the end of the transaction. */
export const lock = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db
    .selectFrom("installation")
    .select(COLUMNS)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();

/** The live installations of an integration; of these organizations alone, when there are any named. */
export const list = (
  { db }: Ctx,
  of: { integration: string; organizations?: string[]; externalId?: string },
) =>
  db
    .selectFrom("installation")
    .select(COLUMNS)
    .where("integration", "=", of.integration)
    .where("deleted_at", "is", null)
    .$if(of.organizations !== undefined, (query) =>
      query.where("organization", "=", anyOf(of.organizations!)),
    )
    .$if(of.externalId !== undefined, (query) =>
      query.where(sql<boolean>`external_ids @> ${[of.externalId]}::text[]`),
    );

/** The live installations of an organization; those whose integration's name has a text in it, if one is given. */
export const ofOrganization = ({ db }: Ctx, organization: string, search?: string) =>
  db
    .selectFrom("installation")
    .innerJoin("integration", "integration.id", "installation.integration")
    .select([...COLUMNS, "integration.name"])
    .where("installation.organization", "=", organization)
    .where("installation.deleted_at", "is", null)
    .where("integration.deleted_at", "is", null)
    .$if(search !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(integration.name), ${search!.toLowerCase()}) > 0`),
    );

/** The installation that an organization has of an integration, if it has one. */
export const ofOne = ({ db }: Ctx, organization: string, integration: string) =>
  db
    .selectFrom("installation")
    .select("status")
    .where("organization", "=", organization)
    .where("integration", "=", integration)
    .where("deleted_at", "is", null)
    .executeTakeFirst();

/** The live installation that an organization has of an integration, with all of its row. */
export const liveOf = ({ db }: Ctx, organization: string, integration: string): Promise<Row | undefined> =>
  db
    .selectFrom("installation")
    .select(COLUMNS)
    .where("organization", "=", organization)
    .where("integration", "=", integration)
    .where("deleted_at", "is", null)
    .executeTakeFirst();

/** Fails on the constraint `installation_once` where the organization has it already. */
export const insert = ({ db }: Ctx, row: Insertable<Database["installation"]>): Promise<Row> =>
  db.insertInto("installation").values(row).returning(COLUMNS).executeTakeFirstOrThrow();

/** Changes columns of an installation and returns its row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Database["installation"]>): Promise<Row> =>
  db
    .updateTable("installation")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Takes installations out of sight; a row is gone for good when the event of its removal is delivered. */
export const retire = ({ db }: Ctx, by: { id: string } | { integration: string }): Promise<Row[]> =>
  db
    .updateTable("installation")
    .set({ deleted_at: sql`now()` })
    .where("id" in by ? "id" : "integration", "=", "id" in by ? by.id : by.integration)
    .where("deleted_at", "is", null)
    .returning(COLUMNS)
    .execute();

/**
 * Finds installations with their sealed signing secrets and the names of their integrations, those that were removed and
 * wait for their last delivery too.
 */
export const forDelivery = ({ db }: Ctx, ids: string[]) =>
  db
    .selectFrom("installation")
    .innerJoin("integration", "integration.id", "installation.integration")
    .select([...COLUMNS, "installation.signing_secret", "integration.name"])
    .where("installation.id", "=", anyOf(ids))
    .execute();

/** Deletes an installation that was removed. */
export const purge = ({ db }: Ctx, id: string) =>
  db.deleteFrom("installation").where("id", "=", id).where("deleted_at", "is not", null).execute();

/** An installation that an event at a space or site concerns, with the one on that place itself if there is one. */
export interface Concerned {
  id: string;
  integration: string;
  organization: string;
  contentInstallation: string | null;
}

/**
 * The active installations that work at a place, of integrations with the scope: where one is installed on the place
 * itself, that is what counts, else whether it works in all such places.
 */
export async function at(
  { db }: Ctx,
  { kind, content, organization }: ContentTarget,
  scope: Scope,
): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    ${concerned({ kind, content, organization })} and ${hasScope(scope)}`.execute(db);
  return rows;
}

/** The active installation of one integration that works at a place, if there is one; with a scope, if one is given. */
export async function atWork(
  { db }: Ctx,
  place: ContentTarget,
  integration: string,
  scope?: Scope,
): Promise<Concerned | undefined> {
  const { rows } = await sql<Concerned>`
    ${concerned(place)} and i.integration = ${integration}
    ${scope === undefined ? sql`` : sql`and ${hasScope(scope)}`}`.execute(db);
  return rows[0];
}

/** Whether an installation has a scope: its integration declares it, and elsewhere it was accepted. */
export const hasScope = (scope: Scope) => sql`integration.scopes @> ${[scope]}::text[]
    and (i.accepted_scopes is null or i.organization = integration.organization
      or i.accepted_scopes @> ${[scope]}::text[])`;

const concerned = ({ kind, content, organization }: ContentTarget) => sql`
    select i.id, i.integration, i.organization, c.id as "contentInstallation" from installation i
    join integration on integration.id = i.integration
    left join content_installation c
      on c.installation = i.id and c.kind = ${kind} and c.content = ${content} and c.deleted_at is null
    where i.organization = ${organization} and i.deleted_at is null and i.status = 'active'
      and coalesce(c.status = 'active', i.${sql.ref(`${kind}_selection`)} = 'all')
      and integration.deleted_at is null`;

/** Returns for each item, in order, whether an integration is installed in its organization. */
export const hasInstallations = (ctx: Ctx, items: OfOrganization[]) =>
  whereExists(
    ctx,
    items,
    sql`select from installation i where i.organization = asked.organization and i.deleted_at is null`,
  );

/** The integrations that may compute content in an organization: those with content sources and the scope. */
export async function computingIn({ db }: Ctx, organization: string) {
  const { rows } = await sql<{ name: string; version: number }>`
    select integration.name, integration.version from installation i
    join integration on integration.id = i.integration
    where i.organization = ${organization} and i.deleted_at is null and i.status = 'active'
      and integration.deleted_at is null and integration.content_sources is not null
      and ${hasScope("space:content:write")}
    order by integration.name limit 1000`.execute(db);
  return rows;
}

/** The installations of an integration that are on sites by themselves. */
export async function onSites({ db }: Ctx, integration: string) {
  const { rows } = await sql<{ id: string; organization: string }>`
    select distinct installation as id, organization from content_installation
    where integration = ${integration} and kind = 'site' and deleted_at is null`.execute(db);
  return rows;
}

/** The organizations in which an integration is active. */
export async function organizationsWith({ db }: Ctx, integration: string): Promise<string[]> {
  const { rows } = await sql<{ organization: string }>`select distinct organization from installation
    where integration = ${integration} and deleted_at is null and status = 'active' order by 1`.execute(db);
  return rows.map(({ organization }) => organization);
}
