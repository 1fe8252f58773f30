import type { Caller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { transact } from "@octavo/shared/database/transact";
import { describe as describeError } from "@octavo/shared/errors";
import type { ControlledTransaction } from "kysely";
import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../db/database.js";
import { contentTest } from "../testing/content.js";
import { waitsFor } from "../testing/locks.js";
import type { Ctx } from "../trpc.js";
import * as collections from "./load-collection.js";
import * as spaces from "./load-space.js";
import { lockOrder } from "./lock-order.js";

const t = await contentTest();
afterAll(t.drop);
beforeEach(() => t.directory.clear());

const organizationId = "acme";
const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });
const eve = (role: Role | null, more: Record<string, Role> = {}) =>
  t.user({ acme: role, ...more }, { id: "eve" });
const stranger = t.user({ beta: "admin" }, { id: "sam" });

const newCollection = async (parent?: string) =>
  (await admin.collections.create({ organizationId, parent })).id;
const newSpace = async (parent?: string) => (await admin.spaces.create({ organizationId, parent })).id;

/** What a call in a transaction of the caller comes to: what it returns, or its status and message. */
const outcome = <Result>(caller: Caller, call: (ctx: Ctx) => Promise<Result>) =>
  transact(t.context(caller), call).then(
    (result) => result,
    (error: unknown) => {
      const { code, message } = describeError(error);
      return `${code} ${message}`;
    },
  );

/** Runs work while a transaction of its own is open. */
async function beside<Result>(
  work: (db: ControlledTransaction<Database>) => Promise<Result>,
): Promise<Result> {
  const transaction = await t.db.startTransaction().execute();
  try {
    return await work(transaction);
  } finally {
    if (!transaction.isCommitted) await transaction.rollback().execute();
  }
}

/** Which of the rows others could lock now. */
async function free(table: "space" | "collection", ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where id = any(${ids}) for key share skip locked`.execute(t.db);
  return rows.map(({ id }) => id);
}

test("a space and a collection are loaded for who may read them, and are 404 to all others", async () => {
  const collection = await newCollection();
  const space = await newSpace(collection);
  for (const role of ["read", "admin"] as const) {
    expect(await outcome(eve(role), (ctx) => spaces.loadSpace(ctx, space))).toMatchObject({ id: space });
    expect(await outcome(eve(role), (ctx) => collections.loadCollection(ctx, collection))).toMatchObject({
      id: collection,
    });
  }
  for (const caller of [eve(null), stranger]) {
    expect(await outcome(caller, (ctx) => spaces.loadSpace(ctx, space))).toBe("NOT_FOUND Space: not found");
    expect(await outcome(caller, (ctx) => collections.loadCollection(ctx, collection))).toBe(
      "NOT_FOUND Collection: not found",
    );
  }
});

test("a lock of a space that may be gone finds nothing there, and refuses who may do too little", async () => {
  const [space, trashed] = [await newSpace(), await newSpace()];
  await admin.spaces.remove({ spaceId: trashed });
  const locked = (caller: Caller, id: string) =>
    outcome(caller, async (ctx) => (await spaces.lockSpaceIfAny(ctx, id, "space.admin"))?.id);
  expect(await locked(eve("create"), space)).toBe(space);
  for (const id of [trashed, "nothing"]) expect(await locked(eve("create"), id)).toBeUndefined();
  expect(await locked(eve("review"), space)).toBe("FORBIDDEN Space: needs the role create");
  expect(await locked(stranger, space)).toBe("NOT_FOUND Space: not found");
});

const DAY_MS = 86_400_000;

test("a space in the trash is there for who may restore it, for seven days to the millisecond", async () => {
  const space = await newSpace();
  await admin.spaces.remove({ spaceId: space });
  const { deleted_at } = await t.db
    .selectFrom("space")
    .select("deleted_at")
    .where("id", "=", space)
    .executeTakeFirstOrThrow();
  const found = (role: Role, afterMs: number) =>
    outcome(eve(role), async (given) => {
      const ctx = { ...given, clock: () => new Date(Date.parse(deleted_at!) + afterMs) };
      const [read, locked] = [
        await spaces.loadAnySpace(ctx, space, "space.access"),
        await spaces.lockAnySpace(ctx, space, "space.admin"),
      ];
      return [read.id, locked.id];
    });
  expect(await found("create", 7 * DAY_MS - 1)).toEqual([space, space]);
  expect(await found("create", 7 * DAY_MS)).toBe("NOT_FOUND Space: not found");
  expect(await found("review", 1)).toBe("NOT_FOUND Space: not found");
  await t.db.updateTable("space").set({ purging_at: deleted_at }).where("id", "=", space).execute();
  expect(await found("create", 1)).toBe("NOT_FOUND Space: not found");
});

test("who waited for the order of an organization, and has left it by then, finds nothing", async () => {
  const collection = await newCollection();
  const space = await newSpace(collection);
  const locked = (role: Role) => [
    outcome(eve(role), (ctx) => spaces.lockSpaceInOrder(ctx, space, "space.admin")),
    outcome(eve(role), (ctx) => collections.lockCollectionInOrder(ctx, collection, "collection.admin")),
  ];
  expect(await Promise.all(locked("create"))).toMatchObject([{ id: space }, { id: collection }]);
  t.directory.leave("acme", "eve");
  expect(await Promise.all(locked("create"))).toEqual([
    "NOT_FOUND Space: not found",
    "NOT_FOUND Collection: not found",
  ]);
});

test("a thing that is transferred while a change of its place waits is 409, for who may do as much there", async () => {
  const space = await newSpace();
  await beside(async (db) => {
    await lockOrder({ ...t.ctx, db }, "acme");
    const moving = outcome(eve("create", { beta: "create" }), (ctx) =>
      spaces.lockSpaceInOrder(ctx, space, "space.admin"),
    );
    expect(await waitsFor(t.db, db, moving)).toBe(true);
    await db.updateTable("space").set({ organization: "beta" }).where("id", "=", space).execute();
    await db.commit().execute();
    expect(await moving).toBe("CONFLICT Space: was transferred in the meantime");
  });
});

test("a transfer waits for the order of both organizations, any other change of place for that of its own", async () => {
  const collection = await newCollection();
  const space = await newSpace(collection);
  const both = eve("create", { beta: "create" });
  const moves = (to?: string) => [
    outcome(both, (ctx) => spaces.lockSpaceInOrder(ctx, space, "space.admin", { to })),
    outcome(both, (ctx) => collections.lockCollectionTree(ctx, collection, "collection.admin", { to })),
  ];
  await beside(async (db) => {
    await lockOrder({ ...t.ctx, db }, "beta");
    for (const move of moves()) expect(await waitsFor(t.db, db, move)).toBe(false);
    const waiting = moves("beta");
    for (const move of waiting) expect(await waitsFor(t.db, db, move)).toBe(true);
    await db.commit().execute();
    await Promise.all(waiting);
  });
});

test("who may not change a place is refused without waiting for the order", async () => {
  const space = await newSpace();
  await beside(async (db) => {
    await lockOrder({ ...t.ctx, db }, "acme");
    const refused = outcome(stranger, (ctx) => spaces.lockSpaceInOrder(ctx, space, "space.admin"));
    expect(await waitsFor(t.db, db, refused)).toBe(false);
    expect(await refused).toBe("NOT_FOUND Space: not found");
  });
});

test("the orders of organizations are locked one after the other, in one order whoever names them", async () => {
  await beside(async (holder) => {
    await lockOrder({ ...t.ctx, db: holder }, "a");
    const waiting = transact(t.ctx, (ctx) => lockOrder(ctx, "b", "a", "b"));
    expect(await waitsFor(t.db, holder, waiting)).toBe(true);
    await beside((db) => lockOrder({ ...t.ctx, db }, "b"));
    await holder.commit().execute();
    await waiting;
  });
});

test("a collection is locked with all that lies in it, however deep, and in the trash", async () => {
  const outer = await newCollection();
  const inner = await newCollection(outer);
  const [one, two, beside] = [await newSpace(outer), await newSpace(inner), await newSpace()];
  const trashed = await newSpace(inner);
  await admin.spaces.remove({ spaceId: trashed });
  const all = { spaces: [one, two, trashed].sort(), collections: [inner, outer].sort() };
  await transact(t.context(eve("create")), async (ctx) => {
    const { row, ...locked } = await collections.lockCollectionTree(ctx, outer, "collection.admin");
    expect(row.id).toBe(outer);
    expect({ spaces: locked.spaces.sort(), collections: locked.collections.sort() }).toEqual(all);
    expect(await free("space", [...all.spaces, beside])).toEqual([beside]);
    expect(await free("collection", all.collections)).toEqual([]);
  });
});

test("what is put at the top level takes the right to create in the organization", async () => {
  const parent = (caller: Caller) => outcome(caller, (ctx) => collections.lockParent(ctx, "acme", null));
  expect(await parent(eve("create"))).toEqual([]);
  for (const role of ["review", null] as const)
    expect(await parent(eve(role))).toBe("FORBIDDEN Organization: needs the role create");
  expect(await parent(stranger)).toBe("NOT_FOUND Organization: not found");
});

test("what is put into a collection takes the right to create there, and learns what is above it", async () => {
  const outer = await newCollection();
  const inner = await newCollection(outer);
  const parent = (caller: Caller, organization = "acme") =>
    outcome(caller, (ctx) => collections.lockParent(ctx, organization, inner));
  expect(await parent(eve("create"))).toEqual([outer, inner]);
  expect(await parent(eve("review"))).toBe("FORBIDDEN Collection: needs the role create");
  expect(await parent(eve(null))).toBe("NOT_FOUND Collection: not found");
  expect(await parent(eve("create", { beta: "create" }), "beta")).toBe("NOT_FOUND Collection: not found");
});

test("collections under which something is put may be used by others until then, and not changed", async () => {
  const outer = await newCollection();
  const inner = await newCollection(outer);
  await transact(t.context(eve("create")), async (ctx) => {
    await collections.lockParent(ctx, "acme", inner);
    expect((await free("collection", [outer, inner])).sort()).toEqual([outer, inner].sort());
    const { rows } = await sql`select id from collection where id = any(${[outer, inner]})
      for update skip locked`.execute(t.db);
    expect(rows).toEqual([]);
  });
});
