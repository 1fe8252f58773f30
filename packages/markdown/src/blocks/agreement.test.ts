import { expect, test } from "vitest";
import { newBudget } from "../parser/bounds.js";
import { tokensOf } from "../parser/parser.js";
import { findTitle } from "../source/title.js";
import { randomHostile } from "../testing/hostile.js";
import { type Random, randomPage, randomText, seeded } from "../testing/random.js";
import { findFrontmatter } from "../yaml/frontmatter.js";
import { scanBlocks } from "./blocks.js";
import { cutLines, readLines } from "./lines.js";

// What merges and titles cut a page by, against the tokens that its document is made of.

const MAKERS: [name: string, make: (random: Random) => string][] = [
  ["whole blocks", randomPage],
  ["shards", randomText],
  ["hostile pieces", (random) => randomHostile(random, 400)],
];

function* pagesOf(make: (random: Random) => string): Generator<[seed: number, page: string]> {
  for (let seed = 0; seed < 1500; seed += 1) {
    const page = make(seeded(seed));
    if (!findFrontmatter(page) && !page.startsWith("\uFEFF")) yield [seed, page];
  }
}

const topTokens = (page: string) =>
  tokensOf(page, newBudget()).filter(({ level, nesting }) => level === 0 && nesting >= 0);

const OPENS = /\{%|<[a-z]|^[ \t]*\$\$/im;

test.each(MAKERS)("pages of %s are cut where blocks of the document begin", (_, make) => {
  let whole = 0;
  for (const [seed, page] of pagesOf(make)) {
    const lines = cutLines(page);
    const begins = topTokens(page).map(({ map }) => map![0]);
    const cuts = scanBlocks(page, lines).flatMap(({ token }) => token?.map?.[0] ?? []);
    const seen = new Set(begins);
    expect(
      cuts.filter((line) => !seen.has(line)),
      `seed ${seed}`,
    ).toEqual([]);
    for (const line of begins) {
      if (cuts.includes(line)) continue;
      const from = cuts.findLast((cut) => cut < line)!;
      const before = page.slice(lines[from]!.start, lines[line]!.start);
      expect(OPENS.test(before), `seed ${seed}: line ${line} is not a block of its own`).toBe(true);
    }
    if (cuts.length === begins.length) whole += 1;
  }
  expect(whole).toBeGreaterThan(1000);
});

test.each(MAKERS)("pages of %s have the title that the document's first heading is", (_, make) => {
  let titled = 0;
  for (const [seed, page] of pagesOf(make)) {
    const lines = readLines(page);
    const title = findTitle(page, lines);
    if (title?.form === "html") continue;
    const cuts = new Set(scanBlocks(page, lines).map(({ token }) => token?.map?.[0]));
    const heading = topTokens(page).find(({ tag, map }) => tag === "h1" && cuts.has(map![0]));
    expect(title && lines.findLastIndex(({ start }) => start <= title.start), `seed ${seed}`).toBe(
      heading?.map?.[0],
    );
    if (title) titled += 1;
  }
  expect(titled).toBeGreaterThan(10);
});
