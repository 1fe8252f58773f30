import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@octavo/launcher/ports";
import { chromium } from "playwright-core";
import { browserPath } from "../../../tests/harness/browser.js";
import type { Check } from "../check.js";
import { longestPage } from "../page-texts.js";
import { nodesOf, type Site, type SourcePage } from "../site.js";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** What authors wrote is not the reader's to change: links that are called "here". */
const OF_AUTHORS = ["link-text"];
const RUNS = 5;
/** With those that measured nothing. */
const MOST_RUNS = 2 * RUNS;
/** Lighthouse brings two hundred packages that nothing else needs: they are installed when this check first runs. */
const FOLDER = new URL("../lighthouse/", import.meta.url);

/**
 * The speed of the phone that pages are measured for, by Lighthouse's own measure of a processor. Lighthouse takes a
 * machine of some 1760 for granted, and slows it down four times; its docs (`throttling.md`) ask to calibrate that.
 */
const PHONE = 440;

interface Flags {
  port: number;
  logLevel: "error";
  onlyCategories: string[];
  skipAudits: string[];
  throttling: { cpuSlowdownMultiplier: number };
}

/** What is asked of Lighthouse, and what of its report is read. */
type Measure = (url: string, flags: Flags) => Promise<{ lhr: Result } | undefined>;

interface Result {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; displayValue?: string }>;
  /** How fast this machine was meanwhile. */
  environment: { benchmarkIndex: number };
  /** Why nothing was measured, as when the browser recorded nothing. */
  runtimeError?: { code: string };
}

/** Lighthouse, installed beside this script in the versions of its lock file. */
async function installed(): Promise<Measure> {
  if (!existsSync(new URL("node_modules/lighthouse/package.json", FOLDER)))
    await promisify(execFile)("npm", ["ci", "--ignore-scripts"], { cwd: fileURLToPath(FOLDER) });
  const { resolve } = createRequire(new URL("package.json", FOLDER));
  const module = (await import(pathToFileURL(resolve("lighthouse")).href)) as { default: Measure };
  return module.default;
}

export const lighthouse: Check = {
  name: "Lighthouse: 100 in all four on a phone, in the middle of five runs, for home, much code and the longest page",
  async run({ sites, lab }, { fail, note, leaveOut }) {
    const measure = await installed().catch((error: Error) => leaveOut(`npm: ${error.message}`));
    if (!measure) return;
    const port = await freePort();
    const browser = await chromium.launch({
      executablePath: browserPath!,
      args: ["--no-sandbox", "--disable-dev-shm-usage", `--remote-debugging-port=${port}`],
    });
    const flags = { port, logLevel: "error" as const, onlyCategories: CATEGORIES, skipAudits: OF_AUTHORS };
    try {
      for (const [what, url] of await chosen(sites.length > 0 ? sites : [lab], fail)) {
        const results: Result[] = [];
        // Each run says how fast the machine is for the next one; the first one says nothing else.
        let slowdown: number | undefined;
        for (let run = 0; run < MOST_RUNS && results.length < RUNS; run += 1) {
          const made = await measure(url, { ...flags, throttling: { cpuSlowdownMultiplier: slowdown ?? 1 } });
          if (!made) continue;
          const { runtimeError, environment } = made.lhr;
          if (runtimeError) {
            note(`${what}: not measured, ${runtimeError.code}`);
            continue;
          }
          if (slowdown !== undefined) results.push(made.lhr);
          slowdown = Math.max(1, environment.benchmarkIndex / PHONE);
        }
        if (results.length < RUNS) {
          fail(`${url}: measured ${results.length} times of ${RUNS}`);
          continue;
        }
        const scores = CATEGORIES.map((name) => medianOf(results, name));
        const speeds = results.map(({ environment }) => environment.benchmarkIndex.toFixed(0));
        note(
          `${what}, ${url}: ${CATEGORIES.map((name, at) => `${name} ${scores[at]}`).join(", ")} (machine ${speeds.join(", ")})`,
        );
        for (const [at, name] of CATEGORIES.entries())
          if (scores[at]! < 100) fail(`${url}: ${name} ${scores[at]} by ${costs(results, name)}`);
      }
    } finally {
      await browser.close();
    }
  },
};

/** The home page, the page with the most code and the longest one, of all sites together. */
async function chosen(sites: Site[], fail: (what: string) => void): Promise<[string, string][]> {
  const pages = sites.flatMap(({ pages }) => pages);
  const most = pages.toSorted((one, other) => codeIn(other) - codeIn(one))[0]!;
  const longest = await longestPage(sites, fail);
  return [
    ["home", sites[0]!.address],
    ["much code", most.url],
    [`the longest page (${(longest.size / 1000).toFixed(0)} kB of HTML)`, longest.url],
  ];
}

/** Lines of code on a page. */
const codeIn = ({ document }: SourcePage): number =>
  [...nodesOf(document)].filter(({ type }) => type === "code-line").length;

function medianOf(results: Result[], name: string): number {
  const scores = results.map(({ categories }) => Math.round(100 * (categories[name]?.score ?? 0)));
  return scores.toSorted((one, other) => one - other)[Math.floor(scores.length / 2)] ?? 0;
}

/** The audits that took points, of the last run. */
function costs(results: Result[], name: string): string {
  const { categories, audits } = results.at(-1)!;
  const refs = categories[name]?.auditRefs ?? [];
  return refs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? audits[id]?.score}`)
    .join(", ");
}
