import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";
import { hasScope } from "./installations.js";

type Table = Database["content_installation"];
export type Kind = Table["kind"];
export type Row = Omit<Selectable<Table>, "signing_secret" | "created_at" | "updated_at">;

const COLUMNS = [
  "content_installation.id",
  "content_installation.integration",
  "content_installation.installation",
  "content_installation.organization",
  "content_installation.kind",
  "content_installation.content",
  "content_installation.status",
  "content_installation.configuration",
  "content_installation.external_ids",
  "content_installation.deleted_at",
] as const;

const live = ({ db }: Ctx, kind: Kind) =>
  db
    .selectFrom("content_installation")
    .select(COLUMNS)
    .where("kind", "=", kind)
    .where("content_installation.deleted_at", "is", null);

/** The live installation on one space or site, if there is one. */
export const find = (ctx: Ctx, installation: string, kind: Kind, content: string) =>
  live(ctx, kind).where("installation", "=", installation).where("content", "=", content).executeTakeFirst();

/** The live installation of an integration on one space or site, if there is one. */
export const ofIntegration = (ctx: Ctx, integrationName: string, kind: Kind, content: string) =>
  live(ctx, kind)
    .innerJoin("integration", "integration.id", "content_installation.integration")
    .where("integration.name", "=", integrationName)
    .where("integration.deleted_at", "is", null)
    .where("content", "=", content)
    .executeTakeFirst();

/** The live installation on one space or site, held until the end of the transaction. */
export const lock = (ctx: Ctx, installation: string, kind: Kind, content: string) =>
  live(ctx, kind)
    .where("installation", "=", installation)
    .where("content", "=", content)
    .forUpdate()
    .executeTakeFirst();

/** What is listed: of one installation, or of an integration, there of these organizations alone if any are named. */
export type Listed = { installation: string } | { integration: string; organizations?: string[] };

/** The live installations on spaces, or on sites. */
export function list(ctx: Ctx, kind: Kind, of: Listed, externalId?: string) {
  const query = live(ctx, kind);
  const organizations = "integration" in of ? of.organizations : undefined;
  return (
    "installation" in of
      ? query.where("installation", "=", of.installation)
      : query.where("integration", "=", of.integration)
  )
    .$if(organizations !== undefined, (query) => query.where("organization", "=", anyOf(organizations!)))
    .$if(externalId !== undefined, (query) =>
      query.where(sql<boolean>`external_ids @> ${[externalId]}::text[]`),
    );
}

/**
 * The installations of one on sites that are active and may sign in visitors there, with their sealed secrets: so many
 * by the ids of the sites, above one of them if it is given.
 */
export async function signingIn({ db }: Ctx, installation: string, above = "", most = 1_000) {
  const { rows } = await sql<{ id: string; content: string; signing_secret: string; name: string }>`
    select c.id, c.content, c.signing_secret, integration.name from content_installation c
    join installation i on i.id = c.installation
    join integration on integration.id = i.integration
    where c.installation = ${installation} and c.kind = 'site' and c.deleted_at is null and c.status = 'active'
      and i.deleted_at is null and i.status = 'active' and integration.deleted_at is null
      and ${hasScope("site:visitor:auth")}
      and c.content collate "C" > ${above}
    order by c.content collate "C" limit ${most}`.execute(db);
  return rows;
}

export type SigningIn = Awaited<ReturnType<typeof signingIn>>[number];

/** How many spaces each of these installations is installed on by itself. */
export async function countSpaces({ db }: Ctx, installations: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("content_installation")
    .select(["installation", (of) => of.fn.countAll<number>().as("spaces")])
    .where("installation", "=", anyOf(installations))
    .where("kind", "=", "space")
    .where("deleted_at", "is", null)
    .groupBy("installation")
    .execute();
  return new Map(rows.map(({ installation, spaces }) => [installation, Number(spaces)]));
}

/** Fails on the constraint `content_installation_once` where the installation has it already. */
export const insert = ({ db }: Ctx, row: Insertable<Table>): Promise<Row> =>
  db.insertInto("content_installation").values(row).returning(COLUMNS).executeTakeFirstOrThrow();

/** Changes columns and returns the row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>): Promise<Row> =>
  db
    .updateTable("content_installation")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Which rows end: one, those of an installation, or those on a space or site that an organization had. */
export type Ending =
  | { id: string }
  | { installation: string }
  | { kind: Kind; content: string; organization: string };

/** Takes rows out of sight; they are gone for good when the event of their removal is delivered. */
export function retire({ db }: Ctx, which: Ending): Promise<Row[]> {
  const query = db
    .updateTable("content_installation")
    .set({ deleted_at: sql`now()` })
    .where("deleted_at", "is", null);
  const chosen =
    "id" in which
      ? query.where("id", "=", which.id)
      : "installation" in which
        ? query.where("installation", "=", which.installation)
        : query
            .where("kind", "=", which.kind)
            .where("content", "=", which.content)
            .where("organization", "=", which.organization);
  return chosen.returning(COLUMNS).execute();
}

/**
 * Finds some with their sealed signing secrets and the names of their integrations, also those that were removed and wait
 * for their last delivery.
 */
export async function forDelivery({ db }: Ctx, ids: string[]) {
  const own = db
    .selectFrom("content_installation")
    .select([...COLUMNS, "signing_secret"])
    .where("id", "=", anyOf(ids));
  return db
    .selectFrom(own.as("of"))
    .innerJoin("integration", "integration.id", "of.integration")
    .selectAll("of")
    .select("integration.name")
    .execute();
}

/** Deletes one that was removed. */
export const purge = ({ db }: Ctx, id: string) =>
  db.deleteFrom("content_installation").where("id", "=", id).where("deleted_at", "is not", null).execute();
