import { sql } from "kysely";
import { entriesOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** Whether the primary content of a space has a page. */
export async function hasPages({ db }: Ctx, space: string): Promise<boolean> {
  const pages = entriesOf({ branch: space }, sql`e.kind = 'page'`);
  const { rows } = await sql<{ some: boolean }>`select exists (${pages}) as some`.execute(db);
  return rows[0]!.some;
}
