import { randomHostile } from "@octavo/markdown/testing/hostile";
import { pick, seeded } from "@octavo/markdown/testing/random";
import { workOf } from "@octavo/markdown/testing/work";
import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.js";

const SIZES = [20_000, 200_000];
/** Lookups, searched characters and places compared, for one character of the text. */
const MOST = 60;

/** Words of a text as a search has them, and some that are nowhere in it. */
function wordsOf(text: string, random: () => number): string[] {
  const runs =
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 1000) ?? [];
  const within = (run: string) => run.slice(0, 1 + Math.floor(random() * 20));
  return Array.from({ length: 1 + Math.floor(random() * 20) }, () =>
    runs.length > 0 && random() < 0.8 ? within(pick(random, runs)) : pick(random, ["zzz", "a", "b", "漢字"]),
  );
}

const isExcerpt = (excerpt: string, text: string) =>
  excerpt.length <= 242 && text.includes(excerpt.replace(/^…/, "").replace(/…$/, ""));

test("an excerpt of a random hostile text is made with work in proportion to it", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    for (const size of SIZES) {
      const random = seeded(seed);
      const text = randomHostile(random, size);
      const words = wordsOf(text, random);
      let excerpt = "";
      const work = workOf(() => {
        excerpt = excerptOf(text, words);
      });
      expect(isExcerpt(excerpt, text), `seed ${seed}`).toBe(true);
      expect(work / text.length, `seed ${seed}: ${JSON.stringify(words)}`).toBeLessThan(MOST);
    }
  }
});

const fill = (piece: string) => piece.repeat(Math.floor(200_000 / piece.length));
test.each<[string, string, string[]]>([
  ["one letter everywhere", fill("a "), ["a", "b"]],
  ["a letter inside words", fill("xa"), ["a"]],
  ["accents that are compared without", `${fill("á ")}${fill("é ")}`, ["a", "e"]],
  ["one long word with accents", fill("á"), ["aaaaaaaaaaaaaaaaaaaaaaaab"]],
  ["a word that nearly occurs", fill("a"), [`${"a".repeat(30)}b`]],
  ["no blanks to cut at", fill("漢"), ["字"]],
  ["blanks alone", fill(" "), ["a"]],
  ["letters that grow in small ones", fill("İ "), ["i", "b"]],
  ["words far apart", `one ${fill("x ")}two ${fill("x ")}three`, ["one", "two", "three"]],
])("an excerpt of 200,000 characters with %s", (_, text, words) => {
  let excerpt = "";
  const work = workOf(() => {
    excerpt = excerptOf(text, words);
  });
  expect(isExcerpt(excerpt, text)).toBe(true);
  expect(work / text.length).toBeLessThan(MOST);
});
