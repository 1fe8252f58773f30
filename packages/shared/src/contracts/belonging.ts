/** What a secret belongs to: sealed for one thing, it does not open for another. */
export interface Belonging {
  /** What kind of secret of what kind of thing, such as `site.privateKey`. */
  kind: string;
  id: string;
  /** The organization that the thing belongs to, where that never changes. */
  organization?: string;
}
