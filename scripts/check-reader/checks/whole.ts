import { type Element, elementsOf } from "@octavo/html/testing/structure";
import { type Check, eachOf } from "../check.js";
import { hasClass, named, pagesOf, plain, plainOf } from "../page-texts.js";
import type { Site } from "../site.js";
import { listedIn } from "../sitemap.js";
import { lostIn } from "../source.js";

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
  name: "whole: every page is there with one title of its own, and every link within the site leads somewhere",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const listed = await listedIn(`${site.address}sitemap.xml`);
      if (listed.length !== site.pages.length)
        fail(`${site.name}: the sitemap lists ${listed.length} of ${site.pages.length} pages`);
      const texts = await pagesOf(site, fail);
      const [links, titles] = [new Map<string, string>(), new Set<string>()];
      let lost = 0;
      for (const page of site.pages) {
        const { url } = page;
        const html = texts.get(url);
        if (html === undefined) continue;
        const elements = elementsOf(html);
        if (named(elements, "h1").length !== 1) fail(`${url} has ${named(elements, "h1").length} h1`);
        const title = /<title>([^<]*)</.exec(html)?.[1] ?? "";
        if (!plain(title).startsWith(plainOf(page.title))) fail(`${url} has the title ${title}`);
        titles.add(title);
        const leadNowhere = elements.filter((one) => hasClass(one, "lost")).length;
        lost += leadNowhere;
        const inSource = page.file === undefined ? [] : lostIn(site, page.file);
        if (site.folder !== undefined && leadNowhere !== inSource.length)
          fail(`${url}: ${leadNowhere} links lead nowhere, by ${page.file} those to ${inSource}`);
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
        else if (status >= 300) fail(`${from} leads to ${link}, which leads to ${headers.get("location")}`);
      });
      note(
        `${site.name}: ${texts.size} pages, ${titles.size} titles, ${links.size} addresses, ${lost} references lead nowhere`,
      );
    }
  },
};
