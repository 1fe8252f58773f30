import { type Reference, referencesIn } from "@octavo/markdown/links/references";

/** References of a text beyond these are not followed. */
export const MOST_FOLLOWED = 5000;

/** What a text refers to, as far as it is followed. */
export const followedIn = (markdown: string): Reference[] => referencesIn(markdown).slice(0, MOST_FOLLOWED);
