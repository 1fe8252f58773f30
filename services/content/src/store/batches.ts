/** Many of something: an array, or what is read anew, a few at a time, whenever it is gone through. */
export type Many<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Returns the bytes of the text of each item. */
type SizesOf<Item> = (items: Item[]) => Promise<number[]>;

interface Steps<Item, Read> {
  sizes: SizesOf<Item>;
  read: (batch: Item[]) => Promise<Read>;
  write: (batch: Item[], read: Read) => Promise<void>;
}

/** Texts at a time, and bytes of them, so that the memory of an import grows neither with the repository nor with its pages. */
const BATCH = 50;
export const BATCH_BYTES = 256 * 1024;
/** Texts whose sizes are asked for at a time. */
const SIZES = 500;

/** Items, so many at a time. */
export async function* batchesOf<Item>(items: Many<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Items with texts: few at a time, and few bytes; a text that is larger than that comes alone. */
export async function* batchesBySize<Item>(items: Many<Item>, sizes: SizesOf<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const some of batchesOf(items, SIZES)) {
    const isAlone = batch.length === 0 && some.length === 1;
    const known = isAlone ? [] : await sizes(some);
    for (const [at, item] of some.entries()) {
      const size = known[at] ?? 0;
      const isFull = batch.length === BATCH || bytes + size > BATCH_BYTES;
      if (isFull && batch.length > 0) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(item);
      bytes += size;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Items in slices that are no larger than `most`, unless one item alone is; their order stays. */
export function* slicesOf<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  most: number,
): Generator<Item[]> {
  let slice: Item[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (slice.length > 0 && size + own > most) {
      yield slice;
      slice = [];
      size = 0;
    }
    slice.push(item);
    size += own;
  }
  if (slice.length > 0) yield slice;
}

/** The rows of a query that returns some of them behind another one, in order; few are in memory at a time. */
export async function* keyset<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last);
    if (rows.length === 0) return;
    yield* rows;
    last = rows.at(-1);
  }
}

/**
 * Goes through items with texts batch by batch. The next batch is asked for before the last is written, on one connection: so it
 * can be prepared here while the database is writing. Nothing is under way any more when it ends, however it ends.
 */
export async function inBatches<Item, Read>(
  items: Many<Item>,
  { sizes, read, write }: Steps<Item, Read>,
): Promise<void> {
  const batches = batchesBySize(items, sizes);
  const next = async () => {
    const { value: batch } = await batches.next();
    return batch && { batch, read: await read(batch) };
  };
  let reading = underWay(next());
  let written: Promise<void> = Promise.resolve();
  let before: Promise<void> | undefined;
  try {
    for (let current = await reading; current; current = await reading) {
      before = written;
      reading = underWay(next());
      written = underWay(write(current.batch, current.read));
      await before;
    }
    await written;
  } catch {
    // The first failure says why: whatever follows on the same connection fails with it.
    for (const ended of await Promise.allSettled([before, written, reading]))
      if (ended.status === "rejected") throw ended.reason;
  }
}

/** What is awaited later: until then a failure is nobody's fault. */
function underWay<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
