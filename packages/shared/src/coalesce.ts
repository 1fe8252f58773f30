import { setTimeout as sleep } from "node:timers/promises";

interface UnderWay {
  running: Promise<unknown>;
  /** When it began, in ms. */
  since: number;
  /** What all share who came since, and how many they are. */
  next?: Promise<unknown>;
  waiting: number;
}

/**
 * Does `work` under a name, or shares the result of others who asked for the same after this call. Where several wait for
 * it, it begins no sooner than `paceMs` after the last time, for those who come until then as well.
 */
export type Coalesce = <Result>(
  name: string,
  work: () => Promise<Result>,
  paceMs?: number,
) => Promise<Result>;

/**
 * Creates what combines the same work that is asked for while it is under way: it is done once more for all who came
 * since, after it has ended. Each gets what was read after they came, so nobody misses a change that was acknowledged
 * before. Work that fails fails for all that share it.
 */
export function createCoalescer(): Coalesce {
  const underWay = new Map<string, UnderWay>();

  function start<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = work();
    const own: UnderWay = { running, since: performance.now(), waiting: 0 };
    underWay.set(name, own);
    const end = () => {
      if (underWay.get(name) === own && !own.next) underWay.delete(name);
    };
    running.then(end, end);
    return running;
  }

  return <Result>(name: string, work: () => Promise<Result>, paceMs = 0): Promise<Result> => {
    const current = underWay.get(name);
    if (!current) return start(name, work);
    const begin = async () => {
      if (current.waiting > 1) await untilPaceAllows(current.since, paceMs);
      return start(name, work);
    };
    current.next ??= current.running.then(begin, begin);
    current.waiting += 1;
    // Cast: what goes by a name is the same work, with the same result.
    return current.next as Promise<Result>;
  };
}

/** Waits until so many ms have passed since something began. */
export async function untilPaceAllows(since: number, paceMs: number): Promise<void> {
  const left = since + paceMs - performance.now();
  if (left > 0) await sleep(left);
}
