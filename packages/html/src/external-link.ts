import type { Page } from "./page.js";

/** Attributes of a link to another site: `rel=noopener`, and a new tab where the site asks for one. */
export function externalLinkAttributes(
  href: string,
  { newTab }: Pick<Page, "newTab">,
): { rel?: string; target?: string } {
  if (!/^(?:https?:)?\/\//i.test(href)) return {};
  return { rel: "noopener", ...(newTab && { target: "_blank" }) };
}
