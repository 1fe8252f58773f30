import { type Insertable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

/** Inserts tokens of integrations. */
export async function insert({ db }: Ctx, rows: Insertable<Database["token"]>[]) {
  await db.insertInto("token").values(rows).execute();
}

/** What an unexpired token stands for, as long as its integration and installation are there. */
export const find = ({ db }: Ctx, hash: Buffer) =>
  db
    .selectFrom("token")
    .innerJoin("integration", "integration.id", "token.integration")
    .leftJoin("installation", "installation.id", "token.installation")
    .select([
      "integration.name",
      "integration.organization as owner",
      "integration.scopes",
      "installation.id as installation",
      "installation.organization",
      "installation.status",
      "installation.space_selection",
      "installation.site_selection",
      "installation.accepted_scopes",
      "token.expires_at",
    ])
    .where("token.hash", "=", hash)
    .where("token.expires_at", ">", sql<string>`now()`)
    .where("integration.deleted_at", "is", null)
    .where("installation.deleted_at", "is", null)
    .executeTakeFirst();

export type Found = NonNullable<Awaited<ReturnType<typeof find>>>;

/** Of which places of an installation: all but some, or some alone; and the one that has to be among them. */
export interface ReachOf {
  installation: string;
  kind: "space" | "site";
  all: boolean;
  named?: string;
}

/**
 * The places on which an installation is installed by itself and that make a difference: those where it is not at work
 * when it works in all, else those where it is. The one named comes first.
 */
export async function exceptions({ db }: Ctx, of: ReachOf, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("content_installation")
    .select("content")
    .where("installation", "=", of.installation)
    .where("kind", "=", of.kind)
    .where("deleted_at", "is", null)
    .where("status", of.all ? "<>" : "=", "active")
    .orderBy(sql`content = ${of.named ?? ""}`, "desc")
    .orderBy("content")
    .limit(most)
    .execute();
  return rows.map(({ content }) => content);
}

/** Removes up to `most` of the tokens that have expired; returns how many. */
export async function dropExpired({ db }: Ctx, most: number): Promise<number> {
  const expired = db
    .selectFrom("token")
    .select("hash")
    .where("expires_at", "<", sql<string>`now()`)
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom("token").where("hash", "in", expired).executeTakeFirst();
  return Number(numDeletedRows);
}
