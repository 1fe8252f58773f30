import { LRUCache } from "lru-cache";
import { createRecent } from "./recent.js";

/** Milliseconds of a service's work that a party has under way at a time while others want something of it, too. */
const AHEAD_MS = 20;
/** Requests of a party at a time: at least, while nothing is known of what they take, and at most. */
const LEAST = 2;
const FIRST = 4;
const MOST = 64;
/** How much the latest request counts in what the requests of a party take. */
const WEIGHT = 0.2;
/** Parties of which it is known what their requests take. */
const KNOWN = 1_000;
/** Milliseconds after which a request waits no longer for others of its party: they may wait for something themselves. */
const WAIT_MS = 1_000;

/** How many requests of a party are worked on at a time. */
export interface Abreast {
  /** Calls `start` when the party may have one more request worked on. Returns what tells how that ended. */
  enter(party: string, start: () => void): End;
}

/** Tells that the service has responded, or that nobody waits for it any more; what is told first counts. */
export type End = (how: "responded" | "gone") => void;

interface Party {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Of requests that all are welcome at once a service does some of everybody's in turn: whoever sends more of them takes
 * more of its time. While parties meet, each has some milliseconds of work under way at a time, which are many short
 * requests or a few long ones, and the others of its requests wait behind them. A party that is alone is not held up.
 */
export function createAbreast({
  first = FIRST,
  waitMs = WAIT_MS,
  now = () => performance.now(),
} = {}): Abreast {
  const parties = new Map<string, Party>();
  /** Milliseconds of the service that a request of a party takes. */
  const costs = new LRUCache<string, number>({ max: KNOWN });
  let running = 0;
  const recent = createRecent(now);

  const hasOthers = (name: string, party: Party) => running > party.running || recent.hasOthers(name);

  function mostOf(name: string): number {
    const cost = costs.get(name);
    return cost === undefined ? first : Math.max(LEAST, Math.min(MOST, Math.floor(AHEAD_MS / cost)));
  }

  /** What was under way together shares the time that it took. */
  function learn(name: string, tookMs: number, together: number) {
    const cost = tookMs / together;
    const known = costs.get(name) ?? cost;
    costs.set(name, known + WEIGHT * (cost - known));
  }

  function partyOf(name: string): Party {
    const known = parties.get(name);
    if (known) return known;
    const party: Party = { running: 0, waiting: new Set() };
    parties.set(name, party);
    return party;
  }

  return {
    enter(name, start) {
      recent.note(name);
      const party = partyOf(name);
      let late: NodeJS.Timeout | undefined;
      let state: "waiting" | "running" | "done" = "waiting";
      let begun = { at: 0, together: 1 };
      const begin = () => {
        clearTimeout(late);
        party.waiting.delete(begin);
        state = "running";
        party.running += 1;
        running += 1;
        begun = { at: now(), together: running };
        start();
      };
      if (party.running < mostOf(name) || !hasOthers(name, party)) begin();
      else {
        party.waiting.add(begin);
        late = setTimeout(begin, waitMs);
      }
      return (how) => {
        if (state === "done") return;
        clearTimeout(late);
        party.waiting.delete(begin);
        if (state === "running") {
          party.running -= 1;
          running -= 1;
          // How long a request would have taken that was given up is not known.
          if (how === "responded") learn(name, now() - begun.at, begun.together);
        }
        state = "done";
        for (const next of party.waiting) {
          if (party.running >= mostOf(name) && hasOthers(name, party)) break;
          next();
        }
        if (party.running === 0 && party.waiting.size === 0) parties.delete(name);
      };
    },
  };
}
