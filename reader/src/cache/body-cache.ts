import { LRUCache } from "lru-cache";
import { type Body, sizeOf } from "../http/body.js";

/** Bytes of finished bodies, those of their compressed forms included, that are kept. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Kept {
  body: Body;
  /** When it has lasted its time, in ms of `performance.now`. */
  until: number;
}

/**
 * Creates an LRU cache of response bodies, bounded by bytes. A key says all that a body depends on, and above all who may
 * see it.
 */
export function createBodyCache(most = MAX_BYTES) {
  const kept = new LRUCache<string, Kept>({
    maxSize: most,
    sizeCalculation: ({ body }) => sizeOf(body),
    maxEntrySize: most / 2,
  });
  const making = new Map<string, Promise<Body | undefined>>();

  async function make(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
    try {
      const body = await draw();
      if (body) kept.set(key, { body, until: performance.now() + (body.lasts ?? Number.POSITIVE_INFINITY) });
      else kept.delete(key);
      return body;
    } finally {
      making.delete(key);
    }
  }

  return {
    /**
     * The body under a key, which is drawn once where several ask for it at a time; undefined when there is none to draw.
     * One that has lasted its time is returned for as long again while it is drawn anew: nobody waits for that.
     */
    async get(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
      const there = kept.get(key);
      const over = there ? performance.now() - there.until : 0;
      if (there && over < 0) return there.body;
      const made = making.get(key) ?? make(key, draw);
      making.set(key, made);
      if (!there || over >= (there.body.lasts ?? 0)) return made;
      made.catch(() => undefined);
      return there.body;
    },
    /** Whether a body is kept that lasts, or is being drawn. */
    has: (key: string): boolean => making.has(key) || performance.now() < (kept.peek(key)?.until ?? 0),
    /** Counts what a body takes whose forms have changed since it was kept; it does not last longer by that. */
    count(key: string, body: Body): void {
      const there = kept.peek(key);
      if (there?.body !== body) return;
      kept.delete(key);
      kept.set(key, there);
    },
    /** How many bytes are kept. */
    get bytes(): number {
      return kept.calculatedSize;
    },
  };
}
export type BodyCache = ReturnType<typeof createBodyCache>;
