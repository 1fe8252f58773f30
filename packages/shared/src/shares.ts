/** A limited amount of something, of which many parties take as much as they need. */
export interface Shares {
  /** Takes an amount for the party; false, and nothing taken, when that is more than its share. */
  take(party: string, amount: number): boolean;
  give(party: string, amount: number): void;
}

/** No party gets to hold more than half of what is still free, so that something is left for who comes next. */
export function createShares(total: number): Shares {
  const taken = new Map<string, number>();
  let sum = 0;

  return {
    take(party, amount) {
      const own = (taken.get(party) ?? 0) + amount;
      if (own > (total - sum) / 2) return false;
      taken.set(party, own);
      sum += amount;
      return true;
    },
    give(party, amount) {
      const left = (taken.get(party) ?? 0) - amount;
      sum -= amount;
      if (left > 0) taken.set(party, left);
      else taken.delete(party);
    },
  };
}
