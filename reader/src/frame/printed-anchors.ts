import type { LoadedPage } from "../page.js";

/** An element begins; no attribute that is drawn is without quotes, and no text holds `<`. */
const TAG = /<[a-z](?:[^">]|"[^"]*")*>/g;
const ATTRIBUTE = / (id|for|name|popovertarget|href)="([^"]*)"/g;

/** The anchor of a page among those that are printed together. */
export const anchorOfPage = (index: number): string => `~page-${index + 1}`;

/**
 * The HTML of pages that are printed together: anchors that several of them have are told apart, and links from one to
 * another stay among them. A link to an anchor that is gone leads to the page that had it.
 */
export function withAnchors(pages: readonly Pick<LoadedPage, "entry" | "html" | "links">[]): string[] {
  const numbers = new Map<string, number>();
  for (const [number, { entry, links }] of pages.entries()) {
    const href = links.link({ kind: "page", page: entry.id })?.href;
    if (href !== undefined) numbers.set(href, number);
  }
  const ids = pages.map(({ html }) => new Set(idsIn(html)));

  function within(own: number, href: string): string | undefined {
    const [path = "", anchor = ""] = href.split("#", 2);
    const number = path === "" ? own : numbers.get(path);
    if (number === undefined) return undefined;
    return `#${anchorOfPage(number)}${ids[number]!.has(decoded(anchor)) ? `.${anchor}` : ""}`;
  }

  return pages.map(({ html }, number) =>
    html.replace(TAG, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
        if (name !== "href") return ` ${name}="${anchorOfPage(number)}.${value}"`;
        const to = within(number, value);
        return to === undefined ? attribute : ` href="${to}"`;
      }),
    ),
  );
}

const idsIn = (html: string): string[] =>
  [...html.matchAll(TAG)].flatMap(([tag]) => / id="([^"]*)"/.exec(tag)?.[1] ?? []);

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return "";
  }
}
