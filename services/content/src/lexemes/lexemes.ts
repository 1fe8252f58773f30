import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/**
 * Where a word stands on a page. Each place has lexemes of its own in the index of pages, so that the best pages are
 * found without looking at all others: `title` the whole title at once, `inTitle` its words, `inHeadings` those of the
 * title and all headings, `anywhere` all words of the page.
 */
export const OCCURRENCES = { title: "=", inTitle: "!", inHeadings: "#", anywhere: "" } as const;
export type Occurrence = keyof typeof OCCURRENCES;

/**
 * What the lexemes of an organization begin with, so that the beginning of a word is looked up among its own and a
 * search costs what the organization holds. Two may share one: what counts are the terms of the scope.
 */
export function prefixOf(organization: string): string {
  const known = prefixes.get(organization);
  if (known !== undefined) return known;
  const prefix = createHash("sha256").update(organization).digest("base64url").slice(0, 5);
  prefixes.set(organization, prefix);
  return prefix;
}
const prefixes = new LRUCache<string, string>({ max: 1_000 });

/** Terms that name the space and the organization of a page; a word holds no colon. */
export const spaceTerm = (space: string) => `:space:${space}`;
export const organizationTerm = (organization: string) => `:org:${organization}`;

/**
 * The term of one in eight pages of a space or organization, whichever they are; `scope` is the term that names it.
 * Where all pages hold what is asked for, an index has to be walked to the end before the first is known: among these
 * the first are found earlier.
 */
export const sampleTerm = (scope: string) => `${scope}:sample`;
export const isInSample = (page: string) => createHash("md5").update(page).digest("hex") < "2";

/** A lexeme as tsvector and tsquery literals write it. */
export const quoted = (lexeme: string) => `'${lexeme.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
