/** Entries of a list that stand one after the other, or how many are left out in their place. */
export type Run<Of> = Of[] | number;

/** Entries at the beginning of a list, and to each side of one, that are kept of it. */
interface Kept {
  first: number;
  near: number;
}

/** A list without most of it, in its order: what is kept are its first entries, and those around the one at an index. */
export function runsOf<Of>(all: Of[], at: number, { first, near }: Kept): Run<Of>[] {
  const from = at < 0 ? all.length : Math.max(first, at - near);
  const to = at < 0 ? all.length : Math.max(first, at + near + 1);
  const runs: Run<Of>[] = [all.slice(0, first), from - first, all.slice(from, to), all.length - to];
  return runs.filter((run) => (typeof run === "number" ? run > 0 : run.length > 0));
}
