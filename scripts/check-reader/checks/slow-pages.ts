import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Given, type Report, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { meanwhile } from "../meanwhile.js";
import { longestPage } from "../page-texts.js";
import { withColdReader } from "../second-reader.js";
import { publishPages } from "../site.js";

/** The most milliseconds that the longest page of all folders takes, and that others wait meanwhile. */
const [MOST_LONGEST, MOST_WAIT] = [400, 100];

/** Opens pages that take long to draw, and looks how long others wait meanwhile. */
export async function slowPages(lab: Lab, { fail, note }: Report): Promise<void> {
  const written = SLOW.map(([title, markdown]) => ({ title, markdown }));
  const { pages } = await publishPages(lab, "Slow pages", written);
  for (const [title, , most] of SLOW) {
    const { url } = pages.find((page) => page.title === title)!;
    const slowest = await longestWait(`${lab.address}blocks`, () => textAt(url));
    const took = `others waited ${slowest.toFixed(0)} ms at most while ${title.toLowerCase()} was drawn`;
    note(took);
    if (slowest > most) fail(took);
  }
}

/** Opens the longest page of all sites at a reader that has shown none of them, and looks how long it and others take. */
export async function longestColdPage(
  stack: Stack,
  { sites, lab }: Pick<Given, "sites" | "lab">,
  { fail, note }: Report,
): Promise<void> {
  if (sites.length === 0) return;
  const { url, size } = await longestPage(sites, fail);
  await withColdReader(stack, lab, async (reader) => {
    let took = 0;
    const slowest = await longestWait(reader.at(`${lab.address}blocks`), async () => {
      const began = performance.now();
      await textAt(reader.at(url));
      took = performance.now() - began;
    });
    const said = `the longest page, ${url} (${(size / 1000).toFixed(0)} kB of HTML), took ${took.toFixed(0)} ms`;
    const waited = `others waited ${slowest.toFixed(0)} ms at most meanwhile`;
    note(`${said}, ${waited}`);
    if (took > MOST_LONGEST) fail(`${said}, at most ${MOST_LONGEST}`);
    if (slowest > MOST_WAIT) fail(`${said}, and ${waited}, at most ${MOST_WAIT}`);
  });
}

/** Reads a page again and again while a task runs; returns the most milliseconds that it took. */
async function longestWait(url: string, task: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  await meanwhile(task, async () => {
    const began = performance.now();
    await textAt(url);
    slowest = Math.max(slowest, performance.now() - began);
    await sleep(5);
  });
  return slowest;
}

/** Characters of a line of hostile code, and of all of it: a reader colors no longer lines, and draws shorter code elsewhere. */
const [LINE, CODE, SHORTER_CODE] = [1_750, 50_000, 40_000];

/** Code that repeats what a highlighter takes long to find no end of. */
function hostileCode(syntax: string, unit: string, length: number): string {
  const line = unit.repeat(Math.floor(LINE / unit.length));
  const lines = Array.from({ length: Math.floor(length / line.length) }, () => line);
  return `${fence}${syntax}\n${lines.join("\n")}\n${fence}`;
}
const fence = "```";

/** Formulas whose macros make much of little, each different from the others. */
const hostileFormulas = Array.from({ length: 60 }, (_, at) => {
  const terms = `\\frac{x}{${at}}`.repeat(30);
  return `$$\\def\\a{${terms}}\\def\\b{\\a\\a\\a}${"\\b".repeat(40)}$$`;
}).join("\n\n");

/** Pages that take long to draw, and how many milliseconds others may wait meanwhile. */
const SLOW: [string, string, number][] = [
  ["Hostile code", hostileCode("bash", '"$(', CODE), 200],
  ["Hostile code that is shorter", hostileCode("js", "`${", SHORTER_CODE), 200],
  ["Hostile formulas", hostileFormulas, 200],
  [
    "A page of 152 KiB",
    Array.from(
      { length: 560 },
      (_, at) => `## Part ${at}\n\n${"Words of *a* long [page](https://a.example/). ".repeat(6)}`,
    )
      .join("\n\n")
      .slice(0, 152 * 1024),
    100,
  ],
];
