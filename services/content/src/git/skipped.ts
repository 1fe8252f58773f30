/**
 * Why an import left something out, the most surprising first: `missing-page` is named by the table of contents and comes
 * in without a text, `unlisted-page` is a text that it does not name.
 */
export const SKIP_REASONS = [
  "missing-page",
  "include",
  "summary-line",
  "frontmatter",
  "variable",
  "redirect",
  "lfs-pointer",
  "symlink",
  "submodule",
  "file-name",
  "unlisted-page",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What was left out for one reason: how often, and the first of the paths, perhaps with a line or a name behind `:`. */
export interface Skipped {
  reason: SkipReason;
  count: number;
  paths: string[];
}

/** Paths that are kept for each reason. */
const MOST_PATHS = 20;

/** Collects what an import leaves out; its size does not grow with the repository. */
export class SkippedEntries {
  readonly #counts = new Map<SkipReason, number>();
  readonly #paths = new Map<SkipReason, string[]>();

  add(reason: SkipReason, path: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    const paths = this.#paths.get(reason) ?? [];
    if (paths.length < MOST_PATHS) this.#paths.set(reason, [...paths, path]);
  }

  list(): Skipped[] {
    return SKIP_REASONS.filter((reason) => this.#counts.has(reason)).map((reason) => ({
      reason,
      count: this.#counts.get(reason)!,
      paths: this.#paths.get(reason)!,
    }));
  }
}
