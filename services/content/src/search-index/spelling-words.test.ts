import { transact } from "@octavo/shared/database/transact";
import { counted } from "@octavo/shared/testing/counted";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { keysOf } from "./spelling-keys.js";
import { keepWords } from "./spelling-words.js";

const t = await contentTest();
afterAll(t.drop);

const WORDS = ["manual", "handbook", "reference"];
const keptOf = async (space: string) => {
  const rows = await t.db.selectFrom("search_word").selectAll().where("space", "=", space).execute();
  return rows.map(({ key, word }) => `${key} ${word}`).sort();
};
const rowsOf = (words: string[]) =>
  words.flatMap((word) => keysOf(word).map((key) => `${key} ${word}`)).sort();

/** How many queries it takes to keep words of a space. */
async function keeping(space: string, words: string[]): Promise<number> {
  const { db, queries } = counted(t.db);
  await transact({ ...t.ctx, db }, (ctx) => keepWords(ctx, space, words));
  return queries();
}

test("words are kept once, and are not asked for when they are known to be kept", async () => {
  const space = await t.space();
  expect(await keeping(space, WORDS.slice(0, 2))).toBe(1);
  expect(await keeping(space, WORDS)).toBe(1);
  expect(await keptOf(space)).toEqual(rowsOf(WORDS));
  expect(await keeping(space, WORDS.slice(0, 2))).toBe(0);
  expect(await keeping(space, WORDS)).toBe(1);
  expect(await keeping(space, WORDS)).toBe(0);
  const other = await t.space();
  expect(await keeping(other, WORDS)).toBe(1);
  expect(await keptOf(other)).toEqual(rowsOf(WORDS));
});

test("words whose transaction was rolled back are kept by the next one, however often it named them", async () => {
  const space = await t.space();
  const failing = transact(t.ctx, async (ctx) => {
    await keepWords(ctx, space, WORDS);
    await keepWords(ctx, space, WORDS);
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  expect(await keptOf(space)).toEqual([]);
  await keeping(space, WORDS);
  expect(await keptOf(space)).toEqual(rowsOf(WORDS));
});
