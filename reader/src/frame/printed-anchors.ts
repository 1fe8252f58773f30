/** An element begins; no attribute that is drawn is without quotes, and no text holds `<`. */
const TAG = /<[a-z](?:[^">]|"[^"]*")*>/g;
const ATTRIBUTE = / (id|for|name|popovertarget|href)="([^"]*)"/g;

/** The anchor of a page among those that are printed together. */
export const anchorOfPage = (index: number): string => `~page-${index + 1}`;

/** A page that is printed, with anchors that no other one has. */
export interface Anchored {
  html: string;
  /** Anchors that pages before it link to, and that it does not have. */
  gone: string[];
}

/**
 * Returns what anchors pages that are printed together, one after the other in their order: anchors that several of them
 * have are told apart, and links from one to another stay among them. `hrefs` are the addresses of the pages, by which
 * others link to them. A link to an anchor that is gone leads to the page that had it.
 */
export function createAnchors(hrefs: readonly (string | undefined)[]): (html: string) => Anchored {
  const numbers = new Map(hrefs.map((href, number) => [href, number]));
  /** Anchors of the pages up to the one that is drawn, and those of later ones that are linked to. */
  const known = new Set<string>();
  const linked = hrefs.map(() => new Set<string>());
  let own = -1;

  function within(href: string): string | undefined {
    const [path = "", hash = ""] = href.split("#", 2);
    const number = path === "" ? own : numbers.get(path);
    if (number === undefined) return undefined;
    const page = anchorOfPage(number);
    const anchor = `${page}.${decoded(hash)}`;
    if (hash === "" || anchor === `${page}.` || (number <= own && !known.has(anchor))) return `#${page}`;
    if (number > own) linked[number]!.add(anchor);
    return `#${page}.${hash}`;
  }

  return (html) => {
    own += 1;
    const page = anchorOfPage(own);
    for (const [tag] of html.matchAll(TAG)) {
      const id = / id="([^"]*)"/.exec(tag)?.[1];
      if (id !== undefined) known.add(`${page}.${id}`);
    }
    const anchored = html.replace(TAG, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
        if (name !== "href") return ` ${name}="${page}.${value}"`;
        const to = within(value);
        return to === undefined ? attribute : ` href="${to}"`;
      }),
    );
    return { html: anchored, gone: [...linked[own]!].filter((anchor) => !known.has(anchor)) };
  };
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return "";
  }
}
