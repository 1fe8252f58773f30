/** Milliseconds of work between two turns of others. */
const TURN = 20;

/** For long work on one thread: awaited between its steps, it lets others have their turn every now and then. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
