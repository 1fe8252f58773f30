import { setTimeout as sleep } from "node:timers/promises";
import { type Check, percentile, sampleOf, textAt, visit } from "../check.js";
import { nodesOf, type Site, type SourcePage } from "../site.js";

export const search: Check = {
  name: "search: identifiers in code, Chinese and mistyped words find their page among the first three, at its heading",
  async run({ sites, lab, browser }, { fail, note }) {
    const wanted: [Site, string, string, string?][] = [
      [lab, "quokkaFactory.createBurrow", "identifiers"],
      [lab, "鴨嘴獸", "chinese", "#"],
      [lab, "platpyus", "", "#first-steps"],
      ...sites.flatMap((site) =>
        [...rareWords(site), ...rareWords(site).filter(isTyped).map(mistyped), ...chineseTitles(site)].map(
          ([word, path]): [Site, string, string] => [site, word, path],
        ),
      ),
    ];
    await sleep(1_500);
    for (const [site, query, path, anchor] of wanted) {
      const html = await textAt(`${site.address}~octavo/search?part=1&q=${encodeURIComponent(query)}`);
      const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(
        ([, href]) => new URL(href!, site.address).href,
      );
      const first = [...new Set(hrefs.map((href) => href.split("#")[0]!))].slice(0, 3);
      const page = site.address + path.split("/").map(encodeURIComponent).join("/");
      const home = site.pages[0]!.path === path ? site.address : page;
      if (!first.includes(page) && !first.includes(home))
        fail(`${site.name}: ${query} does not find ${page}: ${first}`);
      if (anchor && !hrefs.some((href) => href.includes(anchor))) fail(`${query} leads to no heading`);
    }
    for (const site of [...sites, lab]) {
      const times: number[] = [];
      const words = site.pages.slice(0, 40).map(({ title }) => title.slice(0, 30));
      for (const word of words) {
        const began = performance.now();
        await textAt(`${site.address}~octavo/search?part=1&q=${encodeURIComponent(word)}`);
        times.push(performance.now() - began);
      }
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(0));
      const slowest = words[times.indexOf(Math.max(...times))];
      note(`${site.name}: p50 ${p50} ms, p95 ${p95} ms, the slowest: ${slowest}`);
      if (percentile(times, 0.95) > 150)
        fail(`${site.name}: a search takes ${percentile(times, 0.95).toFixed(0)} ms`);
    }
    await visit(browser, lab.address, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("platyp");
      await page.waitForSelector("dialog.search [role=option]", { timeout: 10_000 });
      const announced = await page.locator("dialog.search [role=status]").textContent();
      if (!announced || !/\d/.test(announced)) fail("what was found is not announced");
    });
  },
};

/** Words of code that stand on one page alone, and no word of whose text or title holds them. */
function rareWords(site: Site): [string, string][] {
  const seen = new Map<string, SourcePage | undefined>();
  for (const page of site.pages) {
    const words = new Set<string>();
    for (const { type, nodes } of nodesOf(page.document)) {
      if (type !== "code") continue;
      const text = [...nodesOf({ nodes: nodes ?? [] })].map(({ text = "" }) => text).join(" ");
      for (const [word] of text.matchAll(/\b[a-z]+(?:[A-Z][a-z]+){2,}\b/g)) words.add(word);
    }
    for (const word of words) seen.set(word, seen.has(word) ? undefined : page);
  }
  const alone = [...seen].filter(([word, page]) => page && word.length > 14 && word.length < 40);
  return alone.slice(0, 10).map(([word, page]) => [word, page!.path]);
}

/** Longer words are copied, not typed. */
const isTyped = ([word]: [string, string]): boolean => word.length <= 30;
/** The same word with two letters changed about. */
const mistyped = ([word, path]: [string, string]): [string, string] => [
  word.slice(0, 6) + word[7] + word[6] + word.slice(8),
  path,
];

/** Titles in Chinese that are in the title of one page alone. */
function chineseTitles({ pages }: Site): [string, string][] {
  const alone = pages.filter(
    ({ title }) =>
      /\p{Script=Han}{5}/u.test(title) && pages.filter((one) => one.title.includes(title)).length === 1,
  );
  return sampleOf(alone, 10).map(({ title, path }) => [title, path]);
}
