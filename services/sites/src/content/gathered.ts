import { untilPaceAllows } from "@octavo/shared/coalesce";

interface Waiting<Found> {
  ids: string[];
  resolve: (found: Found[]) => void;
  reject: (error: unknown) => void;
}

interface Bounds {
  /** Ids of one lookup, unless a single caller asks for more. */
  most: number;
  /** Ms between the beginnings of two lookups, where several callers wait. */
  paceMs?: number;
}

/**
 * Combines lookups that come while one is under way: the next one is for all of them. Each gets what was read after it
 * came. A lookup that fails fails for all that share it.
 */
export function gathered<Found extends { id: string }>(
  lookUp: (ids: string[]) => Promise<Found[]>,
  { most, paceMs = 0 }: Bounds,
): (ids: string[]) => Promise<Found[]> {
  const waiting: Waiting<Found>[] = [];
  let isUnderWay = false;

  async function next(since = Number.NEGATIVE_INFINITY) {
    if (waiting.length === 0) return;
    isUnderWay = true;
    if (waiting.length > 1) await untilPaceAllows(since, paceMs);
    const together = takeTogether(waiting, most);
    const begun = performance.now();
    try {
      const found = await lookUp([...new Set(together.flatMap(({ ids }) => ids))]);
      const known = new Map(found.map((one) => [one.id, one]));
      for (const { ids, resolve } of together) resolve(ids.flatMap((id) => known.get(id) ?? []));
    } catch (error) {
      for (const { reject } of together) reject(error);
    } finally {
      isUnderWay = false;
      void next(begun);
    }
  }

  return (ids) =>
    new Promise((resolve, reject) => {
      waiting.push({ ids, resolve, reject });
      if (!isUnderWay) void next();
    });
}

/** Removes the first of those that wait, as many as ask for `most` ids together. */
function takeTogether<Found>(waiting: Waiting<Found>[], most: number): Waiting<Found>[] {
  let size = 0;
  const end = waiting.findIndex(({ ids }, at) => {
    size += ids.length;
    return at > 0 && size > most;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
