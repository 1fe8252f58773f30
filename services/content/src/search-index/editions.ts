// The index holds the primary content of spaces, and beside it editions: the pages of a space as they were at a revision
// that a release of a site pins, which its visitors search. The key of a page of an edition names the revision.

const MARK = "@";

/** The key of a page in the index as a revision has it. */
export const keyInEdition = (page: string, edition: string): string => page + MARK + edition;

/** The revision that a key of the index names; undefined for pages of the primary content. */
export const editionOf = (key: string): string | undefined => key.split(MARK)[1];
