import { setTimeout as sleep } from "node:timers/promises";
import { KEPT_LEAST, KNOWN_LEAST, readKept } from "../../../bench/kept.js";
import { type Run, readWhole, summaryOf } from "../../../bench/load.js";
import { forgetPeak, memoryOf } from "../../../bench/processes.js";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Check, percentile, type Report, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { SETTLED_MS, startReader, withColdReader } from "../second-reader.js";
import type { Site } from "../site.js";
import { longestColdPage, slowPages } from "./slow-pages.js";

/** The most that a page takes that nobody asked for before, in ms: half of them, and all but one of a hundred. */
const [MOST_P50, MOST_P99] = [8, 50];
/** Pages of a site that are read at each reader, and readers: of 200 pages alone, two pauses of a busy machine are 1 %. */
const [COLD_PAGES, READERS] = [200, 3];
/** Milliseconds between two pages: none, which is how crawlers read, and less than any person takes. */
const APART_MS = [0, 100];
/** The most megabytes that a reader holds, also while clients read all that there is, each of them without a pause. */
const [MOST_HELD, CRAWLERS] = [150, 4];

export const speed = (stack: Stack): Check => ({
  name: "speed: pages that nobody asked for before, kept ones for 50 clients, and slow ones while others are read; memory",
  async run({ sites, lab }, report) {
    for (const site of sites)
      for (const apart of APART_MS) await coldPages(stack, lab, { site, apart }, report);
    await slowPages(lab, report);
    await longestColdPage(stack, { sites, lab }, report);
    await keptPages(stack, sites[0] ?? lab, report);
    await crawledPages(stack, [lab, ...sites], report);
  },
});

/** How the address of a page ends in a format, and how many milliseconds each page took in it. */
interface Format {
  ending: string;
  times: number[];
}

/** Looks how long pages take that a reader has not shown yet, all those of some readers together. */
async function coldPages(
  stack: Stack,
  lab: Lab,
  { site, apart }: { site: Site; apart: number },
  { fail, note }: Report,
): Promise<void> {
  const formats: Record<string, Format> = {
    HTML: { ending: "", times: [] },
    markdown: { ending: ".md", times: [] },
  };
  for (let number = 0; number < READERS; number += 1)
    for (const wrong of await readCold(stack, lab, { site, apart }, Object.values(formats))) fail(wrong);
  for (const [format, { times }] of Object.entries(formats)) {
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const took = `${site.name}: cold ${format}, ${apart} ms apart, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    note(took);
    if (p50 > MOST_P50 || p99 > MOST_P99) fail(`${took}, at most ${MOST_P50} and ${MOST_P99}`);
  }
}

/** Times pages of a site in their order, so many ms apart, at a reader that has shown none of it; returns what was not 200. */
async function readCold(
  stack: Stack,
  lab: Lab,
  { site, apart }: { site: Site; apart: number },
  formats: Format[],
): Promise<string[]> {
  const wrong: string[] = [];
  await withColdReader(stack, lab, async (reader) => {
    for (const { ending, times } of formats)
      for (const { url } of site.pages.slice(1, 1 + COLD_PAGES)) {
        await sleep(apart);
        const began = performance.now();
        const status = await readWhole(reader.at(url) + ending);
        if (status !== 200) wrong.push(`${url}${ending} is ${status}`);
        times.push(performance.now() - began);
      }
  });
  return wrong;
}

/** Lets 50 clients read a page again and again, and looks what the reader holds after that. */
async function keptPages(stack: Stack, site: Site, { fail, note }: Report): Promise<void> {
  const reader = await startReader(stack);
  try {
    const { url } = site.pages[1] ?? site.pages[0]!;
    const { page, barePage, known, bareKnown } = await readKept(reader.at(url), reader.pid);
    // By the CPU that each takes, which says the same on a machine that does other things as well.
    const part = (ours: Run, theirs: Run) => theirs.cpu.server! / ours.cpu.server!;
    for (const [what, ours, theirs, least] of [
      ["a kept page", page, barePage, KEPT_LEAST],
      ["its 304", known, bareKnown, KNOWN_LEAST],
    ] as const) {
      const taken = `${what} is sent ${part(ours, theirs).toFixed(2)} times as fast as by node:http alone`;
      note(`${taken} (${summaryOf(ours)}; ${summaryOf(theirs)})`);
      if (!(part(ours, theirs) >= least)) fail(`${taken}, at least ${least}`);
    }
    const { rss } = memoryOf(reader.pid);
    note(`the reader holds ${rss.toFixed(0)} MB after that`);
    if (rss > MOST_HELD) fail(`the reader holds ${rss.toFixed(0)} MB`);
  } finally {
    reader.stop();
  }
}

/** Lets some clients read all pages of all sites at a time, and looks at the most that the reader holds meanwhile. */
async function crawledPages(stack: Stack, sites: Site[], { fail, note }: Report): Promise<void> {
  const reader = await startReader(stack);
  try {
    await sleep(SETTLED_MS);
    forgetPeak(reader.pid);
    const urls = sites.flatMap(({ pages }) => pages.map(({ url }) => url));
    const left = urls.values();
    const crawl = async (_: unknown, number: number) => {
      const headers = { "accept-encoding": number % 2 === 0 ? "br" : "identity" };
      for (const url of left) await textAt(reader.at(url), headers);
    };
    await Promise.all(Array.from({ length: CRAWLERS }, crawl));
    const { peak, rss } = memoryOf(reader.pid);
    const held = `the reader holds at most ${peak.toFixed(0)} MB while ${urls.length} pages are read, ${rss.toFixed(0)} MB after`;
    note(held);
    if (peak > MOST_HELD) fail(held);
  } finally {
    reader.stop();
  }
}
