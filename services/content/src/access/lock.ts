import { roleIn } from "@octavo/shared/contracts/callers";
import { atLeast, type Level } from "@octavo/shared/contracts/roles";
import { refuse } from "@octavo/shared/errors";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { type Access, administers, administersAny, levelOn, memberOf } from "./level.js";

// Who changes what decides on access to a space or collection (its owner, place, default level, grants) locks its row to
// change it. Whoever relies on access locks the same rows to use them, with a lock that others who use them share, and
// that counters and new revisions do not touch. So what was allowed stays allowed until it is done.

/** A space or a collection. */
export interface Target {
  kind: "space" | "collection";
  id: string;
}

export type Strength = "use" | "change";

/** How something is locked. */
export interface Locking {
  /** `change` by default. */
  strength?: Strength;
  /** Whether the caller has waited before, for another lock or a network: then orgs is asked for their rights once more. */
  hasWaited?: boolean;
}

const LOCKS = { use: sql.raw("for key share"), change: sql.raw("for update") };

/** Locks the rows of spaces and collections until the transaction ends; spaces first, inner collections before outer. */
export async function lockRows({ db }: Pick<Ctx, "db">, ids: string[], strength: Strength): Promise<void> {
  await sql`select 1 from space where id = any(${ids}) order by id ${LOCKS[strength]}`.execute(db);
  await sql`select 1 from collection where id = any(${ids})
    order by cardinality(ancestors) desc, id ${LOCKS[strength]}`.execute(db);
}

/**
 * Reads a space or a collection under a lock of its own and of the collections around it, so that what decides on
 * access stays as it was read until the transaction ends. Undefined when `read` finds nothing. A caller who had to wait,
 * here or before (`hasWaited`), may have lost rights in orgs meanwhile: undefined for who is no member any more, 409 for
 * who may do less.
 */
export async function readLocked<Row extends Access>(
  ctx: Ctx,
  { kind, id }: Target,
  read: (ctx: Ctx) => Promise<Row | undefined>,
  { strength = "change", hasWaited = false, lockFree }: Locking & Free<Row> = {},
): Promise<Row | undefined> {
  if (!ctx.db.isTransaction) throw new Error(`A lock of the ${kind} needs a transaction`);
  if (lockFree && !hasWaited && administersAny(ctx.caller)) {
    const row = await lockFree(ctx);
    if (row && administers(ctx.caller, row.organization)) return row;
  }
  const locks = { ctx, hasWaited };
  const [thing] = await lockWhere<{ parent: string | null }>(locks, {
    rows: sql`select parent from ${sql.table(kind)} where id = ${id}`,
    strength,
    isWhole: ({ length }) => length > 0,
  });
  const locked = new Set([id]);
  if (thing && thing.parent !== null && !administersAny(ctx.caller)) {
    for (const above of await lockAbove(locks, thing.parent)) locked.add(above);
  }
  for (;;) {
    const row = await read(ctx);
    const missing = row?.containers.map((container) => container.id).filter((above) => !locked.has(above));
    if (!row || administers(ctx.caller, row.organization) || missing!.length === 0)
      return row && locks.hasWaited ? stillAllowed(ctx, row, read) : row;
    await lockWhere(locks, {
      rows: sql`select id from collection where id = any(${missing})
        order by cardinality(ancestors) desc, id`,
      strength: "use",
      isWhole: ({ length }) => length === missing!.length,
    });
    for (const above of missing!) locked.add(above);
  }
}

interface Free<Row> {
  /** Locks and reads the row by one statement, which finds none while others hold it: of it alone an administrator needs a lock. */
  lockFree?: (ctx: Ctx) => Promise<Row | undefined>;
}

interface Locks {
  ctx: Ctx;
  /** Whether others held some of the rows. */
  hasWaited: boolean;
}

interface Wanted<Row> {
  rows: RawBuilder<Row>;
  strength: Strength;
  /** Whether these are all the rows, or none of them is held by others. */
  isWhole: (rows: Row[]) => boolean;
}

/** Locks rows, and notes when that took waiting for others. */
async function lockWhere<Row>(locks: Locks, { rows, strength, isWhole }: Wanted<Row>): Promise<Row[]> {
  const { db } = locks.ctx;
  const free = await sql<Row>`${rows} ${LOCKS[strength]} skip locked`.execute(db);
  if (isWhole(free.rows)) return free.rows;
  locks.hasWaited = true;
  return (await sql<Row>`${rows} ${LOCKS[strength]}`.execute(db)).rows;
}

async function lockAbove(locks: Locks, parent: string): Promise<string[]> {
  const rows = await lockWhere<{ id: string; all: number }>(locks, {
    rows: sql`select id, (select cardinality(ancestors) + 1 from collection where id = ${parent}) as all
      from collection where id = any((select ancestors || id from collection where id = ${parent})::text[])
      order by cardinality(ancestors) desc, id`,
    strength: "use",
    isWhole: (rows) => rows.length > 0 && rows.length === rows[0]!.all,
  });
  return rows.map(({ id }) => id);
}

/** What was read, if the caller, as a member as orgs has it now, may do as much with it. */
async function stillAllowed<Row extends Access>(
  ctx: Ctx,
  row: Row,
  read: (ctx: Ctx) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const { caller } = ctx;
  const { organization } = row;
  if (caller.kind !== "user" || roleIn(caller, organization) === undefined) return row;
  const membership = await ctx.orgs.membership(ctx, organization, caller);
  if (!membership) return undefined;
  const now = memberOf(organization, membership);
  const again = await read({ ...ctx, caller: now });
  if (again && isAtLeast(levelOn(now, again), levelOn(caller, row))) return row;
  refuse("CONFLICT", "Permission: changed while the request waited, send it again", {
    reason: "permission_changed",
  });
}

/** Whether one level lets do all that the other does. */
const isAtLeast = (level: Level, other: Level): boolean =>
  other === undefined || (other === null ? level !== undefined : atLeast(level, other));
