import { unescapeText } from "../destination.js";
import { joinedLines } from "./blanks.js";

/** A piece of HTML: a tag or the text between two. Comments and whatever is no tag count as text. */
export interface HtmlTag {
  name: string;
  closing: boolean;
  attrs: Record<string, string>;
  source: string;
}
export type HtmlToken = HtmlTag | { text: string };

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?)\/?>/y;
const ATTR = /([A-Za-z_:][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** One tag; undefined when the source is none. */
export function readHtmlTag(source: string, at = 0): (HtmlTag & { end: number }) | undefined {
  TAG.lastIndex = at;
  const match = TAG.exec(source);
  if (!match) return undefined;
  const [whole, closing, name, rest] = match as unknown as [string, string, string, string];
  const end = at + whole.length;
  return { name: name.toLowerCase(), closing: closing === "/", attrs: readAttrs(rest), source: whole, end };
}

export function readAttrs(source: string): Record<string, string> {
  const attrs: Record<string, string> = {};
  for (const [, key, double, single, bare] of source.matchAll(ATTR)) {
    attrs[key!.toLowerCase()] ??= htmlText(double ?? single ?? bare ?? "");
  }
  return attrs;
}

/** Tags and texts in order. */
export function readHtml(source: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = 0;
  let open = source.indexOf("<");
  while (open >= 0) {
    const tag = readHtmlTag(source, open);
    if (!tag) {
      open = source.indexOf("<", open + 1);
      continue;
    }
    if (open > at) tokens.push({ text: source.slice(at, open) });
    tokens.push(tag);
    at = tag.end;
    open = source.indexOf("<", at);
  }
  if (at < source.length) tokens.push({ text: source.slice(at) });
  return tokens;
}

/** Text with its character references resolved; backslashes are text in HTML. */
export const htmlText = (text: string): string =>
  text.includes("&") ? unescapeText(text.replaceAll("\\", "\\\\")) : text;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (one) => (one === "&" ? "&amp;" : one === "<" ? "&lt;" : "&gt;"));

/** Text as HTML; blanks that HTML would drop or join are character references. */
export const htmlWords = (text: string): string =>
  escapeHtml(text)
    .replace(/\n/g, "<br>")
    .replace(/^ $|(?<= ) |[\t\r]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`);

/** `name="value"` pairs with a leading blank; undefined and false are left out, true stands for `"true"`. */
export const htmlAttrs = (attrs: Record<string, unknown>): string =>
  Object.entries(attrs)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([key, value]) => ` ${key}="${joinedLines(escapeHtml(String(value)).replaceAll('"', "&quot;"))}"`)
    .join("");

/** A start tag and what stands between it and the end tag that ends the source. */
export function closedBy(source: string, start: RegExp, end: string) {
  const whole = source.trimEnd();
  const close = whole.length - end.length;
  const match = whole.slice(close).toLowerCase() === end ? start.exec(whole) : null;
  const inner = match ? match.index + match[0].length : 0;
  return match && inner <= close ? { match, inner: whole.slice(inner, close) } : undefined;
}
