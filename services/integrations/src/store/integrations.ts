import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Manifest, Scope } from "../schemas/manifest.js";
import type { Ctx } from "../trpc.js";

const COLUMNS = [
  "id",
  "name",
  "organization",
  "version",
  "title",
  "description",
  "summary",
  "visibility",
  "target",
  "verified",
  "scopes",
  "categories",
  "blocks",
  "content_sources",
  "configurations",
  "external_links",
  "content_security_policy",
  "icon",
  "preview_images",
] as const;

/** What may be shown of an integration, which leaves out its secrets. */
export type Row = Pick<Selectable<Database["integration"]>, (typeof COLUMNS)[number]>;

const live = ({ db }: Ctx) => db.selectFrom("integration").where("deleted_at", "is", null);

/** Finds a live integration by name. */
export const find = (ctx: Ctx, name: string): Promise<Row | undefined> =>
  live(ctx).select(COLUMNS).where("name", "=", name).executeTakeFirst();

/** Finds an integration, one that was removed and waits for its last deliveries too. */
export const findById = ({ db }: Ctx, id: string): Promise<Row | undefined> =>
  db.selectFrom("integration").select(COLUMNS).where("id", "=", id).executeTakeFirst();

/** Finds integrations with their sealed secrets, tunnels, and generations of their scripts; those that were removed too. */
export const forDelivery = ({ db }: Ctx, ids: string[]) =>
  db
    .selectFrom("integration")
    .innerJoin("script", "script.integration", "integration.id")
    .select(COLUMNS)
    .select(["secrets", "signing_secret", "tunnel_url", "tunnel_all", "script.runtime as generation"])
    .where("id", "=", anyOf(ids))
    .execute();

export type ForDelivery = Awaited<ReturnType<typeof forDelivery>>[number];

/** Keeps others from removing (`share`) or from using (`update`) the integration until the transaction ends. */
export function lock(ctx: Ctx, name: string, how: "share" | "update" = "share") {
  const query = live(ctx).select("id").where("name", "=", name);
  return (how === "share" ? query.forShare() : query.forUpdate()).executeTakeFirst();
}

type New = Insertable<Database["integration"]>;
export type Publication = Omit<New, "visibility"> & { visibility?: Manifest["visibility"] };

/** All that are given hold. */
interface Filters {
  /** A part of the name, in any case. */
  search?: string;
  category?: Manifest["categories"][number];
  blockDomain?: string;
  blocks?: boolean;
  contentSources?: boolean;
  /** An organization. */
  owner?: string;
  scope?: Scope;
  target?: Manifest["target"];
}

/** Selects the public integrations that match all filters. */
export function published(ctx: Ctx, filters: Filters) {
  const query = live(ctx).select(COLUMNS).where("visibility", "=", "public");
  return filtered(query, filters);
}

/** Selects what an organization may install, and what it publishes, by the same filters. */
export function availableTo(ctx: Ctx, organization: string, filters: Filters) {
  const query = live(ctx)
    .select(COLUMNS)
    .where(({ or, eb }) => or([eb("visibility", "=", "public"), eb("organization", "=", organization)]));
  return filtered(query, filters);
}

/** The integrations with these ids, those that were removed among them. */
export const byIds = ({ db }: Ctx, ids: string[]): Promise<Row[]> =>
  db.selectFrom("integration").select(COLUMNS).where("id", "=", anyOf(ids)).execute();

/** One space or site of an organization. */
export interface ContentTarget {
  kind: "space" | "site";
  content: string;
  organization: string;
}

/**
 * The active installations at a place, by integration: where one is installed on the place itself, that is what counts,
 * else whether it works in all such places.
 */
const activeAt = ({ kind, content, organization }: ContentTarget) => sql<{ integration: string }>`
  select i.integration, i.id as installation, i.accepted_scopes from installation i
  left join content_installation c
    on c.installation = i.id and c.kind = ${kind} and c.content = ${content} and c.deleted_at is null
  where i.organization = ${organization} and i.deleted_at is null and i.status = 'active'
    and coalesce(c.status = 'active', i.${sql.ref(`${kind}_selection`)} = 'all')`;

/** Selects the integrations at work at a place; those whose name has a text in it, if one is given. */
export function atWork(ctx: Ctx, place: ContentTarget, search?: string) {
  const query = live(ctx)
    .select(COLUMNS)
    .where("target", "in", ["all" as const, place.kind])
    .where(sql<boolean>`id in (select integration from (${activeAt(place)}) as active)`);
  return filtered(query, { search });
}

/** The integrations at work at a place that have a scope there, with the installation by which they are. */
export async function injectingAt({ db }: Ctx, place: ContentTarget, scope: Scope) {
  const { rows } = await sql<{
    name: string;
    installation: string;
    scopes: string[];
    content_security_policy: Row["content_security_policy"];
  }>`select * from (select name, installation, content_security_policy,
        case when accepted_scopes is null or organization = ${place.organization} then scopes
          else array(select unnest(scopes) intersect select unnest(accepted_scopes)) end as scopes
      from (${activeAt(place)}) as active join integration on integration.id = active.integration
      where deleted_at is null and target in ('all', ${place.kind}) and scopes @> ${[scope]}::text[]) as declared
    where scopes @> ${[scope]}::text[] order by name limit 1000`.execute(db);
  return rows;
}

function filtered(query: SelectQueryBuilder<Database, "integration", Row>, filters: Filters) {
  const { search, category, blockDomain, blocks, contentSources, owner, scope, target } = filters;
  return query
    .$if(search !== undefined, (of) =>
      of.where(sql<boolean>`strpos(lower(name), ${search!.toLowerCase()}) > 0`),
    )
    .$if(category !== undefined, (of) => of.where(sql<boolean>`categories @> ${[category]}::text[]`))
    .$if(scope !== undefined, (of) => of.where(sql<boolean>`scopes @> ${[scope]}::text[]`))
    .$if(blockDomain !== undefined, (of) =>
      of.where(sql<boolean>`block_domains && ${domainsOver(blockDomain!)}::text[]`),
    )
    .$if(blocks !== undefined, (of) => of.where("blocks", blocks ? "is not" : "is", null))
    .$if(contentSources !== undefined, (of) =>
      of.where("content_sources", contentSources ? "is not" : "is", null),
    )
    .$if(owner !== undefined, (of) => of.where("organization", "=", owner!))
    .$if(target !== undefined, (of) => of.where("target", "=", target!));
}

/** The domain itself, and the patterns that hold it: `a.b.c` is also in `*.b.c` and `*.c`. */
function domainsOver(domain: string): string[] {
  const labels = domain.toLowerCase().split(".");
  return [labels.join("."), ...labels.slice(1).map((_, at) => `*.${labels.slice(at + 1).join(".")}`)];
}

/**
 * Publishes the first version of a name, or the next one of its own organization. Returns undefined when the name is
 * another's. Two publications at once get two versions.
 */
export function publish({ db }: Ctx, row: Publication): Promise<Row | undefined> {
  const { id, name, organization, signing_secret, visibility, ...rest } = row;
  return db
    .insertInto("integration")
    .values({ ...row, visibility: visibility ?? "private" })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .where("deleted_at", "is", null)
        .doUpdateSet({
          ...rest,
          ...(visibility && { visibility }),
          version: sql`integration.version + 1`,
          updated_at: sql`now()`,
        })
        .where("integration.organization", "=", organization),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Stores the script of an integration in place of an earlier one. */
export async function saveScript({ db }: Ctx, integration: string, runtime: "v1" | "v2", source: string) {
  await db
    .insertInto("script")
    .values({ integration, runtime, source })
    .onConflict((conflict) => conflict.column("integration").doUpdateSet({ runtime, source }))
    .execute();
}

/** The source of the script of an integration, and the version that it is of. */
export const script = ({ db }: Ctx, integration: string) =>
  db
    .selectFrom("script")
    .innerJoin("integration", "integration.id", "script.integration")
    .select(["source", "version"])
    .where("id", "=", integration)
    .executeTakeFirstOrThrow();

/** Makes these the assets of an integration: earlier ones go, for nothing names them any more. */
export async function saveAssets(
  { db }: Ctx,
  integration: string,
  assets: { name: string; bytes: Buffer }[],
) {
  const names = assets.map(({ name }) => name);
  await db
    .deleteFrom("asset")
    .where("integration", "=", integration)
    .where(sql<boolean>`name <> all(${names}::text[])`)
    .execute();
  for (const { name, bytes } of assets) {
    await db
      .insertInto("asset")
      .values({ integration, name, bytes })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The bytes of an asset by the name of its integration. */
export const asset = ({ db }: Pick<Ctx, "db">, integrationName: string, name: string) =>
  db
    .selectFrom("asset")
    .innerJoin("integration", "integration.id", "asset.integration")
    .select("bytes")
    .where("integration.name", "=", integrationName)
    .where("integration.deleted_at", "is", null)
    .where("asset.name", "=", name)
    .executeTakeFirst();

/** Takes an integration out of sight; it is gone for good when its last event is delivered. */
export const retire = ({ db }: Ctx, id: string) =>
  db.updateTable("integration").set({ deleted_at: sql`now()` }).where("id", "=", id).execute();

/** Those of some integrations that were removed. */
export async function retiredAmong({ db }: Ctx, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("integration")
    .select("id")
    .where("id", "=", anyOf(ids))
    .where("deleted_at", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes what was retired and waits for no delivery. Who asks takes turns, so that the last one sees that it is. */
export async function purge({ db }: Ctx, id: string): Promise<void> {
  const retired = db
    .selectFrom("integration")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is not", null);
  if (!(await retired.forUpdate().executeTakeFirst())) return;
  const waiting = db
    .selectFrom("event")
    .select("id")
    .where("integration", "=", id)
    .where("status", "is", null);
  await db
    .deleteFrom("integration")
    .where("id", "=", id)
    .where(({ not, exists }) => not(exists(waiting)))
    .execute();
}
