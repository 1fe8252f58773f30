import { type RawBuilder, sql } from "kysely";

/** Any of the texts, behind `=`: one parameter however many they are, so that the statement's text repeats. */
export const anyOf = <Text extends string>(texts: readonly Text[]): RawBuilder<Text> =>
  sql<Text>`any(${texts}::text[])`;

/**
 * Texts as an array whose length the planner is not shown. Else it plans a statement anew each time, since it expects
 * less of the few texts that there mostly are than of the ten that it assumes of any array.
 */
export const arrayOf = (texts: readonly string[] | RawBuilder<string[]>): RawBuilder<string[]> =>
  sql<string[]>`(select ${texts}::text[])::text[]`;
