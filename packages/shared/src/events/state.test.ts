import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";
import { backlog, parkedEvents, replay } from "./parked.js";

const Published = defineEvent("content.site.published", z.object({ n: z.number() }));
const Unpublished = defineEvent("content.site.unpublished", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();

let home: Awaited<ReturnType<typeof testEvents>>;
beforeEach(async () => {
  home = await testEvents();
});
afterEach(() => home.end());

const settled = async (n: number) => {
  await waitFor(async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from inbox`.execute(home.db);
    return rows[0]?.n === n && (await backlog(home)).pending === 0;
  });
};

test("a parked event of a state that is tried again after a later one is settled without effect", async () => {
  const shown: string[] = [];
  const log: string[] = [];
  let broken = true;
  const state = { state: "publication" };
  const fail = () => {
    if (broken) throw new Error("not now");
  };
  home.relay();
  home.consumer(
    [
      on(
        Published,
        async ({ event }) => {
          fail();
          shown.push(`published ${event.aggregate}`);
        },
        state,
      ),
      on(Unpublished, async ({ event }) => void shown.push(`unpublished ${event.aggregate}`), state),
      on(Published, async ({ payload }) => void log.push(`published ${payload.n}`)),
    ],
    { retry: { attempts: 1 } },
  );
  const late = await home.emit(Published, "a", { n: 1 });
  const alone = await home.emit(Published, "b", { n: 2 });
  await settled(2);
  await home.emit(Unpublished, "a", { n: 3 });
  await settled(3);
  broken = false;
  expect(await replay(home, "all")).toEqual(expect.arrayContaining([late, alone]));
  await settled(3);
  expect(await parkedEvents(home)).toEqual([]);
  expect(shown).toEqual(["unpublished a", "published b"]);
  // A handler that does not want the state alone receives everything.
  expect(log.sort()).toEqual(["published 1", "published 2"]);
});

test("events of one aggregate are ordered as they were committed, whatever the clocks of their writers show", async () => {
  const first = await home.emit(Published, "a", { n: 1 });
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  const second = await home.emit(Unpublished, "a", { n: 2 }).finally(() => {
    Date.now = now;
  });
  home.relay();
  const events = await waitFor(async () => {
    const found = (await backlog(home)).unpublished === 0 && (await home.published());
    return found && found.length === 2 ? found : undefined;
  });
  expect(events.map(({ id }) => id)).toEqual([first, second]);
  expect(events[0]!.order!).toBeLessThan(events[1]!.order!);
});

test("an event that an earlier release wrote without an order has one when it is published", async () => {
  const id = await home.emit(Published, "a", { n: 1 });
  await sql`update outbox set body = body - 'order', occurred_at = '2026-11-01T00:00:00Z' where id = ${id}`.execute(
    home.db,
  );
  home.relay();
  await waitFor(async () => (await backlog(home)).unpublished === 0);
  expect(await home.published()).toMatchObject([{ id, order: Date.parse("2026-11-01T00:00:00Z") * 1000 }]);
});
