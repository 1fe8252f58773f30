import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { destinationAt, unescapeText } from "../text/destination.js";
import { joinedLines } from "./blanks.js";
import { emojiCode } from "./emoji.js";
import { readHtmlTag } from "./html.js";
import { readTag } from "./tags.js";

/** Elements that are read whole, with the words in them. */
const WHOLE = new Set(["i", "span", "button", "picture", "code", "a"]);
const LONGEST_LENIENT = 1000;

/** Teaches the parser what lies inside a line: math, emoji, footnotes, tags, elements read whole, plain addresses. */
export function addInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline;
  ruler.before("escape", "plain_url", plainUrl);
  ruler.before("escape", "emoji", emoji);
  ruler.before("escape", "math_inline", math);
  ruler.before("escape", "tag_inline", tag);
  ruler.before("link", "footnote_ref", footnoteRef);
  ruler.before("html_inline", "html_whole", whole);
  md.validateLink = () => true;
  md.normalizeLink = (url) => url;
  md.normalizeLinkText = (text) => text;
  const strict = md.helpers.parseLinkDestination;
  md.helpers.parseLinkDestination = (text, start, max) => lenient(text, start, max, strict(text, start, max));
}

/** Real files have blanks in destinations: `[a](my page.md)`. */
function lenient(text: string, start: number, max: number, found: { ok: boolean; pos: number; str: string }) {
  if (found.ok) {
    let next = found.pos;
    while (next < max && " \t\n".includes(text[next]!)) next += 1;
    if (next === found.pos || `)"'(`.includes(text[next] ?? ")")) return found;
  }
  let before = start - 1;
  while (before >= 0 && " \t\n".includes(text[before]!)) before -= 1;
  if (text[before] !== "(" || text[before - 1] !== "]") return found;
  const piece = text.slice(before, Math.min(max, before + LONGEST_LENIENT));
  const target = destinationAt(piece, 0);
  if (!target || piece[target.start - 1] === "<") return found;
  return { ok: true, pos: before + target.end, str: unescapeText(target.raw.trim()) };
}

function push(
  state: StateInline,
  type: string,
  content: string,
  end: number,
  silent: boolean,
): Token | undefined {
  const token = silent ? undefined : state.push(type, "", 0);
  if (token) token.content = content;
  state.pos = end;
  return token;
}

/** Where `needle` is next in the text. What was found, or not, is known until that place: no stretch is searched twice. */
function find(state: StateInline, needle: string, from: number): number {
  state.env.known ??= new Map();
  const searches = state.env.known as Map<string, { text: string; from: number; at: number }>;
  const known = searches.get(needle);
  let at = known?.at ?? -1;
  if (!known || known.text !== state.src || from < known.from || (at >= 0 && from > at)) {
    at = state.src.indexOf(needle, from);
    searches.set(needle, { text: state.src, from, at });
  }
  return at >= state.posMax ? -1 : at;
}

function math(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith("$$", pos)) return false;
  const end = find(state, "$$", pos + 2);
  if (end <= pos + 2) return false;
  const formula = joinedLines(src.slice(pos + 2, end));
  if (formula.trim() === "") return false;
  push(state, "math_inline", formula, end + 2, silent);
  return true;
}

const EMOJI = /:([a-z0-9_+-]{1,60}):/y;

function emoji(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 58) return false;
  EMOJI.lastIndex = state.pos;
  const code = emojiCode(EMOJI.exec(state.src)?.[1] ?? "");
  if (code === undefined || EMOJI.lastIndex > state.posMax) return false;
  push(state, "emoji", code, EMOJI.lastIndex, silent);
  return true;
}

const ADDRESS = /:\/\/[^\s<>"`\\[\]{}|^]{1,2000}/y;

/** `https://example.com` without brackets, as GFM has it. */
function plainUrl(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 58 || state.linkLevel > 0) return false;
  ADDRESS.lastIndex = state.pos;
  const scheme = /(?:^|[^A-Za-z0-9])(https?)$/i.exec(
    state.src.slice(Math.max(0, state.pos - 6), state.pos),
  )?.[1];
  if (!scheme || (!silent && !state.pending.endsWith(scheme))) return false;
  const rest = trimUrl(ADDRESS.exec(state.src)?.[0] ?? "");
  const end = state.pos + rest.length;
  if (rest.length < 4 || end > state.posMax) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    push(state, "plain_url", scheme + rest, end, false);
  }
  state.pos = end;
  return true;
}

/** Punctuation at the end belongs to the sentence, and so does a parenthesis that was opened before. */
export function trimUrl(url: string): string {
  const mark = url.search(/\*|~~/);
  let end = mark < 0 ? url.length : mark;
  let surplus = 0;
  for (let at = 0; at < end; at += 1) surplus += url[at] === ")" ? 1 : url[at] === "(" ? -1 : 0;
  for (; end > 3; end -= 1) {
    const last = url[end - 1]!;
    if (last === ")" && surplus > 0) surplus -= 1;
    else if (!/[?!.,:_~'$;&]/.test(last)) break;
  }
  return url.slice(0, end);
}

const NAMED = /\{%-?[ \t]*[@\w]/y;

function tag(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  NAMED.lastIndex = pos;
  if (src.charCodeAt(pos) !== 123 || !NAMED.test(src)) return false;
  const close = find(state, "%}", pos);
  const line = find(state, "\n", pos);
  if (close < 0 || (line >= 0 && line < close)) return false;
  const text = src.slice(pos, Math.min(posMax, close + 500, line < 0 ? posMax : line));
  const read = readTag(text);
  if (!read) return false;
  push(state, "html_inline", text.slice(0, read.end), pos + read.end, silent);
  return true;
}

const LABEL = /\[\^([^\]\s]{1,100})\]/y;

function footnoteRef(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[^", state.pos)) return false;
  LABEL.lastIndex = state.pos;
  const label = LABEL.exec(state.src)?.[1];
  if (!label || !(state.env.footnotes as Set<string> | undefined)?.has(label)) return false;
  push(state, "footnote_ref", label, LABEL.lastIndex, silent);
  return true;
}

/** `<i class="fa-x">…</i>` and the like: the start tag decides, the words in it are not markdown. */
function whole(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 60) return false;
  const tag = readHtmlTag(state.src, state.pos);
  if (!tag || tag.closing || !WHOLE.has(tag.name) || !isForm(tag.name, tag.attrs)) return false;
  const closing = `</${tag.name}>`;
  const close = find(state, closing, tag.end);
  if (close < 0) return false;
  const end = close + closing.length;
  const token = push(state, "html_whole", state.src.slice(state.pos, end), end, silent);
  if (token) token.meta = { tag, inner: state.src.slice(tag.end, close) };
  return true;
}

function isForm(name: string, attrs: Record<string, string>): boolean {
  const has = (word: string) => ` ${attrs.class ?? ""} `.includes(word);
  if (name === "picture") return true;
  if (name === "i") return has(" fa-");
  if (name === "span") return attrs["data-tag"] === "emoji" || attrs.class === "math";
  if (name === "code") return has(" expression ");
  return has(" button ");
}
