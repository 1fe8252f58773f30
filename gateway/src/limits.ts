import { refuse } from "@octavo/shared/errors";
import { LRUCache } from "lru-cache";

const MINUTE = 60_000;

interface Window {
  /** End of the window, ms since the epoch. */
  end: number;
  used: number;
}

export interface Allowance {
  limit: number;
  remaining: number;
  /** When the window ends, seconds since the epoch. */
  reset: number;
  exceeded: boolean;
}

export interface RateLimit {
  /** Counts a use of `key` as `weight` uses, one by default and never more than there are, and returns what is left. */
  take(key: string, use?: { weight?: number; now?: number }): Allowance;
  /** The allowance if it is used up, without counting. */
  exhausted(key: string, now?: number): Allowance | undefined;
}

/** Counts uses per key in windows of one minute that begin with the first use. One gateway counts for itself. */
export function createRateLimit(perMinute: number, { keys = 100_000 } = {}): RateLimit {
  // As sizes of 1: a cache with a greatest number of entries takes the memory of all of them when it is created.
  const windows = new LRUCache<string, Window>({ maxSize: keys, sizeCalculation: () => 1 });

  const allowance = ({ end, used }: Window): Allowance => ({
    limit: perMinute,
    remaining: Math.max(0, perMinute - used),
    reset: Math.ceil(end / 1000),
    exceeded: used > perMinute,
  });

  return {
    take(key, { weight = 1, now = Date.now() } = {}) {
      let window = windows.get(key);
      if (!window || window.end <= now) {
        window = { end: now + MINUTE, used: 0 };
        windows.set(key, window);
      }
      window.used += Math.min(weight, perMinute);
      return allowance(window);
    },
    exhausted(key, now = Date.now()) {
      const window = windows.get(key);
      return window && window.end > now && window.used >= perMinute ? allowance(window) : undefined;
    },
  };
}

/** What addresses are counted by: an IPv4 address, or the /64 that whoever has an IPv6 address has all of. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("::", 2);
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groupsOf(before), groupsOf(after ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...(after === undefined ? [] : zeros), ...tail]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}

/** 429 with the time to wait. */
export function refuseRate(what: string, { reset }: Allowance): never {
  const seconds = Math.max(1, reset - Math.floor(Date.now() / 1000));
  refuse("TOO_MANY_REQUESTS", `${what}: too many requests, try again in ${seconds} s`, {
    reason: "rate_limited",
    headers: { "retry-after": String(seconds) },
  });
}
