interface UnderWay {
  running: Promise<unknown>;
  /** What all share who came since. */
  next?: Promise<unknown>;
}

/** Does `work` under a name, or shares the result of others who asked for the same after this call. */
export type Coalesce = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates what combines the same work that is asked for while it is under way: it is done once more for all who came
 * since, after it has ended. Each gets what was read after they came, so nobody misses a change that was acknowledged
 * before. Work that fails fails for all that share it.
 */
export function createCoalescer(): Coalesce {
  const underWay = new Map<string, UnderWay>();

  function start<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = work();
    const own: UnderWay = { running };
    underWay.set(name, own);
    const end = () => {
      if (underWay.get(name) === own && !own.next) underWay.delete(name);
    };
    running.then(end, end);
    return running;
  }

  return <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const current = underWay.get(name);
    if (!current) return start(name, work);
    const begin = () => start(name, work);
    current.next ??= current.running.then(begin, begin);
    // Cast: what goes by a name is the same work, with the same result.
    return current.next as Promise<Result>;
  };
}
