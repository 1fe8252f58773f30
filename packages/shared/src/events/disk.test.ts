import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { on } from "./listen.js";

const Counted = defineEvent("content.thing.counted", z.object({ n: z.number() }));

let home: Awaited<ReturnType<typeof testEvents>>;
beforeAll(async () => {
  home = await testEvents();
});
afterAll(() => home.end());

/** Notes whether those who write a table wait for the disk, and whether their session says so. */
async function watch(table: string, operation: string) {
  await sql
    .raw(
      `create trigger watch_${operation} after ${operation} on ${table} for each statement execute function watched()`,
    )
    .execute(home.db);
}

test("relay and consumer do not wait for the disk, whose loss they would make up for; who emits does", async () => {
  await sql`create table watched (what text, setting text, source text)`.execute(home.db);
  await sql`create function watched() returns trigger language plpgsql as $$ begin
    insert into watched select tg_table_name || ' ' || lower(tg_op), setting, source
      from pg_settings where name = 'synchronous_commit';
    return null; end $$`.execute(home.db);
  await watch("outbox", "insert");
  await watch("outbox", "update");
  await watch("inbox", "insert");
  let handled = 0;
  home.relay();
  // As another service would.
  home.consumer(
    [
      on(Counted, async () => {
        handled += 1;
      }),
    ],
    { service: "sites" },
  );
  await home.emit(Counted, "a", { n: 1 });
  await waitFor(() => handled === 1);
  const { rows } = await waitFor(async () => {
    const seen = await sql<{ what: string; setting: string; source: string }>`
      select distinct what, setting, source from watched`.execute(home.db);
    return seen.rows.length >= 3 ? seen : undefined;
  });
  const given = rows.filter(({ source }) => source === "client");
  expect(given.map(({ what, setting }) => `${what}: ${setting}`).sort()).toEqual([
    "inbox insert: off",
    "outbox update: off",
  ]);
  expect(rows.filter(({ source }) => source !== "client").map(({ what }) => what)).toEqual(["outbox insert"]);
});
