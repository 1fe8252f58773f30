import type { Caller } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { describe as described } from "@octavo/shared/errors";
import { counted } from "@octavo/shared/testing/counted";
import { type ControlledTransaction, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../db/database.js";
import { contentTest } from "../testing/content.js";
import { waitsFor } from "../testing/locks.js";
import { type Locking, lockRows, readLocked, type Strength } from "./lock.js";
import { find } from "./spaces.js";

const t = await contentTest();
afterAll(t.drop);

const admin = t.as({ acme: "admin" }, { id: "ada" });
const eve = t.user({ acme: "create" }, { id: "eve" });
/** What administers another organization is no administrator in this one. */
const elsewhere = t.user({ acme: "create", beta: "admin" }, { id: "eve" });

const world = { space: "", inner: "", outer: "" };
type Name = keyof typeof world;
const tableOf = (name: Name) => sql.table(name === "space" ? "space" : "collection");

beforeAll(async () => {
  const organizationId = "acme";
  world.outer = (await admin.collections.create({ organizationId })).id;
  world.inner = (await admin.collections.create({ organizationId, parent: world.outer })).id;
  world.space = (await admin.spaces.create({ organizationId, parent: world.inner })).id;
});
beforeEach(() => t.directory.clear());

/** Reads the space locked, with how many queries that took, and how often orgs was called for the membership. */
async function read(caller: Caller, { strength = "use", hasWaited }: Locking = {}) {
  let lookups = 0;
  const { db, queries } = counted(t.db);
  const membership: typeof t.base.orgs.membership = (...about) => {
    lookups++;
    return t.base.orgs.membership(...about);
  };
  const ctx = { ...t.context(caller), db, orgs: { ...t.base.orgs, membership } };
  const target = { kind: "space", id: world.space } as const;
  const row = await transact(ctx, (ctx) =>
    readLocked(ctx, target, (ctx) => find(ctx, world.space), { strength, hasWaited }),
  );
  return { id: row?.id, queries: queries(), lookups };
}

const refusal = (error: unknown) => {
  const { code, message, details } = described(error);
  return [code, message, details.reason];
};
const CHANGED = [
  "CONFLICT",
  "Permission: changed while the request waited, send it again",
  "permission_changed",
];

/** Runs work while another transaction has done something. */
async function beside<Result>(
  first: (db: ControlledTransaction<Database>) => Promise<unknown>,
  work: (transaction: ControlledTransaction<Database>) => Promise<Result>,
): Promise<Result> {
  const transaction = await t.db.startTransaction().execute();
  try {
    await first(transaction);
    return await work(transaction);
  } finally {
    if (!transaction.isCommitted) await transaction.rollback().execute();
  }
}
const holding =
  (name: Name, lock = "for update") =>
  (db: ControlledTransaction<Database>) =>
    sql`select 1 from ${tableOf(name)} where id = ${world[name]} ${sql.raw(lock)}`.execute(db);

/** Which of all the things another transaction could lock now. */
async function free(lock: string): Promise<Name[]> {
  const names: Name[] = [];
  for (const name of Object.keys(world) as Name[]) {
    const { rows } = await sql`select 1 from ${tableOf(name)}
      where id = ${world[name]} ${sql.raw(lock)} skip locked`.execute(t.db);
    if (rows.length > 0) names.push(name);
  }
  return names;
}

test("rows that are locked to be used may be used by others, to be changed by nobody", async () => {
  const ids = [world.space, world.outer];
  await beside(
    (db) => lockRows({ db }, ids, "use"),
    async () => {
      expect(await free("for key share")).toEqual(["space", "inner", "outer"]);
      expect(await free("for update")).toEqual(["inner"]);
    },
  );
  await beside(
    (db) => lockRows({ db }, ids, "change"),
    async () => expect(await free("for key share")).toEqual(["inner"]),
  );
});

test.each<[what: string, caller: Caller, Strength, used: Name[], changed: Name[]]>([
  ["who uses it", eve, "use", ["space", "inner", "outer"], []],
  ["who changes it", eve, "change", ["inner", "outer"], []],
  ["an administrator of elsewhere", elsewhere, "change", ["inner", "outer"], []],
  ["its administrator", t.user({ acme: "admin" }), "change", ["inner", "outer"], ["inner", "outer"]],
])(
  "for %s a space and what it lies in stay as they are until the end",
  async (_, caller, strength, used, changed) => {
    const ctx = t.context(caller);
    await beside(
      (db) =>
        readLocked({ ...ctx, db }, { kind: "space", id: world.space }, (ctx) => find(ctx, world.space), {
          strength,
        }),
      async () => {
        expect(await free("for key share")).toEqual(used);
        expect(await free("for update")).toEqual(changed);
      },
    );
  },
);

test("a lock outside of a transaction is an error", async () => {
  const target = { kind: "space", id: world.space } as const;
  const locked = readLocked(t.context(eve), target, (ctx) => find(ctx, world.space), { strength: "use" });
  await expect(locked).rejects.toThrow("A lock of the space needs a transaction");
});

describe("who waited for nobody", () => {
  test.each<[what: string, caller: Caller, queries: number]>([
    // The lock, what is around it, the row.
    ["a member", eve, 3],
    // The lock and the row.
    ["an administrator", t.user({ acme: "admin" }), 2],
    // The lock, the row, what is around it, and the row again.
    ["an administrator of elsewhere", elsewhere, 4],
  ])("%s is read with as few queries as possible, and without a call to orgs", async (_, caller, queries) => {
    t.directory.leave("acme", "eve");
    for (const strength of ["use", "change"] as const) {
      expect(await read(caller, { strength })).toEqual({ id: world.space, queries, lookups: 0 });
    }
  });

  test("what lies in one collection alone is no exception", async () => {
    const { id } = await admin.spaces.create({ organizationId: "acme", parent: world.outer });
    t.directory.leave("acme", "eve");
    const row = await transact(t.context(eve), (ctx) =>
      readLocked(ctx, { kind: "space", id }, (ctx) => find(ctx, id), { strength: "use" }),
    );
    expect(row?.id).toBe(id);
  });

  test("nothing is found where nothing is, without waiting", async () => {
    const nothing = { kind: "space", id: "nothing" } as const;
    const row = transact(t.context(eve), (ctx) =>
      readLocked(ctx, nothing, (ctx) => find(ctx, "nothing"), { strength: "use", hasWaited: true }),
    );
    expect(await row).toBeUndefined();
  });
});

describe("who waited before", () => {
  test("has the thing while orgs returns a sufficient role, and nothing once they have left", async () => {
    t.directory.member("acme", { user: "eve", role: "create", teams: [] });
    expect(await read(eve, { hasWaited: true })).toMatchObject({ id: world.space, lookups: 1 });
    t.directory.member("acme", { user: "eve", role: "admin", teams: [] });
    expect(await read(eve, { hasWaited: true })).toMatchObject({ id: world.space, lookups: 1 });
    t.directory.leave("acme", "eve");
    expect(await read(eve, { hasWaited: true })).toMatchObject({ id: undefined, lookups: 1 });
  });

  test.each(["review", null] as const)(
    "has to try again when their role is less by now: %s",
    async (role) => {
      t.directory.member("acme", { user: "eve", role, teams: [] });
      const refused = await read(eve, { hasWaited: true }).then(() => undefined, refusal);
      expect(refused).toEqual(CHANGED);
    },
  );

  test("has to try again when the thing is not visible with their current role", async () => {
    t.directory.member("acme", { user: "eve", role: "create", teams: ["writers"] });
    const target = { kind: "space", id: world.space } as const;
    const asWriter = ({ caller }: { caller: Caller }) => caller.kind === "user" && caller.teams.length > 0;
    const refused = await transact(t.context(eve), (ctx) =>
      readLocked(ctx, target, async (ctx) => (asWriter(ctx) ? undefined : find(ctx, world.space)), {
        strength: "use",
        hasWaited: true,
      }),
    ).then(() => undefined, refusal);
    expect(refused).toEqual(CHANGED);
  });

  test("the membership of a guest is read again, that of a stranger or a service is not", async () => {
    const guest = t.user({ acme: null }, { id: "gus" });
    t.directory.member("acme", { user: "gus", role: null, teams: [] });
    expect(await read(guest, { hasWaited: true })).toMatchObject({ id: world.space, lookups: 1 });
    const others: Caller[] = [
      t.user({ beta: "admin" }, { id: "sam" }),
      { kind: "service", service: "sites" },
      {
        kind: "integration",
        integration: "witness",
        installation: "i",
        organization: "acme",
        scopes: [],
        token: "t",
      },
    ];
    for (const caller of others) {
      expect(await read(caller, { hasWaited: true })).toMatchObject({ id: world.space, lookups: 0 });
    }
  });
});

describe("who waits", () => {
  test.each<[Name, what: string, caller: Caller]>([
    ["space", "a member", eve],
    ["inner", "a member", eve],
    ["outer", "a member", eve],
    ["space", "an administrator of elsewhere", elsewhere],
    ["inner", "an administrator of elsewhere", elsewhere],
    ["outer", "an administrator of elsewhere", elsewhere],
  ])("for the %s, %s, is loaded again once it is free", async (name, _, caller) => {
    await beside(holding(name), async (transaction) => {
      t.directory.leave("acme", "eve");
      const reading = read(caller);
      expect(await waitsFor(t.db, transaction, reading)).toBe(true);
      await transaction.commit().execute();
      expect(await reading).toMatchObject({ id: undefined, lookups: 1 });
    });
  });

  test("for all that it lies in is loaded again once that is free", async () => {
    const both = (db: ControlledTransaction<Database>) =>
      lockRows({ db }, [world.inner, world.outer], "change");
    await beside(both, async (transaction) => {
      t.directory.leave("acme", "eve");
      const reading = read(eve);
      expect(await waitsFor(t.db, transaction, reading)).toBe(true);
      await transaction.commit().execute();
      expect(await reading).toMatchObject({ id: undefined, lookups: 1 });
    });
  });

  test("nobody waits for others who use the same", async () => {
    for (const name of Object.keys(world) as Name[]) {
      await beside(holding(name, "for key share"), async () =>
        expect(await read(eve)).toMatchObject({ id: world.space, lookups: 0 }),
      );
    }
  });
});
