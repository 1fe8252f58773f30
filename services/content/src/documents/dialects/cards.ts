import type { Block } from "./parts.js";

export interface Card {
  attrs: Block["attrs"];
  /** Its text, in markdown. */
  words: string;
}

const TARGET = '<th data-hidden data-card-target data-type="content-ref"></th>';

/** Cards as the table that they are with us: a title, a text, and where each leads. */
/** Characters of the text of a card. */
const LONGEST = 2_000;

export function cards(all: Card[]): string[] {
  const head = `<thead><tr><th></th><th></th>${TARGET}</tr></thead>`;
  const rows = all.map(({ attrs, words }) => {
    const href = typeof attrs.href === "string" ? attrs.href : "";
    const link = href === "" ? "" : `<a href="${attribute(href)}">${escaped(href)}</a>`;
    const title = typeof attrs.title === "string" ? `<strong>${escaped(attrs.title)}</strong>` : "";
    return `<tr><td>${title}</td><td>${inWords(words)}</td><td>${link}</td></tr>`;
  });
  return [`<table data-view="cards">${head}<tbody>${rows.join("")}</tbody></table>`];
}

const escaped = (text: string) =>
  text
    .replace(/&(?!#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("{%", "&#123;%");
const attribute = (text: string) => escaped(text).replaceAll('"', "&quot;");

/** The marks of a few words, as HTML; images and blocks are left out. */
function inWords(markdown: string): string {
  return escaped(
    markdown
      .slice(0, LONGEST)
      .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
      .replace(/\{%[^\n]*%\}/g, ""),
  )
    .replace(/`([^`\n]{1,500})`/g, "<code>$1</code>")
    .replace(/\*\*([^*\n]{1,500})\*\*/g, "<strong>$1</strong>")
    .replace(/\[([^\]\n]{1,500})\]\(([^()\s"]{1,2000})\)/g, '<a href="$2">$1</a>')
    .trim()
    .replace(/\s*\n\s*/g, " ");
}
