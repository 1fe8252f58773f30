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
}

/**
 * Remembers what was asked for a short time: those who ask for the same at once ask once, and while a service is away what
 * it said before is good enough. Refusals that it makes itself are never hidden by what it said before.
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
  const times = new WeakMap<Value, number>();

  async function ask(key: string, load: () => Promise<Value>): Promise<Value> {
    const at = now();
    try {
      const value = await load();
      known.set(key, { value, at });
      times.set(value, at);
      return value;
    } catch (error) {
      const before = known.get(key);
      if (before && isUnavailable(error) && now() - before.at < stale) return before.value;
      if (!isUnavailable(error)) known.delete(key);
      throw error;
    } finally {
      asked.delete(key);
    }
  }

  return {
    /** Returns what is known, or asks; `again` asks although something is known. */
    async get(key: string, load: () => Promise<Value>, again = false): Promise<Value> {
      const found = known.get(key);
      if (found && !again && now() - found.at < fresh) return found.value;
      const asking = asked.get(key) ?? ask(key, load);
      asked.set(key, asking);
      return asking;
    },
    /** Keeps what was returned under another key as well. */
    put(key: string, value: Value): void {
      known.set(key, { value, at: times.get(value) ?? now() });
    },
    /** Whether what is known is believed without asking. */
    isFresh(key: string): boolean {
      const found = known.peek(key);
      return found !== undefined && now() - found.at < fresh;
    },
    /** When what was returned is asked for again. */
    freshUntil: (value: Value): number => (times.get(value) ?? 0) + fresh,
  };
}
