/** Whoever stores a text or the content of a file has so long to name it in an entry; then it is checked. */
export const GRACE_MS = 24 * 3_600_000;
