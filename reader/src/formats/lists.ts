import type { SiteContext } from "../site/context.js";
import { pathOf } from "../site/find.js";
import { encodedPath } from "../site/links.js";
import { xml } from "./xml.js";

/** A text in one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
/** A text as it stands in a link of markdown. */
export const linkText = (text: string): string => oneLine(text).replace(/[[\]\\]/g, "\\$&");

/**
 * The list of pages for machines that read: a title, a link to the markdown of each page, and one to the same list of each
 * other space of the site.
 */
export function llmsText({ place, site, space }: SiteContext): string {
  const pages = space.order.map((entry) => {
    const url = `${place.canonical}${encodedPath(entry.path ?? "")}.md`;
    return `- [${linkText(entry.title)}](${url})${entry.description ? `: ${oneLine(entry.description)}` : ""}`;
  });
  const others = site.spaces
    .filter(({ space }) => space !== place.space)
    .map(({ title, canonical }) => `- [${linkText(title)}](${canonical}llms.txt)`);
  const more = others.length > 0 ? ["", "## Other sections", "", ...others] : [];
  const whole = `All pages in one text: ${place.canonical}llms-full.txt`;
  return [`# ${oneLine(site.title)}`, "", `> ${whole}`, "", "## Pages", "", ...pages, ...more, ""].join("\n");
}

/** URLs that a sitemap may have, and sitemaps that an index of them may. */
const MOST_MAPPED = 50_000;

/** The name of the sitemap of one space. */
export const PAGES_MAP = "sitemap-pages.xml";

/**
 * The sitemap of a site: at the base of one with several spaces an index of their sitemaps, which nothing has to be asked
 * for, else the pages of the space that is shown.
 */
export function sitemapXml(context: SiteContext): string {
  const { place, site } = context;
  if (place.canonical !== place.siteCanonical || site.spaces.length < 2) return pagesMapXml(context);
  const maps = site.spaces
    .slice(0, MOST_MAPPED)
    .map(({ canonical }) => `<sitemap><loc>${xml(canonical + PAGES_MAP)}</loc></sitemap>`);
  return mapXml("sitemapindex", maps);
}

/** The sitemap of the pages of a space that search engines may list. */
export function pagesMapXml({ place, space }: SiteContext): string {
  const urls = space.order
    .filter(({ noIndex }) => !noIndex)
    .slice(0, MOST_MAPPED)
    .map((entry) => {
      const changed = entry.updatedAt ? `<lastmod>${xml(entry.updatedAt)}</lastmod>` : "";
      return `<url><loc>${xml(place.canonical + encodedPath(pathOf(space, entry)))}</loc>${changed}</url>`;
    });
  return mapXml("urlset", urls);
}

const mapXml = (name: string, items: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join("")}</${name}>\n`;

/**
 * What robots may fetch: everything on a site that is for everybody, nothing on others. An unlisted one says with all that is
 * sent that it is not to be found, which only those read who may fetch it; a public one names its sitemap.
 */
export function robotsText({ place, site }: SiteContext): string {
  const { isPrivate, siteCanonical } = place;
  if (isPrivate || !["public", "unlisted"].includes(site.visibility)) return "User-agent: *\nDisallow: /\n";
  const map = site.visibility === "public" ? `Sitemap: ${siteCanonical}sitemap.xml\n` : "";
  return `User-agent: *\nAllow: /\n${map}`;
}
