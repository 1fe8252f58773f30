import { prepare } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import { keysBeginning, keysNear, mistakesIn } from "../../search-index/spelling-keys.js";
import type { Ctx } from "../../trpc.js";
import { mistakesBetween } from "./distance.js";
import type { Query, Term } from "./query.js";
import { isAmong, type Scope, type SeveralValues, valuesOf } from "./scope.js";

/** Words that a mistyped one may stand for, at most. */
const MOST = 12;
/** Spaces whose words are read; with more of them all common words are among the first. */
const MOST_SPACES = 200;
/** A beginning with a mistake in it says enough from so many letters on. */
const BEGINNING = 5;

/**
 * The query with each word that can hold a mistake standing for all words of the scope within so many mistakes of it,
 * too; the nearest come first. Undefined when there are none.
 */
export async function corrected(
  ctx: Ctx,
  scope: Scope,
  query: Query,
  mistakes: number,
): Promise<Query | undefined> {
  const words = await Promise.all(query.terms.map((term) => meant(ctx, scope, term, mistakes)));
  if (words.every((some) => some.length === 0)) return undefined;
  const terms = query.terms.map((term, at) => ({
    ...term,
    forms: [...term.forms, ...words[at]!.map((text) => [{ text }])],
  }));
  return { ...query, terms, words: [...query.words, ...words.flat()] };
}

async function meant(ctx: Ctx, scope: Scope, { word, unfinished }: Term, most: number): Promise<string[]> {
  const mistakes = word === undefined ? 0 : Math.min(most, mistakesIn(word));
  if (word === undefined || mistakes === 0) return [];
  const open = unfinished === true && [...word].length >= BEGINNING;
  const keys = [...keysNear(word, mistakes), ...(open ? keysBeginning(word, mistakes) : [])];
  const rows = await wordsAt(ctx, scope, [...new Set(keys)]);
  return rows
    .map((row) => ({ ...row, whole: mistakesBetween(word, row.word) }))
    .map(({ word: other, whole }) => {
      const near = whole <= mistakes ? whole : open ? mistakesBetween(word, other, true) + 0.5 : Infinity;
      return { word: other, near, longer: Math.abs(other.length - word.length) };
    })
    .filter(({ word: other, near }) => other !== word && near < mistakes + 1)
    .sort((a, b) => a.near - b.near || a.longer - b.longer || (a.word < b.word ? -1 : 1))
    .slice(0, MOST)
    .map(({ word }) => word);
}

const wordsAt = ({ db }: Ctx, scope: Scope, keys: string[]) =>
  "space" in scope
    ? wordsInOne(db, { space: scope.space, keys })
    : wordsInSeveral(db, { ...valuesOf(scope), keys });

const wordsInOne = prepare<{ space: string; keys: string[] }, { word: string }>(
  (arg) =>
    sql`select distinct word from search_word where space = ${arg("space")} and key = any(${arg("keys")}::text[])`,
);

const wordsInSeveral = prepare<SeveralValues & { keys: string[] }, { word: string }>(
  (arg) => sql`select distinct w.word from (
      select space.id from space where ${isAmong(arg)} order by space.position, space.id limit ${sql.lit(MOST_SPACES)}) s
    cross join lateral (
      select word from search_word where space = s.id and key = any(${arg("keys")}::text[]) offset 0) w`,
);
