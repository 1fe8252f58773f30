import { askMcp } from "../../../tests/harness/mcp.js";
import { type Check, eachOf, textAt } from "../check.js";
import { pagesOf } from "../page-texts.js";
import type { Site } from "../site.js";
import { listedIn } from "../sitemap.js";
import { sectionsForMachines } from "./sections.js";

/** What browsers say that they accept. */
const OF_BROWSERS = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

export const machines: Check = {
  name: "machines: markdown, lists, feeds, tools and what is said of pages can be read by programs",
  async run({ sites, lab }, report) {
    const { fail, note } = report;
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
      const listed = await listedIn(`${site.address}sitemap.xml`);
      const dated = listed.filter(({ changed }) => changed).length;
      if (dated < site.pages.length) fail(`${site.name}: the sitemap dates ${dated} of ${site.pages.length}`);
      for (const modern of [false, true])
        for (const what of await ofTools(site, modern))
          fail(`${site.name}, with a client of ${modern ? 2026 : 2025}: ${what}`);
      note(`${site.name}: ${links.length} links of llms.txt`);
    }
    const feed = await textAt(`${lab.address}changes/rss.xml`);
    if (!/<item><title>Faster<\/title>/.test(feed)) fail("the feed does not name the update");
    await sectionsForMachines(lab, report);
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
