interface Steps<Item, Read> {
  read: (batch: Item[]) => Promise<Read>;
  write: (batch: Item[], read: Read) => Promise<void>;
}

/** Items at a time, so that the memory of an import does not grow with the repository. */
const BATCH = 50;

/**
 * Goes through items batch by batch. The next batch is asked for before the last is written, on one connection: so it
 * can be prepared here while the database is writing.
 */
export async function inBatches<Item, Read>(
  items: Item[],
  { read, write }: Steps<Item, Read>,
): Promise<void> {
  const batchAt = (at: number) => items.slice(at, at + BATCH);
  let reading = read(batchAt(0));
  let written: Promise<void> = Promise.resolve();
  for (let at = 0; at < items.length; at += BATCH) {
    const [before, current] = [written, await reading];
    reading = read(batchAt(at + BATCH));
    written = write(batchAt(at), current);
    // Both are awaited later; until then a failure of theirs is not unhandled.
    for (const promise of [reading, written]) promise.catch(() => undefined);
    await before;
  }
  await written;
}
