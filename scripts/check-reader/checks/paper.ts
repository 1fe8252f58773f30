import { elementsOf } from "@octavo/html/testing/structure";
import type { Browser, Page } from "playwright-core";
import { forgetPeak, memoryOf } from "../../../bench/processes.js";
import { eventually } from "../../../tests/harness/client.js";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Check, type Report, textAt, visit } from "../check.js";
import type { Lab } from "../lab.js";
import { plain, plainOf } from "../page-texts.js";
import { publishPages, type Site } from "../site.js";

/** Looks at the memory as well, where a stack is given that nobody else uses meanwhile. */
export const paper = (stack?: Stack): Check => ({
  name: "paper: all pages in their order, links among them, code that is whole, a tagged PDF with an outline, in little memory",
  async run({ sites, lab, browser }, report) {
    const { fail, note } = report;
    for (const site of [lab, ...sites]) {
      const titles: string[] = [];
      const batches: string[] = [];
      let next: string | undefined = `${site.address}~octavo/print`;
      while (next !== undefined) {
        batches.push(next);
        const html = await textAt(next);
        const articles = html.split(/<article id="[^"]*">/).slice(1);
        if (articles.length > 100) fail(`${next} holds ${articles.length} pages`);
        titles.push(...articles.map((article) => plain(/<h1>(.*?)<\/h1>/s.exec(article)?.[1] ?? "")));
        for (const what of badAnchors(html)) fail(`${next}: ${what}`);
        const more = /<p class="more"><a href="([^"]+)"/.exec(html)?.[1];
        next = more && new URL(more.replaceAll("&amp;", "&"), next).href;
      }
      const wrong = site.pages.findIndex(({ title }, at) => !titles[at]?.endsWith(plainOf(title)));
      if (wrong >= 0 || titles.length !== site.pages.length)
        fail(
          `${site.name}: of ${site.pages.length} pages ${titles.length} are printed, ${titles[wrong]} at ${wrong}`,
        );
      const began = performance.now();
      for (const url of batches) for (const what of await badPaper(browser, url)) fail(`${url}: ${what}`);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      note(`${site.name}: ${titles.length} pages in ${batches.length} batches, printed in ${seconds} s`);
      if (stack) await staysFlat(stack, site, batches, report);
    }
    await visit(browser, `${lab.address}blocks`, async (page) => {
      for (const what of await badBlocks(page)) report.fail(`${page.url()} on paper: ${what}`);
    });
    await drawsDiagrams(lab, browser, report);
  },
});

/** Times that a whole space is printed again, a third of them to let heaps grow to what printing needs. */
const AGAIN = 12;
/** The most megabytes that the last third of them may take more than the second one. */
const MOST_MORE = 24;

/** Prints a whole space again and again, and looks at the most memory that each process had each time. */
async function staysFlat(
  stack: Stack,
  { name }: Site,
  batches: string[],
  { fail, note }: Report,
): Promise<void> {
  const processes = await Promise.all(
    ["reader/dist", "services/content"].map(async (part) => {
      return { part, pid: await stack.pidOf(part), peaks: [] as number[] };
    }),
  );
  for (let time = 0; time < AGAIN; time += 1) {
    for (const { pid } of processes) forgetPeak(pid);
    for (const url of batches) await textAt(url);
    for (const { pid, peaks } of processes) peaks.push(memoryOf(pid).peak);
  }
  const third = AGAIN / 3;
  for (const { part, pid, peaks } of processes) {
    const held = `${name}: ${part} has at most ${peaks.map((peak) => peak.toFixed(0)).join(", ")} MB`;
    note(`${held}, and ${memoryOf(pid).rss.toFixed(0)} MB after that`);
    const before = Math.max(...peaks.slice(third, 2 * third));
    if (Math.max(...peaks.slice(2 * third)) > before + MOST_MORE) fail(held);
  }
}

/** Milliseconds in which a browser draws a few diagrams, also on a busy machine. */
const DRAWN_WITHIN = 30_000;

/** Prints pages whose diagrams lie far below what a window shows, and looks whether they are drawn all the same. */
async function drawsDiagrams(lab: Lab, browser: Browser, { fail }: Report): Promise<void> {
  const long = "A line that is read.\n\n".repeat(200);
  const diagram = "```mermaid\ngraph LR\n  Start --> Finish\n```";
  const pages = ["One", "Two"].map((title) => ({ title, markdown: long + diagram }));
  const { address } = await publishPages(lab, "Diagrams on paper", pages);
  await visit(browser, `${address}~octavo/print`, async (page) => {
    const left = page.locator("figure.diagram:not(.drawn)");
    const drawn = () => left.count().then((count) => count === 0);
    if ((await page.locator("figure.diagram").count()) !== pages.length) fail("a print lacks diagrams");
    await eventually(drawn, DRAWN_WITHIN).catch(async () =>
      fail(
        `${await left.count()} of ${pages.length} diagrams that nobody scrolled to are not drawn on paper`,
      ),
    );
  });
}

/** Anchors of pages that are printed together: each is there once, and what leads to one finds it. */
function badAnchors(html: string): string[] {
  const elements = elementsOf(html);
  const ids = elements.flatMap(({ attrs }) => attrs.id ?? []);
  const all = new Set(ids);
  const twice = ids.filter((id, at) => ids.indexOf(id) < at);
  const lost = elements.flatMap(({ attrs }) => {
    const to = /^#(.+)$/.exec(attrs.href ?? "")?.[1] ?? attrs.popovertarget ?? attrs.for;
    return to === undefined || all.has(decodeURIComponent(to)) ? [] : [to];
  });
  return [
    ...(twice.length > 0 ? [`${twice.length} anchors are there more than once: ${twice.slice(0, 5)}`] : []),
    ...(lost.length > 0 ? [`${lost.length} links lead to no anchor: ${lost.slice(0, 5)}`] : []),
  ];
}

/** What is wrong with pages on paper. */
async function badPaper(browser: Browser, url: string): Promise<string[]> {
  return visit(browser, url, async (page) => {
    const wrong = await badBlocks(page);
    for (const name of ["header.top", "nav.side", "footer.bottom"])
      if (await page.locator(name).count()) wrong.push(`${name} is printed`);
    const pdf = (await page.pdf({ tagged: true, outline: true })).toString("latin1");
    if (!pdf.includes("/StructTreeRoot")) wrong.push("the PDF is not tagged");
    const headings = Number(await page.evaluate(HEADINGS));
    const entries = [...pdf.matchAll(/\/Title\s*[(<]/g)].length;
    if (!pdf.includes("/Outlines") || entries < headings)
      wrong.push(`the outline of the PDF has ${entries} of ${headings} headings`);
    return wrong;
  });
}

/** What of a page would not be whole on paper, or not in its order. */
async function badBlocks(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 680, height: 960 });
  const wrong: string[] = [];
  for (const [script, what] of [
    [CUT, "are cut"],
    [FOLDED, "are folded away"],
    [APART, "do not follow their titles"],
  ] as const) {
    const found = (await page.evaluate(script)) as string[];
    if (found.length > 0) wrong.push(`${found.length} blocks ${what}: ${found.slice(0, 3).join(" ")}`);
  }
  return wrong;
}

/** How many headings are seen, and say something. */
const HEADINGS = `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((one) => one.getClientRects().length > 0 && one.textContent.replace("#", "").trim() !== "").length`;

/** Code that is wider than its place, of which paper would show a part alone. */
const CUT = `[...document.querySelectorAll("main pre")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** What is folded below a title, of which paper would show the title alone. */
const FOLDED = `[...document.querySelectorAll("main details:not(.trial) > :not(summary)")]
  .filter((one) => !one.checkVisibility())
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Tabs that stand elsewhere than between their titles and the next ones. */
const APART = `[...document.querySelectorAll("main .tab")]
  .filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const title = one.previousElementSibling.getBoundingClientRect();
    const next = one.nextElementSibling?.nextElementSibling?.getBoundingClientRect();
    return title.bottom > top + 1 || (next && next.top < bottom - 1) || bottom <= top;
  })
  .map((one) => one.outerHTML.slice(0, 120))`;
