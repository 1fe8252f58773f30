import { transact } from "@octavo/shared/database/transact";
import { sql } from "kysely";
import { versionOfRevision } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { recordReferences, SOURCES, TEXT } from "./record.js";

/**
 * References of a space whose texts are older than the references: they are kept at the first occasion, in the
 * caller's transaction. Each text is read as it stood in the revision that brought it.
 */
export async function completeReferences(ctx: Ctx, space: string): Promise<void> {
  const pending = await ctx.db
    .deleteFrom("reference_pending")
    .where("space", "=", space)
    .returning("space")
    .executeTakeFirst();
  if (!pending) return;
  const { rows } = await sql<{ revision: string; ids: string[] }>`
    select v.id as revision, array_agg(distinct t.id) as ids from (
      select distinct on (e.id, ${TEXT}) e.branch, e.id, e.from_seq from entry e
      join branch b on b.id = e.branch and b.space = ${space}
      where ${SOURCES} and not e.removed order by e.id, ${TEXT}, e.branch <> ${space}, e.from_seq) t
    join revision v on v.branch = t.branch and v.seq = t.from_seq
    group by v.id order by v.id`.execute(ctx.db);
  for (const { revision, ids } of rows) {
    const sources = ids.map((id) => ({ id }));
    await recordReferences(ctx, await versionOfRevision(ctx, space, revision), sources);
  }
}

/** About how many bytes it takes to remember that the references of a space are complete. */
const COMPLETE_SIZE = 200;

/**
 * Records the references of a space that are not recorded yet, before a read, which has no transaction. Once they are
 * complete they stay so: whoever changes a text records what it refers to.
 */
export async function whenComplete(ctx: Ctx, space: string): Promise<void> {
  if (areComplete(ctx, space)) return;
  const pending = await ctx.db
    .selectFrom("reference_pending")
    .select("space")
    .where("space", "=", space)
    .executeTakeFirst();
  if (pending) await transact(ctx, (ctx) => completeReferences(ctx, space));
  if (!ctx.db.isTransaction)
    ctx.cache.set(nameOf(space), { revision: "", value: COMPLETE }, { size: COMPLETE_SIZE });
}

/** Whether it is remembered that all references of a space are recorded. */
export const areComplete = ({ cache }: Ctx, space: string): boolean => cache.has(nameOf(space));

const nameOf = (space: string) => `${space} references complete`;

const COMPLETE = {};
