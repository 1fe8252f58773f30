import { LRUCache } from "lru-cache";
import { isUnavailable } from "./upstream-errors.js";

interface Options<Value> {
  max: number;
  /**
   * The bytes that values take, about, and those that all of them may take together: one that takes more is kept
   * alone. Without it only `max` counts.
   */
  size?: { of: (value: Value) => number; most: number };
  /** So long, in ms, something is believed without asking again. */
  fresh: number;
  /** So long it is used while whoever has to be asked is away. */
  stale: number;
}

interface Entry<Value> {
  value: Value;
  at: number;
  /** When whoever had to be asked again was away. */
  failedAt?: number;
}

/**
 * Creates a cache of upstream responses. Concurrent requests for a key share one call. An expired value is served while the
 * service is unavailable, never in place of a refusal. One request at a time finds out whether it still is: all others are
 * served the expired value without waiting.
 */
export function createUpstreamCache<Value extends object>(
  { max, size, fresh, stale }: Options<Value>,
  now = Date.now,
) {
  const known = new LRUCache<string, Entry<Value>>({
    max,
    ...(size && { maxSize: size.most, sizeCalculation: ({ value }) => Math.min(size.most, size.of(value)) }),
  });
  const asked = new Map<string, Promise<Value>>();
  const entries = new WeakMap<Value, Entry<Value>>();

  function keep(key: string, entry: Entry<Value>): void {
    known.set(key, entry);
    entries.set(entry.value, entry);
  }

  /** Whether a value is served without waiting for the service. */
  function isServed(key: string, { at, failedAt }: Entry<Value>): boolean {
    const time = now();
    if (time - at < fresh) return true;
    if (failedAt === undefined || time - at >= stale) return false;
    return time - failedAt < fresh || asked.has(key);
  }

  async function ask(key: string, load: () => Promise<Value>): Promise<Value> {
    const at = now();
    try {
      const value = await load();
      keep(key, { value, at });
      return value;
    } catch (error) {
      const before = known.get(key);
      if (!isUnavailable(error)) known.delete(key);
      if (!before || !isUnavailable(error) || now() - before.at >= stale) throw error;
      before.failedAt = now();
      return before.value;
    } finally {
      asked.delete(key);
    }
  }

  return {
    /** Returns what is known, or asks; `again` asks although something is known. */
    async get(key: string, load: () => Promise<Value>, again = false): Promise<Value> {
      const found = known.get(key);
      if (found && !again && isServed(key, found)) return found.value;
      const asking = asked.get(key) ?? ask(key, load);
      asked.set(key, asking);
      return asking;
    },
    /** Keeps what was returned under another key as well. */
    put(key: string, value: Value): void {
      keep(key, entries.get(value) ?? { value, at: now() });
    },
    /** Whether what is known is served without waiting for the service. */
    isFresh(key: string): boolean {
      const found = known.peek(key);
      return found !== undefined && isServed(key, found);
    },
    /** When what was returned is asked for again. */
    freshUntil: (value: Value): number => (entries.get(value)?.at ?? 0) + fresh,
  };
}
