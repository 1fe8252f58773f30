import { pathOf } from "../find.js";
import { encodedPath } from "../links.js";
import type { Place } from "../places.js";
import type { Site } from "../site.js";
import type { Space } from "../space.js";
import { xml } from "./xml.js";

/** What the lists of all pages are made of. */
export interface Listed {
  place: Place;
  site: Site;
  space: Space;
}

/** A text in one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
/** A text as it stands in a link of markdown. */
export const linkText = (text: string): string => oneLine(text).replace(/[[\]\\]/g, "\\$&");

/** The list of pages for machines that read: a title, and a link to the markdown of each page. */
export function llmsText({ place, site, space }: Listed): string {
  const pages = space.order.map((entry) => {
    const url = `${place.canonical}${encodedPath(entry.path ?? "")}.md`;
    return `- [${linkText(entry.title)}](${url})${entry.description ? `: ${oneLine(entry.description)}` : ""}`;
  });
  const others = site.spaces
    .filter(({ space }) => space !== place.space)
    .map(({ title, canonical }) => `- [${linkText(title)}](${canonical})`);
  const more = others.length > 0 ? ["", "## Optional", "", ...others] : [];
  const whole = `All pages in one text: ${place.canonical}llms-full.txt`;
  return [`# ${oneLine(site.title)}`, "", `> ${whole}`, "", "## Pages", "", ...pages, ...more, ""].join("\n");
}

/** The sitemap of what search engines may list. */
export function sitemapXml({ place, space }: Listed): string {
  const urls = space.order
    .filter(({ noIndex }) => !noIndex)
    .slice(0, 50_000)
    .map((entry) => {
      const changed = entry.updatedAt ? `<lastmod>${xml(entry.updatedAt)}</lastmod>` : "";
      return `<url><loc>${xml(place.canonical + encodedPath(pathOf(space, entry)))}</loc>${changed}</url>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`;
}

/** What robots may do: everything on a public site, nothing on others. */
export function robotsText({ place, site }: Listed): string {
  if (site.visibility !== "public" || place.isPrivate) return "User-agent: *\nDisallow: /\n";
  return `User-agent: *\nAllow: /\nSitemap: ${place.canonical}sitemap.xml\n`;
}
