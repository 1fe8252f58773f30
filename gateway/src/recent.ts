/** Milliseconds for which a party that asked for something is taken into account. */
const RECENT_MS = 1_000;

/** Which parties asked for something a moment ago. */
export interface Recent {
  note(party: string): void;
  hasOthers(party: string): boolean;
}

/** Remembers the two parties that asked last: of any party they tell whether another one did. */
export function createRecent(now = () => performance.now()): Recent {
  /** The latest first. */
  let seen: { party: string; at: number }[] = [];
  return {
    note(party) {
      const [latest] = seen;
      if (latest?.party === party) latest.at = now();
      else seen = [{ party, at: now() }, ...(latest ? [latest] : [])];
    },
    hasOthers: (name) => seen.some(({ party, at }) => party !== name && at > now() - RECENT_MS),
  };
}
