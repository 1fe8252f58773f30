import { elementsOf } from "@octavo/html/testing/structure";
import type { Browser } from "playwright-core";
import { askMcp } from "../../../tests/harness/mcp.js";
import { type Check, eachOf, textAt, visit } from "../check.js";
import type { Site } from "../site.js";
import { pagesOf, plain, plainOf } from "./pages.js";

/** What browsers say that they accept. */
const OF_BROWSERS = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

export const machines: Check = {
  number: 17,
  name: "machines: markdown, lists, feeds, tools and what is said of pages can be read by programs",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      for (const [url, html] of await pagesOf(site, fail)) {
        const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
        const graph = json && (JSON.parse(json) as { "@graph": { "@type": string }[] })["@graph"];
        const types = graph ? graph.map((one) => one["@type"]).join() : "";
        if (types !== "TechArticle,BreadcrumbList") fail(`${url} says of itself: ${types}`);
        for (const property of ["og:title", "og:type", "og:url", "og:site_name"])
          if (!html.includes(`property="${property}"`)) fail(`${url} has no ${property}`);
      }
      const list = await textAt(`${site.address}llms.txt`);
      if (!/^# .+\n\n> /.test(list)) fail(`${site.name}: llms.txt does not begin with a title and a quote`);
      const links = [...list.matchAll(/\]\((http[^)]*)\)/g)].map(([, link]) => link!);
      if (links.length < site.pages.length) fail(`${site.name}: llms.txt lists ${links.length} pages`);
      await eachOf(links, async (link) => {
        for (const what of await negotiated(link)) fail(`llms.txt lists ${link}, which ${what}`);
      });
      const map = await textAt(`${site.address}sitemap.xml`);
      const dated = [...map.matchAll(/<lastmod>/g)].length;
      if (dated < site.pages.length) fail(`${site.name}: the sitemap dates ${dated} of ${site.pages.length}`);
      for (const modern of [false, true])
        for (const what of await ofTools(site, modern))
          fail(`${site.name}, with a client of ${modern ? 2026 : 2025}: ${what}`);
      note(`${site.name}: ${links.length} links of llms.txt`);
    }
    const feed = await textAt(`${lab.address}changes/rss.xml`);
    if (!/<item><title>Faster<\/title>/.test(feed)) fail("the feed does not name the update");
  },
};

/** What is wrong with an address for programs: a page is markdown there, and by negotiation, but HTML for browsers. */
async function negotiated(link: string): Promise<string[]> {
  const response = await fetch(link, { redirect: "manual" });
  const markdown = await response.text();
  if (response.status !== 200) return [`is ${response.status}`];
  if (!link.endsWith(".md")) return [];
  const page = link.slice(0, -3);
  const asked = await fetch(page, { headers: { accept: "text/markdown" } });
  const opened = await fetch(page, { headers: { accept: OF_BROWSERS } });
  await opened.body?.cancel();
  return [
    ...((await asked.text()) === markdown ? [] : ["is not what is sent by negotiation"]),
    ...(/accept/i.test(asked.headers.get("vary") ?? "") ? [] : ["does not vary by accept"]),
    ...(opened.headers.get("content-type")?.startsWith("text/html") ? [] : ["is no HTML for browsers"]),
  ];
}

/** What the tools of a site do not do: list pages, search them, and read one. */
async function ofTools({ address, pages }: Site, modern: boolean): Promise<string[]> {
  const page = pages.find(({ title }) => title.length > 6) ?? pages[0]!;
  const use = async (name: string, given: object) =>
    JSON.stringify((await askMcp(address, "tools/call", { name, arguments: given }, modern)).body?.result);
  const wanted: [string, object, string][] = [
    ["list_pages", {}, page.url],
    ["search", { query: page.title }, address],
    ["get_page", { page: page.url }, JSON.stringify(page.title).slice(1, -1)],
  ];
  const wrong: string[] = [];
  for (const [name, given, expected] of wanted) {
    const result = await use(name, given);
    if (!result?.includes(expected)) wrong.push(`${name} returns ${result?.slice(0, 200)}`);
  }
  return wrong;
}

export const paper: Check = {
  number: 20,
  name: "paper: all pages in their order, links among them, code that is whole, and a tagged PDF with an outline",
  async run({ sites, lab, browser }, { fail, note }) {
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
    }
  },
};

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
    const wrong: string[] = [];
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 680, height: 960 });
    const cut = (await page.evaluate(CUT)) as string[];
    if (cut.length > 0) wrong.push(`${cut.length} blocks are cut: ${cut.slice(0, 3).join(" ")}`);
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

/** How many headings are seen, and say something. */
const HEADINGS = `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((one) => one.getClientRects().length > 0 && one.textContent.replace("#", "").trim() !== "").length`;

/** Code that is wider than its place, of which paper would show a part alone. */
const CUT = `[...document.querySelectorAll("main pre")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))`;
