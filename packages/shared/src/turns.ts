/** A limited number of places that many parties share. */
export interface Turns {
  /**
   * Calls `start` once there is a place for the party: at once, or when its turn comes. Returns what gives the place back,
   * or the turn up; calling it again does nothing.
   */
  enter(party: string, start: () => void): () => void;
}

interface Party {
  running: number;
  waiting: Set<() => void>;
}

/**
 * No second place makes a party hold more than half of those that are still free, so that there is one for who comes next.
 * Within a party it is first come, first served; between parties places go round.
 */
export function createTurns(places: number): Turns {
  const parties = new Map<string, Party>();
  let running = 0;
  let waiting = 0;

  const fits = (party: Party) =>
    running < places && (party.running === 0 || party.running + 1 <= (places - running) / 2);

  function partyOf(name: string): Party {
    const known = parties.get(name);
    if (known) return known;
    const party: Party = { running: 0, waiting: new Set() };
    parties.set(name, party);
    return party;
  }

  /** Gives free places to who waits; whoever got one goes to the end of the round. */
  function next() {
    if (waiting === 0) return;
    for (const [name, party] of [...parties].filter(([, { waiting }]) => waiting.size > 0)) {
      if (running >= places) return;
      const [start] = party.waiting;
      if (!start || !fits(party)) continue;
      parties.delete(name);
      parties.set(name, party);
      start();
    }
  }

  function enter(name: string, start: () => void): () => void {
    const party = partyOf(name);
    let state: "waiting" | "running" | "over" = "waiting";
    const begin = () => {
      if (party.waiting.delete(begin)) waiting--;
      state = "running";
      party.running++;
      running++;
      start();
    };
    if (party.waiting.size === 0 && fits(party)) begin();
    else {
      party.waiting.add(begin);
      waiting++;
    }
    return () => {
      if (state === "over") return;
      const held = state === "running";
      state = "over";
      if (party.waiting.delete(begin)) waiting--;
      if (held) {
        party.running--;
        running--;
      }
      if (party.running === 0 && party.waiting.size === 0) parties.delete(name);
      if (held) next();
    };
  }

  return { enter };
}
