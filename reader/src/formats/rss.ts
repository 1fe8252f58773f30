import { summaryOf } from "@octavo/html/text";
import { type Block, blocksOf, type JSONDocument, plainText } from "@octavo/markdown/document/nodes";
import { xml } from "./xml.js";

/** What a feed says of its page. */
export interface Feed {
  title: string;
  description: string;
  /** The address of the page. */
  url: string;
}

const MAX_ITEMS = 100;

/** The first updates of a document, wherever they stand in it, also folded; those of included documents are not its own. */
export function updatesIn(document: JSONDocument, most = MAX_ITEMS): Block[] {
  const found: Block[] = [];
  const open = [...document.nodes].reverse();
  for (let next = open.pop(); next && found.length < most; next = open.pop()) {
    if (next.type === "update") found.push(next);
    else for (const inner of [...(next.fragments ?? []), next].flatMap(blocksOf).reverse()) open.push(inner);
  }
  return found;
}

/** The RSS feed of the updates of a page; undefined when it has none. */
export function rssOf(document: JSONDocument, { title, description, url }: Feed): string | undefined {
  const updates = updatesIn(document);
  if (updates.length === 0) return undefined;
  const items = updates.map((update) => {
    const heading = blocksOf(update).find(({ type }) => type.startsWith("heading-"));
    const day = String(update.data?.date ?? "");
    const date = new Date(day);
    const isDay = !Number.isNaN(date.getTime());
    const name = heading ? plainText(heading.nodes ?? []).trim() : "";
    const anchor = typeof heading?.meta?.id === "string" ? `#${encodeURIComponent(heading.meta.id)}` : "";
    const about = summaryOf({ object: "document", data: {}, nodes: blocksOf(update) }, 400);
    return (
      `<item><title>${xml(name || day || title)}</title><link>${xml(url + anchor)}</link>` +
      `<guid isPermaLink="false">${xml(`${url}#${day} ${name}`)}</guid>` +
      (isDay ? `<pubDate>${date.toUTCString()}</pubDate>` : "") +
      `<description>${xml(about)}</description></item>`
    );
  });
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${xml(title)}</title>` +
    `<link>${xml(url)}</link><description>${xml(description)}</description>${items.join("")}</channel></rss>\n`
  );
}
