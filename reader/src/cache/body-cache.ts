import { LRUCache } from "lru-cache";
import { type Body, sizeOf } from "../http/body.js";

/** Bytes of finished bodies, those of their compressed forms included, that are kept. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Creates an LRU cache of response bodies, bounded by bytes. A key says all that a body depends on, and above all who may
 * see it.
 */
export function createBodyCache(most = MAX_BYTES) {
  const kept = new LRUCache<string, Body>({ maxSize: most, sizeCalculation: sizeOf, maxEntrySize: most / 2 });
  const making = new Map<string, Promise<Body | undefined>>();

  async function make(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
    try {
      const body = await draw();
      if (body) kept.set(key, body, { ttl: body.lasts ?? 0 });
      return body;
    } finally {
      making.delete(key);
    }
  }

  return {
    /** The body under a key, which is drawn once where several ask for it at a time; undefined when there is none to draw. */
    async get(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
      const there = kept.get(key);
      if (there) return there;
      const made = making.get(key) ?? make(key, draw);
      making.set(key, made);
      return made;
    },
    /** Whether a body is kept or being drawn. */
    has: (key: string): boolean => kept.has(key) || making.has(key),
    /** Counts what a body takes whose forms have changed since it was kept; it does not last longer by that. */
    count(key: string, body: Body): void {
      if (kept.peek(key) !== body) return;
      const left = kept.getRemainingTTL(key);
      kept.delete(key);
      kept.set(key, body, { ttl: Number.isFinite(left) ? left : 0 });
    },
    /** How many bytes are kept. */
    get bytes(): number {
      return kept.calculatedSize;
    },
  };
}
export type BodyCache = ReturnType<typeof createBodyCache>;
