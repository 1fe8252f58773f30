// What readers and programs may send, which what speaks with programs says to them.

/** Characters of words that are looked for. */
export const LONGEST_QUERY = 200;
/** What readers may think of a page. */
export const RATINGS = ["bad", "ok", "good"] as const;
export type Rating = (typeof RATINGS)[number];

/** Characters of a comment on a page. */
export const LONGEST_COMMENT = 512;
