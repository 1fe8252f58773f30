import { type Block, kindOf, scanBlocks } from "../blocks/blocks.js";
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
/** The first H1 on the top level: not in a list, quote, fence or tag. */
export function findTitle(markdown: string, lines: Line[]): Heading | undefined {
  const opening = openingHeading(lines);
  if (opening) return headingOf(markdown, lines, opening);
  for (const block of scanBlocks(lines)) {
    const heading = headingOf(markdown, lines, block);
    if (heading) return heading;
  }
  return undefined;
}

/** The `# Title` that most pages begin with, without a look at the rest of the page. */
function openingHeading(lines: Line[]): Block | undefined {
  const from = lines.findIndex(({ kind, blank }) => kind !== "frontmatter" && !blank);
  const { kind, level } = from < 0 ? {} : kindOf(lines[from]!);
  return kind === "heading" && level === 1 ? { kind, level, from, to: from + 1 } : undefined;
}

/** A title in the form the heading is written in. */
export const headingSource = (title: string, form: Heading["form"]): string =>
  form === "markdown"
    ? escapeTitle(title)
    : title.replace(/[&<>\\`*_[\]{~!]/g, (character) => `&#${character.charCodeAt(0)};`);

function headingOf(markdown: string, lines: Line[], block: Block): Heading | undefined {
  const first = lines.slice(block.from, block.to).find(({ blank }) => !blank)!;
  if (block.kind === "html" && /^ {0,3}<h1[\s>]/i.test(first.text)) {
    const match = HTML_TITLE.exec(markdown.slice(first.at, lines[block.to - 1]!.end));
    if (!match) return undefined;
    const start = first.at + match[1]!.length;
    return { text: words(match[2]!), start, end: start + match[2]!.length, form: "html" };
  }
  if (block.kind !== "heading" || block.level !== 1) return undefined;
  const marks = /^ {0,3}#(?:[ \t]+|$)/.exec(first.text);
  const start = first.at + (marks ? marks[0].length : first.indent);
  const content = marks
    ? withoutClosing(first.text.slice(marks[0].length))
    : underlined(markdown, lines, block, start);
  const source = withoutAnchor(content);
  const heading: Heading = { text: words(source), start, end: start + source.length, form: "markdown" };
  if (!marks) heading.underlineEnd = lastLine(lines, block).at + lastLine(lines, block).text.length;
  return heading;
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

const lastLine = (lines: Line[], block: Block): Line =>
  lines.slice(block.from, block.to).findLast(({ blank }) => !blank)!;

/** The text above the line of `=`. */
function underlined(markdown: string, lines: Line[], block: Block, start: number): string {
  const filled = lines.slice(block.from, block.to).filter(({ blank }) => !blank);
  const last = filled.at(-2) ?? filled[0]!;
  return markdown.slice(start, last.at + last.text.length).trimEnd();
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
