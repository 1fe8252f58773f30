import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testEvents } from "../testing/events.js";
import { backlog, dropParked, parkedEvents, replay } from "./parked.js";

let home: Awaited<ReturnType<typeof testEvents>>;
beforeAll(async () => {
  home = await testEvents();
});
beforeEach(() => sql`truncate inbox, outbox`.execute(home.db));
afterAll(() => home.end());

const at = (minute: number) => `2026-11-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
const arrive = (id: string, row: object = {}) =>
  home.db
    .insertInto("inbox")
    .values({ id, name: "a.b.c", aggregate: `of ${id}`, body: "{}", ...row })
    .execute();
const park = (id: string, minute: number) =>
  arrive(id, { parked_at: at(minute), attempts: 8, error: "indigestible" });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const waiting = async () =>
  idsOf(
    await home.db
      .selectFrom("inbox")
      .select("id")
      .where("handled_at", "is", null)
      .where("parked_at", "is", null)
      .orderBy("position")
      .execute(),
  );

test("parked events are listed with why, those first that were parked first, and so many at most", async () => {
  await park("late", 2);
  await park("early", 1);
  await arrive("waiting");
  await arrive("handled", { handled_at: at(0) });
  expect(idsOf(await parkedEvents(home))).toEqual(["early", "late"]);
  expect(await parkedEvents(home, 1)).toEqual([
    {
      id: "early",
      name: "a.b.c",
      aggregate: "of early",
      attempts: 8,
      parkedAt: expect.anything(),
      error: "indigestible",
    },
  ]);
  for (let n = 0; n < 100; n += 1) await park(`more ${n}`, 3);
  expect((await parkedEvents(home)).length).toBe(100);
});

test("a replay gives the named parked events all their tries again, or all of them, and touches no others", async () => {
  for (const [minute, id] of ["one", "two", "three"].entries()) await park(id, minute);
  await arrive("handled", { handled_at: at(0) });
  expect(await replay(home, ["two", "handled", "unknown"])).toEqual(["two"]);
  expect(await waiting()).toEqual(["two"]);
  const row = await home.db.selectFrom("inbox").selectAll().where("id", "=", "two").executeTakeFirstOrThrow();
  expect([row.attempts, row.error]).toEqual([0, null]);
  expect((await replay(home, "all")).sort()).toEqual(["one", "three"]);
  expect(await waiting()).toEqual(["one", "two", "three"]);
  expect(await replay(home, "all")).toEqual([]);
});

test("parked events that are given up count as handled: the named ones, or all", async () => {
  for (const [minute, id] of ["one", "two", "three"].entries()) await park(id, minute);
  await arrive("waiting");
  expect(await dropParked(home, ["two", "waiting"])).toEqual(["two"]);
  expect(idsOf(await parkedEvents(home))).toEqual(["one", "three"]);
  expect((await dropParked(home, "all")).sort()).toEqual(["one", "three"]);
  expect(await waiting()).toEqual(["waiting"]);
  expect(await replay(home, "all")).toEqual([]);
});

test("the backlog counts what is not published, not handled and parked, and has the age of the oldest", async () => {
  expect(await backlog(home)).toEqual({ unpublished: 0, oldestSeconds: 0, pending: 0, parked: 0 });
  await park("parked", 1);
  for (const id of ["one", "two"]) await arrive(id);
  await arrive("handled", { handled_at: at(0) });
  await sql`insert into outbox (id, name, aggregate, body, occurred_at, published_at) values
    ('o1', 'a.b.c', 'a', '{}', now() - interval '1 hour', null),
    ('o2', 'a.b.c', 'a', '{}', now(), null),
    ('o3', 'a.b.c', 'a', '{}', now() - interval '2 hours', now())`.execute(home.db);
  const { oldestSeconds, ...counts } = await backlog(home);
  expect(counts).toEqual({ unpublished: 2, pending: 2, parked: 1 });
  expect(Math.floor(oldestSeconds / 3600)).toBe(1);
});
