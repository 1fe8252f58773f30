import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { testSchema } from "../testing/schema.js";
import { post } from "./posted.js";
import { prepare, prepareStatement } from "./prepare.js";
import { transact } from "./transact.js";

const schema = await testSchema({ service: "prepare" });
afterAll(schema.drop);

test("a prepared query runs with the values of each run, and is built once", async () => {
  let built = 0;
  const sum = prepare<{ one: number; list: string[] }, { sum: number; first: string }>((arg) => {
    built++;
    return sql`select ${arg("one")}::int + ${2} as sum, (${arg("list")}::text[])[1] as first, ${arg("one")}::int`;
  });
  expect(await sum(schema.db, { one: 1, list: ["a"] })).toMatchObject([{ sum: 3, first: "a" }]);
  expect(await sum(schema.db, { one: 40, list: ["b"] })).toMatchObject([{ sum: 42, first: "b" }]);
  expect(built).toBe(1);
});

test("a prepared statement is posted with the values of each time, and is built once", async () => {
  let built = 0;
  const note = prepareStatement<{ id: number; name: string }, unknown>((arg) => {
    built++;
    return sql`insert into noted (id, name) values (${arg("id")}, ${arg("name")} || ${"!"})`;
  });
  await sql`create table noted (id int, name text)`.execute(schema.db);
  await transact(schema, async ({ db }) => {
    await post(db, note({ id: 1, name: "one" }));
    await post(db, note({ id: 2, name: "two" }));
  });
  const { rows } = await sql`select id, name from noted order by id`.execute(schema.db);
  expect(rows).toEqual([
    { id: 1, name: "one!" },
    { id: 2, name: "two!" },
  ]);
  expect(built).toBe(1);
});
