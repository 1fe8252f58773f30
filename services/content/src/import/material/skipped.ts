/**
 * Why an import left something out. `limit` is beyond the number or the size of what is taken, `unlisted` a page that the
 * navigation does not name, `navigation` and `summary` one that cannot be read.
 */
export const SKIP_REASONS = [
  "unreadable",
  "unreachable",
  "limit",
  "robots",
  "symlink",
  "encrypted",
  "empty",
  "summary",
  "navigation",
  "unlisted",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Paths that are named for each reason. */
const MOST_PATHS = 20;

/** What an import leaves out; its size does not grow with the source. */
export class Skipped {
  readonly #reasons = new Map<SkipReason, { count: number; paths: string[] }>();
  #total = 0;

  add(reason: SkipReason, path: string): void {
    const known = this.#reasons.get(reason) ?? { count: 0, paths: [] };
    this.#reasons.set(reason, known);
    known.count += 1;
    this.#total += 1;
    if (known.paths.length < MOST_PATHS) known.paths.push(path.slice(0, 500));
  }

  get total(): number {
    return this.#total;
  }

  list() {
    return [...this.#reasons].map(([reason, { count, paths }]) => ({ reason, count, paths }));
  }
}
