import { unescapeText } from "../text/destination.js";
import { joinedLines } from "./blanks.js";

/** A piece of HTML: a tag or the text between two. A comment counts as a tag named `!--`, whatever is no tag as text. */
export interface HtmlTag {
  name: string;
  closing: boolean;
  attrs: Record<string, string>;
  source: string;
}
export type HtmlToken = HtmlTag | { text: string };

/** The comment that starts at `at`; undefined when none does, or when it has no end. */
function readComment(source: string, at: number): (HtmlTag & { end: number }) | undefined {
  const close = source.startsWith("<!--", at) ? source.indexOf("-->", at + 4) : -1;
  if (close < 0) return undefined;
  return { name: "!--", closing: false, attrs: {}, source: source.slice(at, close + 3), end: close + 3 };
}

/** Whether a comment of a source goes on behind its end. */
export function hasOpenComment(source: string): boolean {
  for (let at = source.indexOf("<!--"); at >= 0; at = source.indexOf("<!--", at)) {
    const close = source.indexOf("-->", at + 4);
    if (close < 0) return true;
    at = close + 3;
  }
  return false;
}

/** Whether a source is nothing but comments. */
export function isComments(source: string): boolean {
  const text = source.trim();
  let at = 0;
  while (at < text.length) {
    const comment = readComment(text, at);
    if (!comment) return false;
    at = comment.end;
    while (" \t\n".includes(text[at] ?? "-")) at += 1;
  }
  return text !== "";
}

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

/**
 * Returns the attributes of a tag, names in lower case, values without character references; the first of a name
 * counts.
 */
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
  const comments = source.includes("<!--") && !hasOpenComment(source);
  while (open >= 0) {
    const tag = readHtmlTag(source, open) ?? (comments ? readComment(source, open) : undefined);
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

/** Returns text with `&`, `<` and `>` as character references. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (one) => (one === "&" ? "&amp;" : one === "<" ? "&lt;" : "&gt;"));

/** Text as HTML; blanks that HTML would drop or join are character references. */
export const htmlWords = (text: string): string =>
  escapeHtml(text)
    .replace(/\n/g, "<br>")
    .replace(/(?<= ) |[\t\r]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`);

/** `name="value"` pairs with a leading blank; undefined and false are left out, true stands for `"true"`. */
export const htmlAttrs = (attrs: Record<string, unknown>): string =>
  Object.entries(attrs)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([key, value]) => ` ${key}="${joinedLines(escapeHtml(String(value)).replaceAll('"', "&quot;"))}"`)
    .join("");

/** The source of tags and texts. */
export const htmlSource = (tokens: HtmlToken[]): string =>
  tokens.map((token) => ("text" in token ? token.text : token.source)).join("");

/** Attributes that are kept as they are; what is no name of an attribute, or no text, is left out. */
export const keptAttrs = (attributes: unknown): string =>
  Object.entries((attributes ?? {}) as Record<string, unknown>)
    .filter(([key, value]) => /^[A-Za-z_][\w.-]*$/.test(key) && typeof value === "string")
    .map(([key, value]) => (value === "" ? ` ${key}` : htmlAttrs({ [key]: value })))
    .join("");

/** `data.attributes` for what is left of the attributes of an element, if anything is. */
export const attributesOf = (others: Record<string, string>): { attributes?: Record<string, string> } =>
  Object.keys(others).length > 0 ? { attributes: others } : {};

/** A start tag and what stands between it and the end tag that ends the source. */
export function closedBy(source: string, start: RegExp, end: string) {
  const whole = source.trimEnd();
  const close = whole.length - end.length;
  const match = whole.slice(close).toLowerCase() === end ? start.exec(whole) : null;
  const inner = match ? match.index + match[0].length : 0;
  return match && inner <= close ? { match, inner: whole.slice(inner, close) } : undefined;
}
