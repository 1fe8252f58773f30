import { expect, test } from "vitest";
import { BATCH_BYTES, batchesBySize, inBatches, keyset, slicesOf } from "./batches.js";

test("slices are as large as they may be, and one item that is larger is alone", () => {
  const sizes = [1, 2, 3, 4, 9, 1, 1, 0, 5];
  const slices = [...slicesOf(sizes, (size) => size, 6)];
  expect(slices).toEqual([[1, 2, 3], [4], [9], [1, 1, 0], [5]]);
  expect([...slicesOf([], () => 1, 6)]).toEqual([]);
  expect([...slicesOf([7, 2, 4, 6], (size) => size, 6)]).toEqual([[7], [2, 4], [6]]);
});

test("texts come in batches of few bytes, and one that is larger alone", async () => {
  const most = BATCH_BYTES;
  const sizes = [1, most / 2, most / 2, 1, most * 3, 1, 1, most, ...Array<number>(120).fill(1)];
  const queried: number[] = [];
  const given = batchesBySize(sizes, async (some) => {
    queried.push(some.length);
    return some;
  });
  const batches: number[][] = [];
  for await (const batch of given) batches.push(batch);
  expect(batches.flat()).toEqual(sizes);
  expect(batches.map(({ length }) => length)).toEqual([2, 2, 1, 2, 1, 50, 50, 20]);
  expect(queried).toEqual([sizes.length]);
});

/** The batches of items of the given sizes, and how many sizes were queried at a time. */
async function batched(sizes: number[]) {
  const queried: number[] = [];
  const batches: number[][] = [];
  for await (const batch of batchesBySize(sizes, async (some) => {
    queried.push(some.length);
    return some;
  }))
    batches.push(batch);
  return { queried, batches };
}

test("a batch is filled to the byte, one is never empty, and the size of a single text is not queried", async () => {
  const most = BATCH_BYTES;
  const half = most / 2;
  expect(await batched([half, half, half, half, 1])).toEqual({
    queried: [5],
    batches: [[half, half], [half, half], [1]],
  });
  expect(await batched([most + 1, most + 1])).toEqual({ queried: [2], batches: [[most + 1], [most + 1]] });
  expect(await batched([most + 1])).toEqual({ queried: [], batches: [[most + 1]] });
  expect(await batched([])).toEqual({ queried: [], batches: [] });
});

test("sizes are queried 500 at a time, and that of a single text behind others as well", async () => {
  const small = Array<number>(1000).fill(0);
  const { queried, batches } = await batched([...small, BATCH_BYTES + 1]);
  expect(queried).toEqual([500, 500, 1]);
  expect(batches.map(({ length }) => length)).toEqual([...Array<number>(20).fill(50), 1]);
  const few = Array<number>(501).fill(1);
  expect((await batched([...few, BATCH_BYTES])).batches.at(-1)).toEqual([BATCH_BYTES]);
});

test("the rows of a query are read behind the last one, until there is none", async () => {
  const pages = new Map([
    [undefined, ["a", "b"]],
    ["b", ["c"]],
  ]);
  const queried: (string | undefined)[] = [];
  const rows: string[] = [];
  for await (const row of keyset<string>(async (last) => {
    queried.push(last);
    return pages.get(last) ?? [];
  }))
    rows.push(row);
  expect(rows).toEqual(["a", "b", "c"]);
  expect(queried).toEqual([undefined, "b", "c"]);
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
  await expect(reading).rejects.toMatchObject({ message: "broken at 200" });
  expect(open).toBe(0);
  const writing = inBatches(items, {
    sizes,
    read: (batch) => step(batch, false),
    write: (batch) => step(batch, batch[0] === 200),
  });
  await expect(writing).rejects.toMatchObject({ message: "broken at 200" });
  expect(open).toBe(0);
});

test("of failures that follow from each other the first is thrown", async () => {
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
  await expect(going).rejects.toMatchObject({ message: "the reason" });
});
