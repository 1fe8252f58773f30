interface Steps<Item, Read> {
  read: (batch: Item[]) => Promise<Read>;
  write: (batch: Item[], read: Read) => Promise<void>;
}

/** Texts at a time, so that the memory of an import does not grow with the repository. */
const BATCH = 50;

/** Items, so many at a time. */
export function* batchesOf<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/**
 * Goes through items batch by batch. The next batch is asked for before the last is written, on one connection: so it
 * can be prepared here while the database is writing. Nothing is under way any more when it ends, however it ends.
 */
export async function inBatches<Item, Read>(
  items: Item[],
  { read, write }: Steps<Item, Read>,
): Promise<void> {
  const batchAt = (at: number) => items.slice(at, at + BATCH);
  let reading = read(batchAt(0));
  let written: Promise<void> = Promise.resolve();
  let before: Promise<void> | undefined;
  try {
    for (let at = 0; at < items.length; at += BATCH) {
      const current = await reading;
      before = written;
      reading = read(batchAt(at + BATCH));
      written = write(batchAt(at), current);
      await before;
    }
    await written;
  } finally {
    await Promise.allSettled([reading, before, written]);
  }
}
