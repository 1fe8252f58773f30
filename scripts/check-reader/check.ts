import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Complaints, listen } from "../../tests/harness/browser.js";
import type { Lab } from "./lab.js";
import type { Site } from "./site.js";

/** What checks look at. */
export interface Given {
  browser: Browser;
  /** A site of each folder. */
  sites: Site[];
  /** A site that was written for the checks: what no documentation is sure to hold. */
  lab: Lab;
  /** How many pages of each site are opened in the browser. */
  sample: number;
}

/** What a check says: what does not hold, what it saw, and why it did not look. */
export interface Report {
  fail(what: string): void;
  note(what: string): void;
  leaveOut(why: string): void;
}

/** One of the checks. */
export interface Check {
  name: string;
  run(given: Given, report: Report): Promise<void>;
}

/** Milliseconds that looking at a page may take. */
const MOST_MS = 240_000;

/** Opens a page in a context of its own, does something with it, and closes it. */
export const visit = <Result>(
  browser: Browser,
  url: string,
  look: (page: Page, complaints: Complaints) => Promise<Result>,
  options: BrowserContextOptions = {},
): Promise<Result> =>
  inTab(
    browser,
    new URL(url).origin,
    async (page, complaints) => {
      await page.goto(url, { waitUntil: "load" });
      return inTime(url, look(page, complaints));
    },
    options,
  );

/** Does something in a tab of its own, which complains about what is not of the origin. */
async function inTab<Result>(
  browser: Browser,
  origin: string,
  work: (page: Page, complaints: Complaints) => Promise<Result>,
  options: BrowserContextOptions,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    return await work(page, listen(page, origin));
  } finally {
    await context.close();
  }
}

/** Rejects when the browser does not respond: some of what it is asked for is waited for without an end. */
async function inTime<Result>(url: string, looked: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const late = sleep(MOST_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${url}: the browser stopped responding`);
  });
  try {
    return await Promise.race([looked, late]);
  } finally {
    timer.abort();
  }
}

/** How many tabs pages are opened in together. */
const TABS = 2;

/** Opens pages one after the other, in a few tabs, and does something with each and with what it complained about. */
export async function visitEach(
  browser: Browser,
  urls: readonly string[],
  look: (url: string, page: Page, complaints: Complaints) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const parts = Array.from({ length: TABS }, (_, part) => urls.filter((_, at) => at % TABS === part));
  const open = async (part: readonly string[]) => {
    const [first] = part;
    if (first === undefined) return;
    await inTab(
      browser,
      new URL(first).origin,
      async (page, { errors, foreign }) => {
        for (const url of part) {
          await page.goto(url, { waitUntil: "load" });
          await inTime(url, look(url, page, { errors: errors.splice(0), foreign: foreign.splice(0) }));
        }
      },
      options,
    );
  };
  await allEnded(parts.map(open));
}

/** As many of a list, from everywhere in it, the first one among them. */
export function sampleOf<Of>(all: readonly Of[], count: number): Of[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]!);
}

/** Does something with each of a list, a few at a time. */
export async function eachOf<Of>(all: readonly Of[], work: (one: Of) => Promise<void>, together = 8) {
  const left = [...all].reverse();
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await allEnded(Array.from({ length: together }, worker));
}

/** Waits until all have ended, also when one rejects: none is left behind that goes on. Rejects when any of them did. */
async function allEnded(all: Promise<void>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}

/** The text behind an address; throws for anything but 200. */
export async function textAt(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers, redirect: "manual" });
  if (response.status !== 200) throw new Error(`${url} is ${response.status}`);
  return response.text();
}

/** A percentile by nearest rank: the smallest value that at least this share of all values does not exceed; NaN of none. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ??
  Number.NaN;
