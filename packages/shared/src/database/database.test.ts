import type { Socket } from "node:net";
import { type Generated, type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { arrayOf } from "./any-of.js";
import { connect } from "./connect.js";
import { migrate } from "./migrate.js";
import { transact } from "./transact.js";

interface Database {
  thing: { id: string; number: Generated<number>; big: number | null; at: Generated<string> };
}

const migrations = {
  "0001-thing": {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable("thing")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("number", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("big", "bigint")
        .addColumn("at", "timestamptz(3)", (column) => column.notNull().defaultTo(sql`now()`))
        .execute();
    },
  },
};

let home: TestSchema<Database>;
beforeAll(async () => {
  home = await testSchema<Database>({ service: "database", migrations });
});
afterAll(() => home.drop());

const rows = (id: string) => home.db.selectFrom("thing").selectAll().where("id", "=", id).execute();

test("a timestamp is read as ISO 8601 UTC with milliseconds, a bigint as a number", async () => {
  const at = "2026-11-21T06:11:29.100Z";
  await home.db.insertInto("thing").values({ id: "times", big: 12_345_678_901, at }).execute();
  expect(await rows("times")).toEqual([{ id: "times", number: 0, big: 12_345_678_901, at }]);
  const { rows: plain } = await sql<{ whole: string; many: string[]; count: number; money: string }>`
    select '2026-01-02T03:04:05+02'::timestamptz(3) as whole, array[${at}::timestamptz] as many,
           count(*) as count, 1.50::numeric as money`.execute(home.db);
  expect(plain[0]).toEqual({ whole: "2026-01-02T01:04:05.000Z", many: [at], count: 1, money: "1.50" });
});

test("a bigint beyond the safe range is an error, not a wrong number", async () => {
  await expect(sql`select 9007199254740993 as big`.execute(home.db)).rejects.toThrow(RangeError);
});

test("the parsers of other users of pg stay as they are", async () => {
  const client = new pg.Client({ connectionString: home.url });
  await client.connect();
  const { rows } = await client.query("select now() as now");
  await client.end();
  expect(rows[0].now).toBeInstanceOf(Date);
});

test("a long result is read in pieces, with turns for others in between", async () => {
  const { db, pool, close } = connect({ url: home.url, schema: home.schema, max: 1 });
  const bytesByTurn: number[] = [];
  pool.on("connect", (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      if (bytes === 0)
        setImmediate(() => {
          bytesByTurn.push(bytes);
          bytes = 0;
        });
      bytes += chunk.length;
    });
  });
  await sql`select 1`.execute(db);
  const query = sql<{ text: string }>`select repeat('x', 1000) as text from generate_series(1, 10000)`;
  const reading = query.execute(db);
  await new Promise(setImmediate);
  // The result arrives while nobody reads.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  const { rows: read } = await reading;
  expect(read.length).toBe(10_000);
  expect(read.every(({ text }) => text.length === 1_000)).toBe(true);
  expect(Math.max(...bytesByTurn)).toBeLessThanOrEqual(4 * 64 * 1024);
  await close();
});

test("every session has the settings of its service, beside those of all services", async () => {
  const settings = { gin_pending_list_limit: "96" };
  const { db, close } = connect({ url: home.url, schema: home.schema, settings });
  const { rows: shown } = await sql`select current_setting('gin_pending_list_limit') as waiting,
    current_setting('timezone') as zone, current_schema() as schema`.execute(db);
  await close();
  expect(shown).toEqual([{ waiting: "96kB", zone: "UTC", schema: home.schema }]);
});

test("parameterised queries are named statements of the server, others are not", async () => {
  const one = connect<Database>({ url: home.url, schema: home.schema, max: 1 });
  await one.db.selectFrom("thing").selectAll().where("id", "=", "nobody").execute();
  await sql`select 1`.execute(one.db);
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    one.db,
  );
  expect(rows.map(({ statement }) => statement)).toEqual(['select * from "thing" where "id" = $1']);
  await one.close();
});

test("a statement with a long array is planned for it each time, and shown how long it is", async () => {
  const one = connect<Database>({ url: home.url, schema: home.schema, max: 1 });
  const named = (count: number) => {
    const ids = Array.from({ length: count }, (_, at) => `id-${at}`);
    return sql`select from thing where id = any(${arrayOf(ids)})`.execute(one.db);
  };
  for (const count of [1, 100, 101, 2_000]) await named(count);
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    one.db,
  );
  expect(rows.map(({ statement }) => statement)).toEqual([
    "select from thing where id = any((select $1::text[])::text[])",
  ]);
  const ids = Array.from({ length: 101 }, (_, at) => `id-${at}`);
  const { parameters, sql: text } = sql`${arrayOf(ids)}`.compile(one.db);
  expect({ parameters, text }).toEqual({ parameters: [ids], text: "$1::text[]" });
  await one.close();
});

test("a migration under a prepared select * does not break the connection", async () => {
  const one = connect<Database>({ url: home.url, schema: home.schema, max: 1 });
  const query = one.db.selectFrom("thing").selectAll().where("id", "=", "nobody");
  await query.execute();
  await sql`alter table thing add column one text`.execute(home.db);
  expect(await query.execute()).toEqual([]);
  await sql`alter table thing add column two text`.execute(home.db);
  const inside = await transact({ db: one.db }, ({ db }) =>
    db.selectFrom("thing").selectAll().where("id", "=", "nobody").execute(),
  );
  expect(inside).toEqual([]);
  await one.close();
});

test("transact keeps all or nothing, and a nested call joins the outer one", async () => {
  const ctx = { db: home.db, name: "ctx" };
  const failing = transact(ctx, async (ctx) => {
    await transact(ctx, async (ctx) => {
      expect(ctx.name).toBe("ctx");
      await ctx.db.insertInto("thing").values({ id: "nested" }).execute();
    });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await rows("nested")).toEqual([]);
});

test("transact runs again after a deadlock", async () => {
  await home.db
    .insertInto("thing")
    .values([{ id: "left" }, { id: "right" }])
    .execute();
  let meet: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  let arrived = 0;
  const add = (ids: string[]) =>
    transact({ db: home.db }, async ({ db }) => {
      for (const id of ids) {
        await db
          .updateTable("thing")
          .set((row) => ({ number: row("number", "+", 1) }))
          .where("id", "=", id)
          .execute();
        if (++arrived === 2) meet();
        await both;
      }
    });
  await Promise.all([add(["left", "right"]), add(["right", "left"])]);
  expect((await rows("left"))[0]?.number).toBe(2);
  expect((await rows("right"))[0]?.number).toBe(2);
});

test("the pool survives the end of all its connections", async () => {
  const one = connect<Database>({ url: home.url, schema: home.schema, max: 3, applicationName: home.schema });
  const slow = sql`select pg_sleep(30)`.execute(one.db);
  const lost = expect(slow).rejects.toThrow();
  await waitFor(async () => {
    const { rows } = await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where application_name = ${home.schema} and pid <> pg_backend_pid() and query like '%pg_sleep%'`.execute(
      home.db,
    );
    return rows.length > 0;
  });
  await lost;
  expect((await sql`select 1 as one`.execute(one.db)).rows).toEqual([{ one: 1 }]);
  await one.close();
});

test("migrations run once when several copies start together", async () => {
  const empty = await testSchema<Database>({ service: "migrate" });
  const copies = [1, 2, 3].map(() => connect<Database>({ url: empty.url, schema: empty.schema }));
  const applied = await Promise.all(copies.map(({ db }) => migrate({ db, migrations })));
  expect(applied.flat()).toEqual(["0001-thing"]);
  const more = {
    ...migrations,
    "0002-more": { up: async (db: Kysely<unknown>) => void (await sql`create table more ()`.execute(db)) },
  };
  expect(await migrate({ db: empty.db, migrations: more })).toEqual(["0002-more"]);
  await Promise.all(copies.map(({ close }) => close()));
  await empty.drop();
});

test("a copy of the release before migrates nothing beside a newer one, and starts", async () => {
  const empty = await testSchema<Database>({ service: "beside" });
  const up = (db: Kysely<unknown>) =>
    sql`create table beside_two (id text)`.execute(db).then(() => undefined);
  await migrate({ db: empty.db, migrations: { ...migrations, "0002-beside": { up } } });
  expect(await migrate({ db: empty.db, migrations })).toEqual([]);
  const other = { ...migrations, "0001-another": { up } };
  await expect(migrate({ db: empty.db, migrations: other })).rejects.toThrow("corrupted migrations");
  await empty.drop();
});

test("schemas migrate at once while tables of others come, change and go", async () => {
  const others = await testSchema<Database>({ service: "others" });
  let over = false;
  const restless = async (name: string) => {
    const table = sql.table(name);
    while (!over) {
      await sql`create table ${table} (one text, two text)`.execute(others.db);
      await sql`alter table ${table} drop column one`.execute(others.db);
      await sql`drop table ${table}`.execute(others.db);
    }
  };
  const unrest = Promise.all(["left", "right"].map(restless));
  const steps = ["0002-more", "0003-less", "0004-gone"].map((name, index) => {
    const table = sql.table(`step_${index}`);
    const up = async (db: Kysely<unknown>) => {
      await sql`create table ${table} (one text, two text)`.execute(db);
      await sql`alter table ${table} drop column one`.execute(db);
    };
    return [name, { up }] as const;
  });
  try {
    for (let round = 0; round < 5; round += 1) {
      const schemas = await Promise.all(
        [1, 2, 3, 4].map(() => testSchema<Database>({ service: "race", max: 2 })),
      );
      for (const [index, [name]] of steps.entries()) {
        const known = { ...migrations, ...Object.fromEntries(steps.slice(0, index + 1)) };
        const applied = await Promise.all(schemas.map(({ db }) => migrate({ db, migrations: known })));
        const expected = index === 0 ? ["0001-thing", name] : [name];
        expect(applied).toEqual(schemas.map(() => expected));
      }
      await Promise.all(schemas.map(({ drop }) => drop()));
    }
  } finally {
    over = true;
    await unrest;
    await others.drop();
  }
});

test("a migration that cannot get its lock lets go and succeeds later", async () => {
  let holding: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    holding = resolve;
  });
  const holder = home.db.transaction().execute(async (db) => {
    await sql`lock table thing in access share mode`.execute(db);
    holding();
    await sql`select pg_sleep(4)`.execute(db);
  });
  await held;
  const up = async (db: Kysely<unknown>) =>
    void (await sql`alter table thing add column three text`.execute(db));
  expect(await migrate({ db: home.db, migrations: { ...migrations, "0002-three": { up } } })).toEqual([
    "0002-three",
  ]);
  await holder;
});
