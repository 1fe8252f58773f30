import { type RawBuilder, sql } from "kysely";

/** Any of the texts, behind `=`: one parameter however many they are, so that the statement's text repeats. */
export const anyOf = <Text extends string>(texts: readonly Text[]): RawBuilder<Text> =>
  sql<Text>`any(${texts}::text[])`;
