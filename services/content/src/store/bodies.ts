import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** The name of a text in the store: SHA-256 in base64url. */
export const hashOf = (content: string | Buffer) => createHash("sha256").update(content).digest("base64url");

/** Keeps texts, each once for a space, and answers their hashes in the same order. */
export async function keepBodies(ctx: Ctx, space: string, texts: string[]): Promise<string[]> {
  const hashes = texts.map(hashOf);
  const unique = new Map(hashes.map((hash, index) => [hash, texts[index]!]));
  if (unique.size > 0) {
    await sql`insert into body (space, hash, markdown)
      select ${space}, t.hash, t.markdown from unnest(${[...unique.keys()]}::text[], ${[...unique.values()]}::text[])
      as t (hash, markdown) on conflict do nothing`.execute(ctx.db);
  }
  return hashes;
}

/** The texts with the given hashes; a hash that the space does not have is left out. */
export async function bodiesOf(
  ctx: Pick<Ctx, "db">,
  space: string,
  hashes: string[],
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom("body")
    .select(["hash", "markdown"])
    .where("space", "=", space)
    .where("hash", "=", sql<string>`any(${[...new Set(hashes)]})`)
    .execute();
  return new Map(rows.map(({ hash, markdown }) => [hash, markdown]));
}

/** The id that git gives a file with this content. */
export function blobOid(content: string | Buffer): string {
  const bytes = Buffer.from(content);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
