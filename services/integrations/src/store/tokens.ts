import { type Insertable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

/** Inserts a token of an integration. */
export async function insert({ db }: Ctx, row: Insertable<Database["token"]>) {
  await db.insertInto("token").values(row).execute();
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
      "token.expires_at",
    ])
    .where("token.hash", "=", hash)
    .where("token.expires_at", ">", sql<string>`now()`)
    .where("integration.deleted_at", "is", null)
    .where("installation.deleted_at", "is", null)
    .executeTakeFirst();

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
