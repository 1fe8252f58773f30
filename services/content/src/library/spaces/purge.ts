import { SpacePurged } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { sql } from "kysely";
import { RETENTION_MS } from "../../access/load-space.js";
import { auditSpace } from "../../audit.js";
import { forgetFiles } from "../../computed/keep.js";
import { suspect } from "../../files/contents.js";
import { collectStored } from "../../files/jobs.js";
import type { Ctx } from "../../trpc.js";
import { type Dependent, dependentsOfSpaces } from "./dependents.js";

interface Options {
  /** Rows of a transaction at most. */
  batch?: number;
  signal?: Pick<AbortSignal, "throwIfAborted">;
}

/** Up to `most` spaces whose time in the trash is over, those that have waited longest first. */
export async function dueSpaces({ db, clock }: Pick<Ctx, "db" | "clock">, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("space")
    .select("id")
    .where("deleted_at", "<=", lastDeletion(clock()))
    .orderBy("deleted_at")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

const lastDeletion = (now: Date) => new Date(now.getTime() - RETENTION_MS).toISOString();

/**
 * Removes a space for good, with all that hangs on it, batch by batch. The space itself goes last, together with the
 * event and the audit record: a purge that was cut short goes on where it was. Nothing happens to a space that is not in the
 * trash, or not for long enough.
 */
export async function purge(ctx: Ctx, space: string, { batch = 1000, signal }: Options = {}): Promise<void> {
  if (!(await begin(ctx, space))) return;
  while (await transact(ctx, (ctx) => forgetFiles(ctx, space))) signal?.throwIfAborted();
  for (const dependent of await dependentsOfSpaces(ctx)) {
    while (await removeBatch(ctx, space, dependent, batch)) signal?.throwIfAborted();
  }
  do {
    while (await removeEntries(ctx, space, batch)) signal?.throwIfAborted();
  } while (!(await removeSpace(ctx, space)));
}

/** Marks the space: from here on no clock of another process brings it back. */
async function begin({ db, clock }: Ctx, space: string): Promise<boolean> {
  const now = clock();
  const begun = await db
    .updateTable("space")
    .set({ purging_at: sql`coalesce(purging_at, ${now})` })
    .where("id", "=", space)
    .where((is) => is.or([is("purging_at", "is not", null), is("deleted_at", "<=", lastDeletion(now))]))
    .returning("id")
    .executeTakeFirst();
  return begun !== undefined;
}

async function removeBatch({ db }: Ctx, space: string, { table, column }: Dependent, most: number) {
  const [from, where] = [sql.raw(table), sql.raw(column)];
  const { numAffectedRows } = await sql`delete from ${from} where ctid = any(array(
    select ctid from ${from} where ${where} = ${space} limit ${most}))`.execute(db);
  return numAffectedRows! > 0n;
}

/**
 * Removes entries of one branch, and the branch when it has no more. The branch is locked, so that nobody commits to it
 * meanwhile. Contents of files that lose an entry are to be checked. False when there is no branch left.
 */
function removeEntries(ctx: Ctx, space: string, most: number): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const branches = ctx.db.selectFrom("branch").select("id").where("space", "=", space);
    const branch = await branches.orderBy("id").limit(1).forUpdate().executeTakeFirst();
    if (!branch) return false;
    const { rows } = await sql<{ count: number; files: string[] }>`
      with gone as (
        delete from entry where ctid = any(array(
          select ctid from entry where branch = ${branch.id} limit ${most})) returning kind, body)
      select count(*)::int as count,
        coalesce(array_agg(distinct body) filter (where kind = 'file' and body is not null), '{}') as files
      from gone`.execute(ctx.db);
    const { count, files } = rows[0]!;
    await suspect(ctx, files);
    if (count < most) await ctx.db.deleteFrom("branch").where("id", "=", branch.id).execute();
    return true;
  });
}

/** Removes what is left of a space without branches; false when it has got one in the meantime. */
function removeSpace(ctx: Ctx, id: string): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const { db } = ctx;
    const space = await db
      .selectFrom("space")
      .select(["organization", "title", "deleted_at"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!space) return true;
    const branch = await db.selectFrom("branch").select("id").where("space", "=", id).executeTakeFirst();
    if (branch) return false;
    const { organization, title, deleted_at } = space;
    await db.deleteFrom("content_grant").where("target", "=", id).execute();
    await db.deleteFrom("audience").where("space", "=", id).execute();
    await db.deleteFrom("space").where("id", "=", id).execute();
    await emit(ctx, SpacePurged, id, { space: id, organization });
    await auditSpace(ctx, "space.purge", { id, organization }, { title, deletedAt: deleted_at });
    await enqueue(ctx, collectStored, {}, { key: "files.collect after a purge" });
    return true;
  });
}
