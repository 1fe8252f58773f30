import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageProps } from "../db/tables/entries.js";
import { commitPrimary } from "../revisions/primary.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import { BATCH_BYTES, batchesBySize, batchesOf, inBatches, slicesOf } from "./batches.js";
import { keepBodies } from "./bodies.js";
import { type Entry, lockBranch } from "./version.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

const LINKS = 60;

/** Commits so many pages, and returns what the database was asked, in order, and the sizes of it and of its answers. */
async function committing(pages: number, links = LINKS) {
  const space = await t.space();
  const text = (page: number) =>
    Array.from(
      { length: links },
      (_, at) => `Read about ${page} in [part ${at}](part-${page}-${at}.md).`,
    ).join("\n");
  const hashes: string[] = [];
  const numbers = Array.from({ length: pages }, (_, page) => page);
  for await (const batch of batchesOf(numbers, 50))
    hashes.push(...(await keepBodies(t.ctx, space, batch.map(text))));
  const put = hashes.map((body, page): Entry => {
    const [id, position, git_path] = [
      `${space}${page}`,
      `a${String(page).padStart(6, "0")}`,
      `page-${page}.md`,
    ];
    const nothing = { parent: null, git_oid: null, updated_at: null };
    const props: PageProps = { type: "document" };
    const created_at = new Date().toISOString();
    return { ...nothing, id, position, git_path, kind: "page", slug: id, title: id, body, props, created_at };
  });
  const { ctx, asked, most } = watched(t.ctx);
  await ctx.db.transaction().execute(async (db) => {
    const head = await lockBranch({ ...ctx, db }, space);
    await commitPrimary({ ...ctx, db }, { space, head, type: "edits", changes: { put, remove: [] } });
  });
  return { asked, most, largest: Math.max(most.asked, most.answered) };
}

test("a commit of many pages asks and answers no more at once than one of fewer, and writes as it reads", async () => {
  const [some, many] = [await committing(150), await committing(600)];
  expect(many.largest).toBeLessThan(some.largest * 1.1);
  for (const written of ["insert into reference", "insert into search_page", "insert into search_section"]) {
    const first = many.asked.findIndex((query) => query.includes(written));
    const last = many.asked.findLastIndex((query) => query.includes(written));
    const meanwhile = many.asked.slice(first, last).filter((query) => query.includes('"markdown"'));
    expect(meanwhile.length, written).toBeGreaterThanOrEqual(8);
  }
});

test("a commit of large pages asks and answers no more at once than one of small ones", async () => {
  const [small, large] = [await committing(200), await committing(20, LINKS * 50)];
  expect(large.largest).toBeLessThan(small.largest * 1.5);
});

test("a commit of one long page asks for it in slices", async () => {
  const { asked, most } = await committing(1, 40_000);
  const inserts = asked.filter((query) => query.includes("insert into search_section"));
  expect(inserts.length).toBeGreaterThan(1);
  expect(most.asked).toBeLessThan(2_500_000);
});

test("slices are as large as they may be, and one item that is larger is alone", () => {
  const sizes = [1, 2, 3, 4, 9, 1, 1, 0, 5];
  const slices = [...slicesOf(sizes, (size) => size, 6)];
  expect(slices).toEqual([[1, 2, 3], [4], [9], [1, 1, 0], [5]]);
  expect([...slicesOf([], () => 1, 6)]).toEqual([]);
});

test("texts come in batches of few bytes, and one that is larger alone", async () => {
  const most = BATCH_BYTES;
  const sizes = [1, most / 2, most / 2, 1, most * 3, 1, 1, most, ...Array<number>(120).fill(1)];
  const asked: number[] = [];
  const given = batchesBySize(sizes, async (some) => {
    asked.push(some.length);
    return some;
  });
  const batches: number[][] = [];
  for await (const batch of given) batches.push(batch);
  expect(batches.flat()).toEqual(sizes);
  expect(batches.map(({ length }) => length)).toEqual([2, 2, 1, 2, 1, 50, 50, 20]);
  expect(asked).toEqual([sizes.length]);
});

test("items go through in batches, and few of them are held", async () => {
  const items = Array.from({ length: 170 }, (_, item) => item);
  const written: number[][] = [];
  let [held, most] = [0, 0];
  await inBatches(items, {
    sizes: async (some) => some.map(() => 1),
    read: async (batch) => {
      held += batch.length;
      most = Math.max(most, held);
      return batch.map(String);
    },
    write: async (batch, texts) => {
      expect(texts).toEqual(batch.map(String));
      await new Promise(setImmediate);
      written.push(batch);
      held -= batch.length;
    },
  });
  expect(written.map(({ length }) => length)).toEqual([50, 50, 50, 20]);
  expect(written.flat()).toEqual(items);
  expect(most).toBeLessThanOrEqual(150);
});

test("after a failure nothing is under way any more", async () => {
  let open = 0;
  const step = async (batch: number[], fails: boolean) => {
    open += 1;
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    open -= 1;
    if (fails) throw new Error(`broken at ${batch[0]}`);
  };
  const items = Array.from({ length: 500 }, (_, item) => item);
  const sizes = async (some: number[]) => some.map(() => 1);
  const reading = inBatches(items, {
    sizes,
    read: (batch) => step(batch, batch[0] === 200),
    write: (batch) => step(batch, false),
  });
  await expect(reading).rejects.toThrow("broken at 200");
  expect(open).toBe(0);
  const writing = inBatches(items, {
    sizes,
    read: (batch) => step(batch, false),
    write: (batch) => step(batch, batch[0] === 200),
  });
  await expect(writing).rejects.toThrow("broken at 200");
  expect(open).toBe(0);
});

test("of failures that follow from each other the first is told", async () => {
  const after = async (turns: number, why: string) => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    throw new Error(why);
  };
  const going = inBatches(
    Array.from({ length: 500 }, (_, item) => item),
    {
      sizes: async (some) => some.map(() => 1),
      read: async (batch) => (batch[0] === 100 ? after(10, "aborted") : undefined),
      write: async (batch) => (batch[0] === 50 ? after(5, "the reason") : undefined),
    },
  );
  await expect(going).rejects.toThrow("the reason");
});
