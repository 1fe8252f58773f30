import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSchema, testSchema } from "../testing/schema.js";
import { clientSettings } from "./connect.js";
import { createNamedQueries } from "./named-query.js";

let home: TestSchema<unknown>;
beforeAll(async () => {
  home = await testSchema({ service: "named_query" });
});
afterAll(() => home.drop());

/** A client that counts how often it asks the server to describe a result. */
async function counting() {
  const { url, schema } = home;
  const client = new pg.Client({ ...clientSettings({ url, schema }), pipeline: true } as pg.ClientConfig);
  await client.connect();
  const { connection } = client as unknown as { connection: { describe(portal: object): void } };
  const plain = connection.describe.bind(connection);
  const counted = { client, query: createNamedQueries(client), described: 0 };
  connection.describe = (portal) => {
    counted.described += 1;
    plain(portal);
  };
  return counted;
}

test("a named statement is described once, and its rows are the same each time", async () => {
  const one = await counting();
  const text = "select $1::bigint as big, n, now() is not null as so from generate_series(1, $2::int) as n";
  const first = await one.query("rows", text, [7, 2]);
  expect(first.rows).toEqual([
    { big: 7, n: 1, so: true },
    { big: 7, n: 2, so: true },
  ]);
  const [again, none] = await Promise.all([one.query("rows", text, [7, 2]), one.query("rows", text, [7, 0])]);
  expect(again).toEqual(first);
  expect(none.rows).toEqual([]);
  expect(none.fields).toEqual(first.fields);
  expect(one.described).toBe(1);
  await one.client.end();
});

test("a named statement without rows is described once, and says how many it changed", async () => {
  const one = await counting();
  await one.client.query("create temporary table counted (id int)");
  const insert = () => one.query("insert", "insert into counted select generate_series(1, $1::int)", [3]);
  const results = [await insert(), await insert()];
  expect(results.map(({ rowCount, rows, command }) => ({ rowCount, rows, command }))).toEqual([
    { rowCount: 3, rows: [], command: "INSERT" },
    { rowCount: 3, rows: [], command: "INSERT" },
  ]);
  expect(one.described).toBe(1);
  await one.client.end();
});

test("a named statement that fails is rejected, and succeeds afterwards", async () => {
  const one = await counting();
  const divide = (by: number) => one.query("divide", "select 6 / $1::int as part", [by]);
  await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
  expect((await divide(2)).rows).toEqual([{ part: 3 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
  expect((await divide(3)).rows).toEqual([{ part: 2 }]);
  await one.client.end();
});

test("a value that cannot be read rejects the statement, whether it is described or not", async () => {
  const one = await counting();
  const read = (big: string) => one.query("big", "select $1::bigint as big", [big]);
  await expect(read("9007199254740993")).rejects.toThrow(RangeError);
  expect((await read("1")).rows).toEqual([{ big: 1 }]);
  await expect(read("9007199254740993")).rejects.toThrow(RangeError);
  await one.client.end();
});
