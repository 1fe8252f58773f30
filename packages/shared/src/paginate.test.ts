import { type Generated, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { encodeCursor } from "./contracts/cursor.js";
import { decodeCursor } from "./cursor.js";
import { newId } from "./ids.js";
import { paginate } from "./paginate.js";
import { type TestSchema, testSchema } from "./testing/schema.js";

interface Database {
  item: { id: string; rank: number; title: string; created_at: Generated<string> };
}

let home: TestSchema<Database>;
beforeAll(async () => {
  const up = async (db: TestSchema<unknown>["db"]) => {
    await sql`create table item (
      id text primary key, rank integer not null, title text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  };
  home = await testSchema<Database>({ service: "paginate", migrations: { "0001-items": { up } } });
});
afterAll(() => home.drop());
beforeEach(() => home.db.deleteFrom("item").execute());

type Options = Parameters<typeof paginate>[0];
type Ordering = Pick<Options, "by" | "direction">;
interface Row {
  id: string;
  rank: number;
  title: string;
  created_at: string;
}
const ids = (rows: Row[]) => rows.map(({ id }) => id);

const pageOf = (input: Options["input"], ordering: Ordering = {}) =>
  paginate({ query: home.db.selectFrom("item").selectAll(), ...ordering, input, view: ids });

/** The items of all pages in their order; `between` runs after each page. */
async function walk(limit: number, ordering: Ordering = {}, between: () => unknown = () => undefined) {
  const items: string[] = [];
  const counts: number[] = [];
  for (let page: string | undefined; ; ) {
    const read = await pageOf({ page, limit }, ordering);
    expect(read.items.length).toBeLessThanOrEqual(limit);
    items.push(...read.items);
    counts.push(read.count);
    if (!read.next) return { items, counts };
    expect(read.items).toHaveLength(limit);
    page = read.next.page;
    await between();
  }
}

const START = Date.parse("2026-11-21T06:00:00.000Z");
/** `count` items: few ranks, titles and times, so that many keys are equal. */
const make = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: newId(),
    rank: index % 3,
    title: ["é", "a b", "Z", ""][index % 4]!,
    created_at: new Date(START + (index % 5)).toISOString(),
  }));
const insert = async (rows: ReturnType<typeof make>) => {
  await home.db.insertInto("item").values(rows).execute();
  return rows;
};

const ORDERINGS: [string, Ordering, string][] = [
  ["the key alone", {}, "id"],
  ["the key alone, downwards", { direction: "desc" }, "id desc"],
  ["equal numbers", { by: [{ column: "rank" }] }, "rank, id"],
  ["equal texts, downwards", { by: [{ column: "title", direction: "desc" }] }, "title desc, id desc"],
  ["equal milliseconds", { by: [{ column: "created_at" }] }, "created_at, id"],
  [
    "a direction against that of the key",
    { by: [{ column: "created_at", direction: "desc" }], direction: "asc" },
    "created_at desc, id",
  ],
  [
    "three columns in mixed directions",
    {
      by: [
        { column: "rank", direction: "desc" },
        { column: "title" },
        { column: "created_at", direction: "desc" },
      ],
    },
    "rank desc, title, created_at desc, id desc",
  ],
];

test.each(ORDERINGS)("pages follow one another without gap or repetition: %s", async (_, ordering, order) => {
  await insert(make(47));
  const { rows } = await sql<{ id: string }>`select id from item order by ${sql.raw(order)}`.execute(home.db);
  for (const limit of [1, 7, 46, 47, 48, 1000]) {
    const { items, counts } = await walk(limit, ordering);
    expect(items).toEqual(rows.map(({ id }) => id));
    expect(new Set(counts)).toEqual(new Set([47]));
  }
});

test.each(ORDERINGS)(
  "what was there throughout is listed once, whatever comes and goes: %s",
  async (_, ordering) => {
    const kept = await insert(make(60));
    let passing = await insert(make(20));
    // What comes goes behind the cursor where ids decide: without an end to it the walk had none.
    let rounds = 12;
    const { items } = await walk(7, ordering, async () => {
      const gone = ids(passing);
      if (gone.length) await home.db.deleteFrom("item").where("id", "in", gone).execute();
      passing = rounds-- > 0 ? await insert(make(10)) : [];
    });
    const stayed = new Set(ids(kept));
    expect(items.filter((id) => stayed.has(id)).sort()).toEqual([...stayed].sort());
    expect(new Set(items).size).toBe(items.length);
  },
);

test("the item that a cursor names may be gone", async () => {
  const rows = (await insert(make(9))).sort((one, other) => (one.id < other.id ? -1 : 1));
  const { next } = await pageOf({ limit: 3 });
  await home.db.deleteFrom("item").where("id", "=", rows[2]!.id).execute();
  const { items, count } = await pageOf({ ...next, limit: 100 });
  expect(items).toEqual(rows.slice(3).map(({ id }) => id));
  expect(count).toBe(9);
});

test("all items are counted for the first page, and its cursors carry that on", async () => {
  await insert(make(9));
  const first = await pageOf({ limit: 3 });
  await insert(make(4));
  const second = await pageOf({ ...first.next, limit: 3 });
  const third = await pageOf({ ...second.next, limit: 3 });
  expect([first.count, second.count, third.count]).toEqual([9, 9, 9]);
  // A cursor of an earlier release holds the keys alone, one of another list other keys.
  const keys = decodeCursor(first.next!.page, 2);
  expect((await pageOf({ page: encodeCursor(keys.slice(0, 1)), limit: 3 })).count).toBe(13);
  for (const wrong of [
    [keys[0], 9],
    [keys[0], "count="],
    [keys[0], "count=-1"],
    [keys[0], "a", "count=9"],
    ["count=9"].slice(1),
  ])
    await expect(pageOf({ page: encodeCursor(wrong), limit: 3 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("a given number of items is returned with each page as it is then", async () => {
  await insert(make(5));
  let known = 5;
  const query = home.db.selectFrom("item").selectAll();
  const read = (page?: string) =>
    paginate({ query, count: () => known, input: { page, limit: 2 }, view: ids });
  const first = await read();
  known = 6;
  expect([first.count, (await read(first.next!.page)).count]).toEqual([5, 6]);
});

test("an empty list is one empty page, limit 0 the count alone", async () => {
  expect(await pageOf({ limit: 50 })).toEqual({ items: [], count: 0 });
  await insert(make(5));
  expect(await pageOf({ limit: 0 })).toEqual({ items: [], count: 5 });
});

test("a page takes a thousand items", async () => {
  await insert(make(1001));
  const first = await pageOf({ limit: 1000 });
  expect([first.items.length, first.count]).toEqual([1000, 1001]);
  const last = await pageOf({ ...first.next, limit: 1000 });
  expect([last.items.length, last.count, last.next]).toEqual([1, 1001, undefined]);
});

test("the view gets the rows of a page at once, and none of the next", async () => {
  await insert(make(5));
  const seen: number[] = [];
  const view = async (rows: Row[]) => {
    seen.push(rows.length);
    return ids(rows);
  };
  await paginate({ query: home.db.selectFrom("item").selectAll(), input: { limit: 2 }, view });
  expect(seen).toEqual([2]);
});

test("a filtered and joined query is counted and paged as it is", async () => {
  await insert(make(30));
  const query = home.db
    .selectFrom("item")
    .innerJoin("item as same", "same.id", "item.id")
    .select(["item.id", "item.rank", "item.title", "item.created_at"])
    .where("item.rank", "=", 1);
  const by = [{ column: "item.created_at", direction: "desc" as const }];
  const read = (page?: string) =>
    paginate({ query, by, key: "item.id", input: { page, limit: 6 }, view: ids });
  const first = await read();
  const second = await read(first.next!.page);
  expect([first.count, second.count, second.next]).toEqual([10, 10, undefined]);
  expect(new Set([...first.items, ...second.items]).size).toBe(10);
});

test("a cursor holds what it was made from", () => {
  const keys = ["2026-11-21T06:11:29.100Z", -12.5, "é 😀", ""];
  expect(decodeCursor(encodeCursor(keys), 4)).toEqual(keys);
  expect(encodeCursor(keys)).toMatch(/^[A-Za-z0-9_-]+$/);
});

const BROKEN: Record<string, string> = {
  "an empty one": "",
  garbage: "!!!%00",
  "no JSON": Buffer.from("{x").toString("base64url"),
  "bytes that are no text": Buffer.from([0xff, 0xfe]).toString("base64url"),
  "no list": encodeCursor("text" as never),
  null: Buffer.from("null").toString("base64url"),
  "too few keys": encodeCursor(["2026-11-21T06:00:00.000Z"]),
  "too many keys": encodeCursor(["2026-11-21T06:00:00.000Z", "a", "b"]),
  "a list as a key": encodeCursor([["2026"], "a"]),
  "an object as a key": encodeCursor([{ a: 1 }, "a"]),
  "null as a key": encodeCursor([null, "a"]),
  "true as a key": encodeCursor([true, "a"]),
  "a text for a time": encodeCursor(["yesterday at noon; drop table item", "a"]),
  "a number for a time": encodeCursor([12, "a"]),
  "a time that is none": encodeCursor(["2026-13-41T99:00:00Z", "a"]),
  "a NUL": encodeCursor(["2026-11-21T06:00:00.000Z", "a\0"]),
  "another list's": encodeCursor(["some title", "a"]),
  "half of a surrogate pair": Buffer.from('["\\ud800","a"]').toString("base64url"),
  "a huge one": encodeCursor(["9".repeat(100_000), "a"]),
};

test.each(Object.entries(BROKEN))("a cursor that this list did not make is 400: %s", async (_, page) => {
  await insert(make(3));
  await expect(pageOf({ page, limit: 2 }, { by: [{ column: "created_at" }] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { issues: [{ path: "query.page", message: "is not a cursor of this list" }] },
  });
});

test("a cursor with a number that no column holds is 400", async () => {
  for (const key of [1e300, 2 ** 53, 1.5]) {
    const page = encodeCursor([key, "a"]);
    await expect(pageOf({ page, limit: 2 }, { by: [{ column: "rank" }] })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  }
});

test("another fault of the query is no fault of the cursor", async () => {
  const query = home.db.selectFrom("item").selectAll().where(sql<boolean>`1 / (rank - rank) = 1`);
  await insert(make(3));
  await expect(paginate({ query, input: { limit: 2 }, view: ids })).rejects.toMatchObject({ code: "22012" });
});
