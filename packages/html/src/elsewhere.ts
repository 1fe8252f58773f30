import type { Page } from "./page.js";

/** How a link to another site is written: it gets neither a referrer nor a rank, and a tab of its own where the site says so. */
export function elsewhere(href: string, { newTab }: Pick<Page, "newTab">): { rel?: string; target?: string } {
  if (!/^(?:https?:)?\/\//i.test(href)) return {};
  return { rel: "noopener", ...(newTab && { target: "_blank" }) };
}
