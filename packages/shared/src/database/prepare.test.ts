import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { testSchema } from "../testing/schema.js";
import { prepare } from "./prepare.js";

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
