import { LRUCache } from "lru-cache";
import type { AskedPage, Requester } from "./content.js";

/** Looks up the path of the page at a path of a revision; without `asking` for nobody who waits. */
export type LookUp = (at: AskedPage, asking?: Requester) => Promise<string | undefined>;

interface KeptPage {
  path: string | undefined;
  /** From then on it is looked up again when it is used, by `performance.now()`. */
  freshUntil: number;
}

interface Times {
  /** Milliseconds that a path is used for after it was looked up. */
  keptMs: number;
  /** Milliseconds after which it is looked up again when it is used. */
  freshMs: number;
}

const MOST_PAGES = 10_000;
/** A revision never changes, but an import that finds it as it is may bring other redirects. */
const TIMES: Times = { keptMs: 60_000, freshMs: 30_000 };

/**
 * Keeps what lies at paths of revisions. What is used often is looked up again before it is too old, so that nobody waits
 * for that.
 */
export function keepPages(lookUp: LookUp, { keptMs, freshMs }: Times = TIMES) {
  const kept = new LRUCache<string, KeptPage>({ max: MOST_PAGES, ttl: keptMs });

  function keep(name: string, path: string | undefined) {
    // Those that were looked up together are not looked up together again.
    kept.set(name, { path, freshUntil: performance.now() + freshMs * (1 - Math.random() / 2) });
  }

  async function lookUpAgain(name: string, at: AskedPage) {
    try {
      keep(name, await lookUp(at));
    } catch {
      // It is used until it is too old; who asks then is told what is wrong.
    }
  }

  return async (asking: Requester, at: AskedPage): Promise<string | undefined> => {
    const name = JSON.stringify([at.space, at.revision, at.path, at.claims]);
    const known = kept.get(name);
    if (!known) {
      const path = await lookUp(at, asking);
      keep(name, path);
      return path;
    }
    if (performance.now() >= known.freshUntil) {
      known.freshUntil = Number.POSITIVE_INFINITY;
      void lookUpAgain(name, at);
    }
    return known.path;
  };
}
