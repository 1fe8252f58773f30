/**
 * Calls `batch` at most once in `ms`, again and again while it returns that there is more (up to a bound, so
 * that the caller's own work is not held up for long).
 */
export function pruneEvery(ms: number, batch: () => Promise<boolean>): () => Promise<void> {
  let next = -Infinity;
  return async () => {
    if (Date.now() < next) return;
    next = Date.now() + ms;
    for (let round = 0; round < 20; round++) if (!(await batch())) return;
    next = -Infinity;
  };
}
