import type { Argument } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import { isReadable, type ReadableSpaces } from "../../access/filter.js";

/** What is searched: a space, or what of an organization the caller may read. */
export type Scope = OneSpace | SeveralSpaces;

interface OneSpace {
  organization: string;
  space: string;
  /** Where results name it. */
  title?: string;
  /** The revision that is searched instead of the primary content, by the space. */
  editions?: ReadonlyMap<string, string>;
}

/** Those spaces of an organization that somebody may read. */
export interface SeveralSpaces {
  organization: string;
  readable: ReadableSpaces;
  /** Those of which a revision is searched instead of the primary content. */
  editions?: ReadonlyMap<string, string>;
}

/** Returns the scope where it is several spaces; undefined for one. */
export const severalIn = (scope: Scope): SeveralSpaces | undefined =>
  "readable" in scope ? scope : undefined;

/** Several spaces as the values of a statement. */
export interface SeveralValues extends ReadableSpaces {
  organization: string;
}

/** Returns several spaces as the values that `isAmong` reads. */
export const valuesOf = ({ organization, readable }: SeveralSpaces): SeveralValues => ({
  organization,
  ...readable,
});

/**
 * The condition on `space` that it is one of several, in a statement that is prepared. The planner sees none of the values: it
 * would plan anew each time.
 */
export function isAmong(arg: Argument<SeveralValues>): RawBuilder<boolean> {
  const readable = isReadable((name, type) => hidden(arg(name), type));
  const organization = hidden(arg("organization"), "text");
  return sql<boolean>`space.organization = ${organization} and space.deleted_at is null and ${readable}`;
}

/** A value that the planner does not see. */
export const hidden = (value: RawBuilder<unknown>, type: string) =>
  sql`(select ${value}::${sql.raw(type)})::${sql.raw(type)}`;
