import { type Block, scanBlocks } from "../blocks/blocks.js";
import { type Line, readLines } from "../blocks/lines.js";
import { escapeTitle, oneLine, titleText } from "../text/inline.js";

/** The page's H1: its plain text, and the part `start`..`end` of the markdown that a new title replaces. */
export interface Heading {
  text: string;
  start: number;
  end: number;
  form: "markdown" | "html";
  /** Where the line of `=` under it ends. */
  underlineEnd?: number;
}

const HTML_TITLE = /^( {0,3}<h1(?:\s[^<>]*)?>)(.*?)<\/h1>/is;
/** The first H1 on the top level: not in a list, quote, fence, element or tag. */
export function findTitle(markdown: string, lines: Line[]): Heading | undefined {
  const opening = lines.find(({ kind, blank }) => kind !== "frontmatter" && !blank);
  if (opening && opening.kind === "text" && MARKED.test(opening.text)) return markedHeading(opening);
  if (!lines.some(({ text }) => POSSIBLE.test(text))) return undefined;
  for (const block of scanBlocks(markdown, lines)) {
    const heading = headingOf(markdown, lines, block);
    if (heading) return heading;
  }
  return undefined;
}

const MARKED = /^ {0,3}#(?:[ \t]+|$)/;
/** What no page with a title is without. */
const POSSIBLE = /^ {0,3}(?:#(?:[ \t]|$)|=+[ \t]*$|<h1[\s>])/i;

/** A title in the form the heading is written in. */
export const headingSource = (title: string, form: Heading["form"]): string =>
  form === "markdown"
    ? escapeTitle(title)
    : title.replace(/[&<>\\`*_[\]{~!]/g, (character) => `&#${character.charCodeAt(0)};`);

function headingOf(markdown: string, lines: Line[], { token, from, to }: Block): Heading | undefined {
  if (!token) return undefined;
  const filled = lines.slice(from, to).filter(({ blank }) => !blank);
  const first = filled[0]!;
  if (token.type === "heading_open" && token.tag === "h1")
    return token.markup === "#" ? markedHeading(first) : underlinedHeading(markdown, filled);
  if (!token.type.startsWith("html_") || !/^ {0,3}<h1[\s>]/i.test(first.text)) return undefined;
  const match = HTML_TITLE.exec(markdown.slice(first.at, filled.at(-1)!.end));
  if (!match) return undefined;
  const start = first.at + match[1]!.length;
  return { text: words(match[2]!), start, end: start + match[2]!.length, form: "html" };
}

function markedHeading({ text, at }: Line): Heading {
  const marks = MARKED.exec(text)![0];
  return heading(at + marks.length, withoutClosing(text.slice(marks.length)));
}

/** Of the lines of a heading that are not blank: the last one is the line of `=`. */
function underlinedHeading(markdown: string, filled: Line[]): Heading {
  const [first, above, underline] = [filled[0]!, filled.at(-2)!, filled.at(-1)!];
  const start = first.at + first.text.length - first.text.trimStart().length;
  const content = markdown.slice(start, above.at + above.text.length).trimEnd();
  return { ...heading(start, content), underlineEnd: underline.at + underline.text.length };
}

function heading(start: number, content: string): Heading {
  const source = withoutAnchor(content);
  return { text: words(source), start, end: start + source.length, form: "markdown" };
}

/** The markdown with another title in the heading. Words that would break an underlined heading get a `#`. */
export function replaceTitle(markdown: string, heading: Heading, title: string): string {
  const { start, end, form, underlineEnd } = heading;
  const source = headingSource(title, form);
  const gap = form === "markdown" && markdown[start - 1] === "#" ? " " : "";
  const written = markdown.slice(0, start) + gap + source + markdown.slice(end);
  if (underlineEnd === undefined || findTitle(written, readLines(written))?.text === title) return written;
  return `${markdown.slice(0, start)}# ${source}${markdown.slice(underlineEnd)}`;
}

function withoutClosing(text: string): string {
  let end = text.trimEnd().length;
  const whole = end;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  if (end > 0 && !/[ \t]/.test(text[end - 1]!)) end = whole;
  return text.slice(0, end).trimEnd();
}

/** An anchor behind the words is not part of the title. */
function withoutAnchor(content: string): string {
  if (!/<\/a>$/i.test(content)) return content;
  const open = content.lastIndexOf("<", content.length - 5);
  return /^<a\s[^<>]*>\s*<\/a>$/i.test(content.slice(open)) ? content.slice(0, open).trimEnd() : content;
}

const LONGEST = 500;

/** A title as pages have it, whatever it was read from: one line, no control characters, at most 500 characters. */
export function pageTitle(text: string): string {
  if (text.length <= LONGEST && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)) return text.trim();
  const words = text
    .slice(0, LONGEST * 2)
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return words
    .slice(0, LONGEST)
    .replace(/\p{Cs}$/u, "")
    .trimEnd();
}

const words = (source: string): string => titleText(oneLine(source));
