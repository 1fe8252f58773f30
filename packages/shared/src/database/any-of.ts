import { type RawBuilder, sql } from "kysely";

/** Any of the texts, behind `=`: one parameter however many they are, so that the statement's text repeats. */
export const anyOf = <Text extends string>(texts: readonly Text[]): RawBuilder<Text> =>
  sql<Text>`any(${texts}::text[])`;

/** An array of more items is looked up by a plan of its own. */
const MANY = 100;

/** Whether an array is so long that a plan for its items saves more than planning costs. */
export const isLong = (items: readonly unknown[]): boolean => items.length > MANY;

/**
 * Texts as an array whose length the planner is not shown. Else it plans a statement anew each time, since it expects
 * less of the few texts that there mostly are than of the ten that it assumes of any array. A long array it is shown: it
 * compares rows with that by a hash table, and with one that it does not see item by item.
 */
export const arrayOf = (texts: readonly string[] | RawBuilder<string[]>): RawBuilder<string[]> =>
  Array.isArray(texts) && isLong(texts)
    ? sql<string[]>`${texts}::text[]`
    : sql<string[]>`(select ${texts}::text[])::text[]`;
