import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../tests/harness/client.js";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Check, percentile, sampleOf, textAt, visit } from "../check.js";
import { nodesOf, type Site, type SourcePage } from "../site.js";

export const search: Check = {
  number: 5,
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

/** Requests a second while a merge is made, and how many of them are on their way together. */
const [A_SECOND, TOGETHER] = [200, 8];

export const fresh = (stack: Stack): Check => ({
  number: 12,
  name: "fresh: a merge is seen within two seconds while pages are read, and pages that it did not touch stay 304",
  async run({ lab }, { fail, note }) {
    for (const away of [false, true]) {
      if (away) await stack.kill("nats-server");
      const target = lab.pages.find(({ title }) => title === "Identifiers")!;
      const other = `${lab.address}chinese`;
      const etag = (await fetch(other)).headers.get("etag")!;
      let [running, requests, bad] = [true, 0, 0];
      const load = Promise.all(
        Array.from({ length: TOGETHER }, async () => {
          while (running) {
            const due = sleep((1_000 * TOGETHER) / A_SECOND);
            const { status, body } = await fetch(lab.address + (requests % 2 ? "blocks" : "chinese"));
            await body?.cancel();
            requests += 1;
            if (status !== 200) bad += 1;
            await due;
          }
        }),
      );
      const word = `echidna${away ? "two" : "one"}`;
      await lab.change([
        { operation: "update_page", page: target.id, document: { markdown: `# Identifiers\n\n${word}\n` } },
      ]);
      const began = performance.now();
      while (!(await textAt(target.url)).includes(word) && performance.now() - began < 10_000)
        await sleep(20);
      const took = performance.now() - began;
      running = false;
      await load;
      if (took > 2_000) fail(`new text is seen after ${took.toFixed(0)} ms${away ? " without NATS" : ""}`);
      if (bad > 0) fail(`${bad} of ${requests} requests were refused meanwhile`);
      const again = await fetch(other, { headers: { "if-none-match": etag } });
      if (again.status !== 304) fail(`a page that was not touched is ${again.status}`);
      note(`${took.toFixed(0)} ms${away ? " without NATS" : ""}, ${requests} requests meanwhile`);
    }
    await stack.ready();
  },
});

export const speed: Check = {
  number: 11,
  name: "speed: pages that nobody asked for before, and dear ones while others are read",
  async run({ sites, lab }, { fail, note }) {
    for (const site of sites) {
      const times: [number, string][] = [];
      for (const { url } of site.pages.slice(0, 200)) {
        const began = performance.now();
        // What nobody asked for in this form: pages are drawn for each format.
        await textAt(`${url}.md`).catch(() => undefined);
        times.push([performance.now() - began, url]);
      }
      const all = times.map(([ms]) => ms);
      note(
        `${site.name}: markdown p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`,
      );
    }
    for (const [what, markdown, most] of DEAR) {
      await lab.change([{ operation: "insert_page", title: what, document: { markdown } }]);
      const { pages } = (
        await lab.call<{ pages: { title: string; path: string }[] }>(
          "GET",
          `/spaces/${lab.space}/content/pages`,
        )
      ).body;
      const { path } = pages.find(({ title }) => title === what)!;
      let slowest = 0;
      let running = true;
      const others = (async () => {
        while (running) {
          const began = performance.now();
          await textAt(`${lab.address}blocks`);
          slowest = Math.max(slowest, performance.now() - began);
          await sleep(5);
        }
      })();
      await eventually(async () => (await fetch(lab.address + path)).status === 200).finally(() => {
        running = false;
      });
      await others;
      const took = `others waited ${slowest.toFixed(0)} ms at most while ${what.toLowerCase()} was drawn`;
      note(took);
      if (slowest > most) fail(took);
    }
  },
};

/** Pages that take long to draw, and how many milliseconds others may wait meanwhile. */
const DEAR: [string, string, number][] = [
  ["A hostile page", `\`\`\`js\n${"a = /* ".repeat(7_000)}\n\`\`\``, 200],
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
