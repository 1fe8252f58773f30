import { sql } from "kysely";
import { GRACE_MS } from "../store/grace.js";
import type { Ctx } from "../trpc.js";
import { suspect } from "./contents.js";

/**
 * Removes up to `most` uploads to which nothing has referred in their time of grace, and has what came in for them
 * checked. Returns how many there were.
 */
export async function forgetUnused({ db, clock }: Pick<Ctx, "db" | "clock">, most: number): Promise<number> {
  const before = new Date(clock().getTime() - GRACE_MS);
  const { rows } = await sql<{ content: string | null }>`delete from storage_upload where id in (
      select id from storage_upload where taken_at is null and created_at < ${before}
      order by created_at limit ${most} for update skip locked)
    returning content`.execute(db);
  const contents = rows.flatMap(({ content }) => content ?? []);
  await suspect({ db, clock }, [...new Set(contents)]);
  return rows.length;
}
