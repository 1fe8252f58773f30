import { roleIn } from "@octavo/shared/access";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { type Access, administersAny } from "./level.js";

// Who changes what decides on access to a space or collection (its owner, place, default level, grants) locks its row to
// change it. Whoever relies on access locks the same rows to use them, with a lock that others who use them share, and
// that counters and new revisions do not touch. So what was allowed stays allowed until it is done.

/** A space or a collection. */
export interface Target {
  kind: "space" | "collection";
  id: string;
}

export type Strength = "use" | "change";

const LOCKS = { use: sql.raw("for key share"), change: sql.raw("for update") };

/** Locks the rows of spaces and collections until the transaction ends; spaces first, inner collections before outer. */
export async function lockRows({ db }: Pick<Ctx, "db">, ids: string[], strength: Strength): Promise<void> {
  if (ids.length === 0) return;
  await sql`select 1 from space where id = any(${ids}) order by id ${LOCKS[strength]}`.execute(db);
  await lockCollections({ db }, ids, strength);
}

const lockCollections = ({ db }: Pick<Ctx, "db">, ids: string[], strength: Strength) =>
  sql`select 1 from collection where id = any(${ids})
    order by cardinality(ancestors) desc, id ${LOCKS[strength]}`.execute(db);

/**
 * Reads a space or a collection under a lock of its own and of the collections around it, so that what decides on
 * access stays as it was read until the transaction ends. Undefined when `read` finds nothing.
 */
export async function readLocked<Row extends Access>(
  ctx: Ctx,
  { kind, id }: Target,
  strength: Strength,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!ctx.db.isTransaction) throw new Error(`A lock of the ${kind} needs a transaction`);
  const { rows } = await sql<{ parent: string | null }>`
    select parent from ${sql.table(kind)} where id = ${id} ${LOCKS[strength]}`.execute(ctx.db);
  const parent = rows[0]?.parent ?? null;
  const locked = new Set([id]);
  if (parent !== null && !administersAny(ctx.caller)) {
    for (const above of await lockAbove(ctx, parent)) locked.add(above);
  }
  for (;;) {
    const row = await read();
    if (!row || roleIn(ctx.caller, row.organization) === "admin") return row;
    const missing = row.containers.map((container) => container.id).filter((above) => !locked.has(above));
    if (missing.length === 0) return row;
    await lockCollections(ctx, missing, "use");
    for (const above of missing) locked.add(above);
  }
}

async function lockAbove({ db }: Ctx, parent: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from collection where id = any((select ancestors || id from collection where id = ${parent})::text[])
    order by cardinality(ancestors) desc, id for key share`.execute(db);
  return rows.map(({ id }) => id);
}
