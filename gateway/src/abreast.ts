import { LRUCache } from "lru-cache";
import { createRecent } from "./recent.js";

/** Milliseconds by which the requests of a party make each other longer while others want something of a service, too. */
const AHEAD_MS = 5;
/** Requests of a party at a time: at least, while nothing is known of what they take, and at most. */
const LEAST = 1;
const FIRST = 4;
const MOST = 64;
/**
 * How much the latest request counts in what the requests of a party take: one that took long says little, as a service that
 * was busy for a moment makes all of them long.
 */
const [RISE, FALL] = [0.02, 0.2];
/** How much the latest request counts in what one takes by itself, where that is less: the shortest of some hundred. */
const FORGET = 0.01;
/** Requests under way, those of others included, up to which the time that one takes says what it takes by itself. */
const FEW = 3;
/** Milliseconds from which on a request is long, and for which a party that had one is taken for one that has more. */
const [LONG_MS, LONG_SINCE_MS] = [100, 10_000];
/** Parties of which it is known what their requests take. */
const KNOWN = 1_000;
/** Milliseconds after which a request no longer counts among those of its party: it may be waiting for something itself. */
const COUNTED_MS = 1_000;

/** How many requests of a party are worked on at a time. */
export interface Abreast {
  /** Calls `start` when the party may have one more request worked on. Returns what tells how that ended. */
  enter(party: string, start: () => void): End;
}

/** Tells that the service has responded, or that nobody waits for it any more; what is told first counts. */
export type End = (how: "responded" | "gone") => void;

/** A request that is worked on: since when, and together with how many others. */
interface Work {
  at: number;
  together: number;
}

/** What a request of a party takes, in milliseconds. */
interface Cost {
  /** By itself, most of it perhaps waiting for something; 0 while it was never seen among few. */
  alone: number;
  /** When the last long one ended. */
  longAt: number;
  /** Of the service, while it works on others. */
  shared: number;
}

interface Party {
  running: number;
  /** Those that were begun a short time ago, which others of the party wait for; the oldest first. */
  counted: Set<Work>;
  waiting: Set<() => void>;
  /** None begins before. */
  restsUntil: number;
  /** Set while any are waiting. */
  timer?: NodeJS.Timeout;
}

/**
 * Of requests that all are welcome at once a service does some of everybody's in turn: whoever sends more of them takes
 * more of its time. While parties meet, each has so many requests under way at a time as make one of them take some
 * milliseconds longer than it takes alone, which are many short ones or one long one, and the others of its requests wait
 * behind them; after a long one as long as that took. A party that is alone is not held up.
 */
export function createAbreast({
  first = FIRST,
  countedMs = COUNTED_MS,
  now = () => performance.now(),
} = {}): Abreast {
  const parties = new Map<string, Party>();
  const costs = new LRUCache<string, Cost>({ max: KNOWN });
  let running = 0;
  const recent = createRecent(now);

  const isAlone = (name: string, party: Party) => running === party.running && !recent.hasOthers(name);
  const isFull = (name: string, party: Party) => party.counted.size >= mostOf(name);
  const mayBegin = (name: string, party: Party) =>
    (now() >= party.restsUntil && !isFull(name, party)) || isAlone(name, party);

  function mostOf(name: string): number {
    const cost = costs.get(name);
    if (cost === undefined) return first;
    // What is worked on at a time takes as long as all of it together, and no less than one of it.
    const alone = now() - cost.longAt < LONG_SINCE_MS ? 0 : cost.alone;
    return Math.max(LEAST, Math.min(MOST, Math.ceil((alone + AHEAD_MS) / cost.shared)));
  }

  /** What was under way together shares the time that it took. Among all that a party alone sends at once nothing is long. */
  function learn(name: string, tookMs: number, { together, isLong }: { together: number; isLong: boolean }) {
    const took = tookMs / together;
    const known = costs.get(name) ?? { alone: 0, shared: took, longAt: Number.NEGATIVE_INFINITY };
    // Its own requests are what makes one of them slow: of many at a time it is not known what one takes.
    const isAmongFew = Math.max(together, running + 1) <= FEW;
    const alone =
      known.alone === 0 ? tookMs : Math.min(tookMs, known.alone + FORGET * (tookMs - known.alone));
    costs.set(name, {
      alone: isAmongFew ? alone : known.alone,
      shared: known.shared + (took > known.shared ? RISE : FALL) * (took - known.shared),
      longAt: isLong ? now() : known.longAt,
    });
  }

  /** Who has more to do after a long request rests as long as that took. */
  function rest(party: Party, tookMs: number) {
    if (tookMs > LONG_MS && party.waiting.size > 0) party.restsUntil = now() + Math.min(tookMs, countedMs);
  }

  function partyOf(name: string): Party {
    const known = parties.get(name);
    if (known) return known;
    const party: Party = { running: 0, counted: new Set(), waiting: new Set(), restsUntil: 0 };
    parties.set(name, party);
    return party;
  }

  /** Begins what waits as far as it may, and looks again when the party has rested, or the oldest no longer counts. */
  function beginWaiting(name: string, party: Party) {
    clearTimeout(party.timer);
    for (const begin of party.waiting) {
      if (!mayBegin(name, party)) break;
      begin();
    }
    if (party.waiting.size === 0) return;
    const [oldest] = party.counted;
    const look = () => {
      if (oldest && now() - oldest.at >= countedMs) party.counted.delete(oldest);
      beginWaiting(name, party);
    };
    const at = oldest && isFull(name, party) ? oldest.at + countedMs : party.restsUntil;
    party.timer = setTimeout(look, Math.max(1, Math.ceil(at - now())));
  }

  return {
    enter(name, start) {
      recent.note(name);
      const party = partyOf(name);
      let work: Work | undefined;
      let isOver = false;
      const begin = () => {
        party.waiting.delete(begin);
        party.running += 1;
        running += 1;
        work = { at: now(), together: running };
        party.counted.add(work);
        start();
      };
      if (mayBegin(name, party)) begin();
      else {
        party.waiting.add(begin);
        if (party.waiting.size === 1) beginWaiting(name, party);
      }
      return (how) => {
        if (isOver) return;
        isOver = true;
        party.waiting.delete(begin);
        if (work) {
          party.running -= 1;
          running -= 1;
          party.counted.delete(work);
          // How long a request would have taken that was given up is not known.
          if (how === "responded") {
            const took = now() - work.at;
            const isLong = took > LONG_MS && !isAlone(name, party);
            learn(name, took, { together: work.together, isLong });
            rest(party, took);
          }
        }
        beginWaiting(name, party);
        if (party.running === 0 && party.waiting.size === 0) parties.delete(name);
      };
    },
  };
}
