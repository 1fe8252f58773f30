import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Check, type Report, textAt } from "../check.js";
import { meanwhile } from "../meanwhile.js";
import { type SecondReader, startReader } from "../second-reader.js";
import { merge, type Site } from "../site.js";

/** Requests a second while a merge is made, and how many of them are on their way together. */
const [A_SECOND, TOGETHER] = [200, 8];
/** Milliseconds after which new text is seen, and those after which nobody waits for it any more. */
const [SEEN_WITHIN, GIVEN_UP_AFTER] = [2_000, 10_000];

export const fresh = (stack: Stack): Check => ({
  name: "fresh: two readers show a merge within two seconds while pages are read, and pages that it did not touch stay 304",
  async run({ lab, sites }, report) {
    const second = await startReader(stack);
    try {
      for (const site of [lab, ...sites]) await seenSoon(site, second, "", report);
      await stack.kill("nats-server");
      for (const site of [lab, ...sites]) await seenSoon(site, second, " without NATS", report);
      await stack.ready();
    } finally {
      second.stop();
    }
  },
});

/** Merges a change of a page while others of the site are read, and looks how soon each reader shows it. */
async function seenSoon(
  site: Site,
  second: SecondReader,
  how: string,
  { fail, note }: Report,
): Promise<void> {
  const at = Math.floor(site.pages.length / 2);
  const target = site.pages[at]!;
  const others = site.pages.filter((page) => page !== target);
  const untouched = [others[at - 1], others.at(-1)].flatMap((page) => page?.url ?? []);
  const urls = [target.url, second.at(target.url)];
  for (const url of urls) await textAt(url);
  const etags = await Promise.all(untouched.map(async (url) => (await fetch(url)).headers.get("etag")!));
  const word = `echidna${how.length}`;
  const change = async () => {
    const markdown = `# ${target.title}\n\n${word}\n`;
    await merge(site, [{ operation: "update_page", page: target.id, document: { markdown } }]);
    return Promise.all(urls.map((url) => waitFor(url, word)));
  };
  const load = loadOf([...untouched, target.url]);
  const took = await meanwhile(change, load.read, TOGETHER);
  const { requests, refused } = load;
  const times = took.map((ms) => `${ms.toFixed(0)} ms`).join(" and ");
  if (Math.max(...took) > SEEN_WITHIN) fail(`${site.name}: new text is seen after ${times}${how}`);
  if (refused > 0) fail(`${site.name}: ${refused} of ${requests} requests were refused meanwhile${how}`);
  for (const [index, url] of untouched.entries())
    for (const one of [url, second.at(url)]) {
      const { status } = await fetch(one, { headers: { "if-none-match": etags[index]! } });
      if (status !== 304) fail(`${one}, which was not touched, is ${status}${how}`);
    }
  note(`${site.name}: ${times}${how}, ${requests} requests meanwhile`);
}

/** Waits until a page says a word, but not for ever; returns how many milliseconds that took. */
async function waitFor(url: string, word: string): Promise<number> {
  const began = performance.now();
  while (!(await textAt(url)).includes(word) && performance.now() - began < GIVEN_UP_AFTER) await sleep(20);
  return performance.now() - began;
}

/** Requests for pages, one of which `read` sends, in the time that each of a few has for one; those without a page are refused. */
function loadOf(urls: string[]) {
  const load = {
    requests: 0,
    refused: 0,
    async read() {
      const due = sleep((1_000 * TOGETHER) / A_SECOND);
      load.requests += 1;
      const isSent = await textAt(urls[load.requests % urls.length]!).then(
        () => true,
        () => false,
      );
      if (!isSent) load.refused += 1;
      await due;
    },
  };
  return load;
}
