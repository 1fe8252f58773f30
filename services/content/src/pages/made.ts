import type { PageEntry } from "../store/version.js";

/** A page that is in no version, since a source makes it; it is shown like all others. */
export interface MadeEntry extends PageEntry {
  made: {
    /** What makes its text. */
    computed: { type: string; [field: string]: unknown };
    /** What its id is derived from. */
    seed: string;
    markdown: string;
  };
}

/** Whether a source makes a page. */
export const isMade = (entry: object): entry is MadeEntry => "made" in entry;
