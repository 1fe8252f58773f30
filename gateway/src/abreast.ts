/** Requests of one party that a service works on at a time while others want something of it, too. */
const ABREAST = 4;
/** Milliseconds for which a party that asked for something is taken into account. */
const RECENT_MS = 1_000;
/** Milliseconds after which a request waits no longer for others of its party: they may wait for something themselves. */
const WAIT_MS = 1_000;

/** How many requests of a party are worked on at a time. */
export interface Abreast {
  /** Calls `start` when the party may have one more request worked on. Returns what says that it is done, or not wanted. */
  enter(party: string, start: () => void): () => void;
}

interface Party {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Of requests that all are welcome at once a service does some of everybody's in turn: whoever sends more of them takes
 * more of its time. While parties meet, each has a few worked on at a time, and the others of its requests wait behind
 * them. A party that is alone is not held up.
 */
export function createAbreast({
  most = ABREAST,
  waitMs = WAIT_MS,
  now = () => performance.now(),
} = {}): Abreast {
  const parties = new Map<string, Party>();
  let running = 0;
  /** The two parties that asked last, the latest first. */
  let seen: { party: string; at: number }[] = [];

  function note(party: string) {
    const [latest] = seen;
    if (latest?.party === party) latest.at = now();
    else seen = [{ party, at: now() }, ...(latest ? [latest] : [])];
  }

  const hasOthers = (name: string, party: Party) =>
    running > party.running || seen.some(({ party, at }) => party !== name && at > now() - RECENT_MS);

  function partyOf(name: string): Party {
    const known = parties.get(name);
    if (known) return known;
    const party: Party = { running: 0, waiting: new Set() };
    parties.set(name, party);
    return party;
  }

  return {
    enter(name, start) {
      note(name);
      const party = partyOf(name);
      let late: NodeJS.Timeout | undefined;
      let state: "waiting" | "running" | "done" = "waiting";
      const begin = () => {
        clearTimeout(late);
        party.waiting.delete(begin);
        state = "running";
        party.running += 1;
        running += 1;
        start();
      };
      if (party.running < most || !hasOthers(name, party)) begin();
      else {
        party.waiting.add(begin);
        late = setTimeout(begin, waitMs);
      }
      return () => {
        if (state === "done") return;
        clearTimeout(late);
        party.waiting.delete(begin);
        if (state === "running") {
          party.running -= 1;
          running -= 1;
        }
        state = "done";
        for (const next of party.waiting) {
          if (party.running >= most && hasOthers(name, party)) break;
          next();
        }
        if (party.running === 0 && party.waiting.size === 0) parties.delete(name);
      };
    },
  };
}
