import { resolve } from "node:path";
import { browserPath, startBrowser } from "../../tests/harness/browser.js";
import { createClient } from "../../tests/harness/client.js";
import { makerOf } from "../../tests/harness/permissions.js";
import { startStack } from "../../tests/harness/stack.js";
import type { Check, Given } from "./check.js";
import { startApi } from "./checks/blocks.js";
import { CHECKS } from "./checks.js";
import { writeLab } from "./lab.js";
import { OptionsError, readOptions } from "./options.js";
import { publishFolder } from "./site.js";

const usage = `npm run check-reader [-- <folder> … --only 1,2 --sample 12 --same https://docs.example/]

Starts an Octavo, publishes each folder of documentation as a site (by itself: the handbook of the tests), and looks at
the sites in the browser of this machine (OCTAVO_CHROMIUM, or a chromium at a usual place). Prints each check, what it
saw, and what does not hold; ends with 1 when anything does not, and with 2 for options that cannot be run.
--only    some of the checks, by their numbers
--sample  how many pages of each site are looked at closely
--same    addresses at which another renderer shows the same folders, in their order: the words of all pages are compared`;

const MOST_PRINTED = 15;

const { folders, only, sample, same, help } = optionsOfRun();
if (help || !browserPath) {
  process.stdout.write(`${help ? usage : "No browser is on this machine: set OCTAVO_CHROMIUM to one."}\n`);
  process.exit(help ? 0 : 69);
}

const stack = await startStack();
const browser = await startBrowser();
const api = await startApi();
const checks = CHECKS.filter(([number]) => only.includes(number));

let [failed, leftOut] = [0, 0];
try {
  const call = createClient(stack);
  const make = makerOf(call);
  const lab = await writeLab(call, make, api.url);
  const sites = [];
  for (const folder of folders) {
    const began = performance.now();
    const site = await publishFolder(call, make, resolve(folder));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${folder}: ${site.pages.length} pages, published in ${seconds} s\n`);
    sites.push(site);
  }
  const given: Given = { browser, sites, lab, sample };
  for (const [number, make] of checks)
    if (!(await holds(number, make({ stack, api, same }), given))) failed += 1;
} finally {
  await browser.close();
  await stack.stop();
  api.stop();
}
const hold = checks.length - failed - leftOut;
process.stdout.write(`${hold} of ${checks.length} checks hold${leftOut ? `, ${leftOut} left out` : ""}\n`);
process.exit(failed > 0 ? 1 : 0);

/** The options of this run; ends it where they cannot be run. */
function optionsOfRun() {
  try {
    return readOptions(
      process.argv.slice(2),
      CHECKS.map(([number]) => number),
    );
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exit(2);
  }
}

async function holds(number: number, check: Check, given: Given): Promise<boolean> {
  const [failures, notes, reasons]: [string[], string[], string[]] = [[], [], []];
  const began = performance.now();
  const report = {
    fail: (what: string) => void failures.push(what),
    note: (what: string) => void notes.push(what),
    leaveOut: (why: string) => void reasons.push(why),
  };
  await check.run(given, report).catch((error: Error) => failures.push(`it broke off: ${error.stack}`));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (reasons.length > 0) leftOut += 1;
  const held = reasons.length > 0 ? `left out, ${reasons.join("; ")}` : "holds";
  const outcome = failures.length === 0 ? held : `${failures.length} failures`;
  process.stdout.write(`\n${number}. ${check.name}: ${outcome} (${seconds} s)\n`);
  for (const note of notes) process.stdout.write(`   ${note}\n`);
  for (const failure of failures.slice(0, MOST_PRINTED)) process.stdout.write(`   ✗ ${failure}\n`);
  if (failures.length > MOST_PRINTED)
    process.stdout.write(`   ✗ and ${failures.length - MOST_PRINTED} more\n`);
  return failures.length === 0;
}
