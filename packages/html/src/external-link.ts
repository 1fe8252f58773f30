import type { Page } from "./page.js";

type Around = Pick<Page, "site" | "newTab">;

/** Returns whether an address leads to another site than the page's. */
export const isExternal = (href: string, { site }: Around): boolean =>
  /^(?:https?:)?\/\//i.test(href) && (site === undefined || !href.startsWith(site));

/** Attributes of a link to another site: `rel=noopener`, and a new tab where the site asks for one. */
export function externalLinkAttributes(href: string, page: Around): { rel?: string; target?: string } {
  if (!isExternal(href, page)) return {};
  return { rel: "noopener", ...(page.newTab && { target: "_blank" }) };
}
