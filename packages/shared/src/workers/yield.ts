/**
 * Milliseconds of work between two turns of others: a request takes several turns, one for each result of the database, and
 * waits as often.
 */
const TURN = 1;

/** For long work on one thread: awaited between its steps, it lets others have their turn every now and then. */
export function yielding(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN) return undefined;
    return othersTurn().then(() => {
      since = performance.now();
    });
  };
}

/** Lets others have their turn. */
export const othersTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Goes through the steps of long work, and lets others have their turn in between. */
export async function inTurns<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  const giveWay = yielding();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await giveWay();
  }
}

/** Goes through all steps at once. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
