import { type Element, elementsOf } from "@octavo/html/testing/structure";
import { type Check, eachOf, textAt } from "../check.js";
import { type Node, nodesOf, type Site } from "../site.js";

const named = (elements: Element[], name: string) => elements.filter((one) => one.name === name);
const hasClass = ({ attrs }: Element, name: string) => attrs.class?.split(" ").includes(name) === true;

/** The texts of all pages of a site, by their addresses: each is fetched once by all checks. */
const fetched = new WeakMap<Site, Promise<Map<string, string>>>();

export function pagesOf(site: Site, fail: (what: string) => void): Promise<Map<string, string>> {
  const known = fetched.get(site);
  if (known) return known;
  const asked = (async () => {
    const texts = new Map<string, string>();
    await eachOf(site.pages, async ({ url }) => {
      const response = await fetch(url, { redirect: "manual" });
      if (response.status === 200) texts.set(url, await response.text());
      else fail(`${url} is ${response.status}`);
    });
    return texts;
  })();
  fetched.set(site, asked);
  return asked;
}

/** The addresses of the site that a page leads to, without anchors. */
function linksIn(site: Site, url: string, elements: Element[]): string[] {
  return named(elements, "a").flatMap(({ attrs: { href = "" } }) => {
    if (href === "" || href.startsWith("#")) return [];
    const to = new URL(href, url);
    to.hash = "";
    return to.href.startsWith(site.address) ? [to.href] : [];
  });
}

export const whole: Check = {
  number: 1,
  name: "whole: every page is there with one title of its own, and every link within the site leads somewhere",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const listed = [...(await textAt(`${site.address}sitemap.xml`)).matchAll(/<loc>([^<]*)</g)];
      if (listed.length !== site.pages.length)
        fail(`${site.name}: the sitemap lists ${listed.length} of ${site.pages.length} pages`);
      const texts = await pagesOf(site, fail);
      const [links, titles] = [new Map<string, string>(), new Set<string>()];
      let lost = 0;
      for (const [url, html] of texts) {
        const elements = elementsOf(html);
        if (named(elements, "h1").length !== 1) fail(`${url} has ${named(elements, "h1").length} h1`);
        const title = /<title>([^<]*)</.exec(html)?.[1] ?? "";
        if (title === "") fail(`${url} has no title`);
        titles.add(title);
        lost += elements.filter((one) => hasClass(one, "lost")).length;
        for (const link of linksIn(site, url, elements)) links.set(link, url);
        const ids = new Set(elements.flatMap(({ attrs }) => attrs.id ?? []));
        for (const { attrs } of named(elements, "a"))
          if (attrs.href?.startsWith("#~") && !ids.has(attrs.href.slice(1)))
            fail(`${url}: nothing has the anchor ${attrs.href}`);
      }
      const others = [...links].filter(([link]) => !texts.has(link));
      await eachOf(others, async ([link, from]) => {
        const { status, headers, body } = await fetch(link, { redirect: "manual" });
        await body?.cancel();
        if (status >= 400) fail(`${from} leads to ${link}, which is ${status}`);
        if (status >= 300) fail(`${from} leads to ${link}, which leads to ${headers.get("location")}`);
      });
      note(
        `${site.name}: ${texts.size} pages, ${titles.size} titles, ${links.size} addresses, ${lost} references lead nowhere`,
      );
    }
  },
};

/** What a block is in HTML, where one block is one element. */
const DRAWN: Record<string, (one: Element) => boolean> = {
  hint: (one) => hasClass(one, "hint"),
  tabs: (one) => hasClass(one, "tabs"),
  "tabs-item": (one) => hasClass(one, "tab"),
  stepper: (one) => hasClass(one, "steps"),
  expandable: ({ name, attrs }) => name === "details" && attrs.class === undefined,
  code: (one) => one.name === "figure" && (hasClass(one, "code") || hasClass(one, "diagram")),
};

export const complete: Check = {
  number: 2,
  name: "nothing lost: as many blocks of each kind as the source has, and every word of it",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const texts = await pagesOf(site, fail);
      let words = 0;
      for (const { url, document } of site.pages) {
        const html = texts.get(url);
        if (html === undefined) continue;
        const main = /<div class="text">([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
        const elements = elementsOf(main);
        const counts = new Map<string, number>();
        for (const node of nodesOf(document))
          if (node.object === "block" && node.data?.verbatim !== true)
            counts.set(node.type!, (counts.get(node.type!) ?? 0) + 1);
        const api = (counts.get("openapi-operation") ?? 0) + (counts.get("swagger") ?? 0);
        if (api === 0)
          for (const [type, is] of Object.entries(DRAWN)) {
            const drawn = elements.filter(is).length;
            if (drawn !== (counts.get(type) ?? 0))
              fail(`${url} has ${counts.get(type) ?? 0} × ${type}, of which ${drawn} are drawn`);
          }
        const shown = plain(main);
        for (const node of nodesOf(document, isVerbatim)) {
          const text = node.object === "leaf" ? plainOf(node.text ?? "") : "";
          if (text === "") continue;
          words += 1;
          if (!shown.includes(text)) fail(`${url} does not say ${JSON.stringify(text.slice(0, 80))}`);
        }
      }
      note(`${site.name}: ${words} texts`);
    }
  },
};

/** Source that the document has no form for is shown as its words, without tags: `laws.test.ts` of html holds that. */
const isVerbatim = ({ data, marks = [] }: Node): boolean =>
  data?.verbatim === true || marks.some((mark) => mark.data?.verbatim === true);

const plainOf = (text: string): string => text.replace(/\s+/g, "");
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
/** The words of HTML without white space, as a reader sees them. */
const plain = (html: string): string =>
  plainOf(
    html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!),
  );

export const machines: Check = {
  number: 17,
  name: "machines: markdown, lists, feeds and what is said of pages can be read by programs",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const texts = await pagesOf(site, fail);
      for (const [url, html] of texts) {
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
        const response = await fetch(link, { redirect: "manual" });
        const markdown = await response.text();
        if (response.status !== 200) return fail(`llms.txt lists ${link}, which is ${response.status}`);
        if (!link.endsWith(".md")) return;
        const negotiated = await fetch(link.slice(0, -3), { headers: { accept: "text/markdown" } });
        if ((await negotiated.text()) !== markdown) fail(`${link} is not what is sent by negotiation`);
        if (!/accept/i.test(negotiated.headers.get("vary") ?? "")) fail(`${link} does not vary by accept`);
      });
      const map = await textAt(`${site.address}sitemap.xml`);
      const dated = [...map.matchAll(/<lastmod>/g)].length;
      if (dated < site.pages.length) fail(`${site.name}: the sitemap dates ${dated} of ${site.pages.length}`);
      note(`${site.name}: ${links.length} links of llms.txt`);
    }
    const feed = await textAt(`${lab.address}changes/rss.xml`);
    if (!/<item><title>Faster<\/title>/.test(feed)) fail("the feed does not name the update");
  },
};

export const addresses: Check = {
  number: 13,
  name: "addresses: other spellings lead to a page in one hop, unknown ones to 404 with suggestions",
  async run({ sites, lab }, { fail }) {
    for (const site of [...sites, lab])
      for (const { url, path } of site.pages.slice(1, 40)) {
        const spellings = [`${url}/`, `${url}.html`, `${url}/README`];
        const upper = site.address + path.toUpperCase().split("/").map(encodeURIComponent).join("/");
        if (upper !== url) spellings.push(upper);
        for (const spelling of spellings) {
          const { status, headers } = await fetch(`${spelling}?a=b`, { redirect: "manual" });
          const to = new URL(headers.get("location") ?? "", url).href;
          if (status !== 308 || to !== `${url}?a=b`) fail(`${spelling} is ${status} to ${to}`);
        }
      }
    for (const site of [...sites, lab]) {
      const page = site.pages.at(-1)!;
      const lost = `${site.address}nowhere/${page.path.split("/").at(-1)}-lost`;
      const response = await fetch(lost, { redirect: "manual" });
      const html = await response.text();
      if (response.status !== 404) fail(`${lost} is ${response.status}`);
      if (!/<meta name="robots" content="noindex"/.test(html)) fail(`${lost} may be listed`);
      if (!/class="near"|<strong>/.test(html)) fail(`${lost} suggests nothing`);
    }
  },
};

export const paper: Check = {
  number: 20,
  name: "paper: all pages in their order, links among them, and a tagged PDF",
  async run({ sites, lab, browser }, { fail, note }) {
    for (const site of [lab, ...sites]) {
      const titles: string[] = [];
      let next: string | undefined = `${site.address}~octavo/print`;
      for (let batch = 0; next !== undefined && batch < 20; batch += 1) {
        const html = await textAt(next);
        const elements = elementsOf(html);
        titles.push(...elements.filter(({ name }) => name === "article").map(() => ""));
        const more = /<p class="more"><a href="([^"]+)"/.exec(html)?.[1];
        next = more && new URL(more.replaceAll("&amp;", "&"), next).href;
      }
      if (titles.length < site.pages.length)
        fail(`${site.name}: ${titles.length} of ${site.pages.length} pages are printed`);
      note(`${site.name}: ${titles.length} pages`);
    }
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${lab.address}~octavo/print`, { waitUntil: "load" });
      const pdf = await page.pdf({ tagged: true, outline: true });
      const text = pdf.toString("latin1");
      if (!text.includes("/StructTreeRoot")) fail("the PDF is not tagged");
      if (!text.includes("/Outlines")) fail("the PDF has no outline");
      for (const name of ["header.top", "nav.side", "footer.bottom"])
        if (await page.locator(name).count()) fail(`${name} is printed`);
    } finally {
      await context.close();
    }
  },
};
