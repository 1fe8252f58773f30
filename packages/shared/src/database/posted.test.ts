import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testSchema } from "../testing/schema.js";
import { ask, post, transactionOf } from "./posted.js";
import { transact } from "./transact.js";

interface Database {
  thing: { id: number; name: string };
}

const home = await testSchema<Database>({ service: "posted", migrations: {} });
const { db } = home;
afterAll(home.drop);
beforeAll(() =>
  sql`create table thing (id int primary key, name text not null check (name <> 'bad'))`.execute(db),
);
beforeEach(() => sql`truncate thing`.execute(db));

const insert = (id: number, name = "good") => sql`insert into thing (id, name) values (${id}, ${name})`;
const ids = async () =>
  (await db.selectFrom("thing").select("id").orderBy("id").execute()).map(({ id }) => id);

describe("posted statements", () => {
  test("are done in their order, before those that are waited for", async () => {
    await transact({ db }, async ({ db }) => {
      await post(db, insert(1));
      await post(db, sql`update thing set name = name || ' and new' where id = 1`);
      const { rows } = await sql<{ name: string }>`select name from thing`.execute(db);
      expect(rows).toEqual([{ name: "good and new" }]);
      await post(db, insert(2));
    });
    expect(await ids()).toEqual([1, 2]);
  });

  test("fail their transaction with their own error, though nothing follows", async () => {
    const failing = transact({ db }, async ({ db }) => {
      await post(db, insert(1));
      await post(db, insert(2, "bad"));
      return "done";
    });
    await expect(failing).rejects.toMatchObject({ code: "23514" });
    expect(await ids()).toEqual([]);
  });

  test("fail those that follow, and the first error is thrown", async () => {
    const failing = transact({ db }, async ({ db }) => {
      await post(db, insert(1, "bad"));
      await post(db, insert(2));
      await insert(3).execute(db);
    });
    await expect(failing).rejects.toMatchObject({ code: "23514" });
    expect(await ids()).toEqual([]);
    await transact({ db }, ({ db }) => post(db, insert(4)));
    expect(await ids()).toEqual([4]);
  });

  test("leave nothing behind when what they belong to is refused", async () => {
    const failing = transact({ db }, async ({ db }) => {
      await post(db, insert(1));
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    expect(await ids()).toEqual([]);
  });

  test("are tried again with their transaction after a serialization failure", async () => {
    let tries = 0;
    await transact({ db }, async ({ db }) => {
      tries += 1;
      if (tries === 1)
        await post(db, sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
      await post(db, insert(tries));
    });
    expect(tries).toBe(2);
    expect(await ids()).toEqual([2]);
  });

  test("are waited for outside a transaction", async () => {
    await post(db, insert(1));
    expect(await ids()).toEqual([1]);
    await expect(post(db, insert(2, "bad"))).rejects.toMatchObject({ code: "23514" });
  });
});

describe("a statement whose rows are wanted afterwards", () => {
  const named = (id: number) => sql<{ name: string }>`select name from thing where id = ${id}`;

  test("is on its way together with the commit", async () => {
    const sent: string[] = [];
    const rows = await transact({ db: recording(sent) }, async ({ db }) => {
      await post(db, insert(1));
      const rows = await ask(db, named(1));
      sent.push("returned");
      return { rows };
    });
    expect(await rows.rows()).toEqual([{ name: "good" }]);
    // Nobody waited for its response before the commit was sent.
    expect(sent).toEqual(["returned", "insert", "select"]);
  });

  test("fails the transaction with its error", async () => {
    const failing = transact({ db }, async ({ db }) => {
      await post(db, insert(1));
      return { rows: await ask(db, sql`select 1 / 0`) };
    });
    await expect(failing).rejects.toMatchObject({ code: "22012" });
    expect(await ids()).toEqual([]);
  });

  test("is done at once outside a transaction", async () => {
    await insert(1).execute(db);
    expect(await (await ask(db, named(1)))()).toEqual([{ name: "good" }]);
  });
});

/** Notes the responses to what is sent through it. */
function recording(sent: string[]) {
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sent.push(result.rows.length > 0 ? "select" : "insert");
      return result;
    },
  });
}

test("many transactions side by side keep apart what they posted", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, id) =>
      transact({ db }, async ({ db }) => {
        await post(db, insert(id, id % 4 === 0 ? "bad" : "good"));
        await sql`select 1`.execute(db);
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(10);
  expect(await ids()).toEqual(Array.from({ length: 40 }, (_, id) => id).filter((id) => id % 4 !== 0));
});

describe("what a transaction calls when it is committed", () => {
  const calls: number[] = [];
  beforeEach(() => void calls.splice(0));
  const call = () => void calls.push(1);
  const attempt = (then: (open: Open) => Promise<unknown>) =>
    transact({ db }, async (open) => {
      const transaction = (await transactionOf(open.db))!;
      expect(transaction.schema).toBe(home.schema);
      for (let times = 0; times < 2; times++) transaction.committed.add(call);
      await then(open);
      expect(calls).toEqual([]);
    });
  type Open = { db: typeof db };

  test("is called once, after the commit", async () => {
    await attempt(({ db }) => post(db, insert(1)));
    expect(calls).toEqual([1]);
    await transact({ db }, ({ db }) => post(db, insert(2)));
    expect(calls).toEqual([1]);
  });

  test("is not called when the transaction is rolled back, or cannot be committed", async () => {
    const refused = attempt(() => Promise.reject(new Error("refused")));
    await expect(refused).rejects.toThrow("refused");
    await expect(attempt(({ db }) => post(db, insert(1, "bad")))).rejects.toMatchObject({ code: "23514" });
    await transact({ db }, ({ db }) => post(db, insert(2)));
    expect(calls).toEqual([]);
  });

  test("is not there outside of transactions", async () => {
    expect(await transactionOf(db)).toBeUndefined();
  });
});
