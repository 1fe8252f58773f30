import { type Line, readLines } from "../blocks/lines.js";
import { inlineText } from "../text/inline.js";
import { readFrontmatter } from "../yaml/frontmatter.js";
import { slugGiver, slugify } from "./slug.js";
import { findTitle, pageTitle } from "./title.js";

/** A stretch of a page for search. The first (no anchor) is the page: its title and the text before the first heading. */
export interface Section {
  /** The heading's id on the page, unique: explicit (`<a id="x">`), else the slugified heading. */
  anchor?: string;
  /** At most as long as a page's; of a longer heading the text says all. */
  title: string;
  /** Plain text without markdown, HTML or tag syntax; code stays as text. */
  text: string;
}

/** Splits a page into its sections by heading, in order; never empty. Linear in the input's length, never throws. */
export function sections(markdown: string): Section[] {
  const lines = readLines(markdown);
  const title = findTitle(markdown, lines);
  const first: Section = { title: title ? inlineText(title.text).trim() : frontTitle(markdown), text: "" };
  const found = [first];
  const anchorOf = slugGiver();
  let words: string[] = [];
  let open = first;
  const close = () => {
    open.text = words.filter((text) => text !== "").join("\n");
    words = [];
  };
  const reader = textReader();
  for (const [index, line] of lines.entries()) {
    if (line.kind === "frontmatter") continue;
    const heading = headingOf(line, lines[index - 1]);
    if (!heading) {
      words.push(reader(line, lines[index + 1]));
      continue;
    }
    if (heading.underlined) words.pop();
    if (title && title.start >= heading.start && title.start <= line.end) continue;
    const text = inlineText(heading.source).trim();
    if (text === "") continue;
    close();
    const anchor = anchorOf(anchorIn(heading.source) ?? slugify(text, "section"));
    open = { anchor, title: pageTitle(text), text: "" };
    found.push(open);
    if (open.title.length < text.length) words.push(text);
  }
  close();
  return found;
}

interface Found {
  source: string;
  start: number;
  underlined: boolean;
}

/** A heading that ends on this line; its `source` is inline markdown, or HTML with its own tag. */
function headingOf(line: Line, before: Line | undefined): Found | undefined {
  if (line.kind !== "text" || line.item !== undefined || line.within > 0) return undefined;
  const marks = /^ {0,3}#{1,6}(?:[ \t]+|$)/.exec(line.text);
  if (marks)
    return { source: withoutClosing(line.text.slice(marks[0].length)), start: line.start, underlined: false };
  if (/^[ \t]*<h[1-6][\s>]/i.test(line.text))
    return { source: line.text, start: line.start, underlined: false };
  const plain =
    before?.kind === "text" && !before.blank && before.within === 0 && !NO_TITLE.test(before.text);
  if (!plain || !/^ {0,3}(?:=+|-+)[ \t]*$/.test(line.text)) return undefined;
  return { source: before.text, start: before.start, underlined: true };
}
const NO_TITLE = /^ {0,3}(?:#|>|\{%|\||<|[*_-][ \t]*[*_-][ \t]*[*_-])/;

const withoutClosing = (text: string): string => {
  let end = text.trimEnd().length;
  const whole = end;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return text.slice(0, end === 0 || " \t".includes(text[end - 1]!) ? end : whole);
};

function anchorIn(source: string): string | undefined {
  const match = /<(?:a|h[1-6])\s[^<>]*?\bid\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')/i.exec(source);
  return match?.[1] ?? match?.[2];
}

function frontTitle(markdown: string): string {
  const { title } = readFrontmatter(markdown).fields;
  return typeof title === "string" ? title : "";
}

/** Reads line after line; remembers which kind of code or raw HTML it is in. */
function textReader(): (line: Line, next: Line | undefined) => string {
  let raw = "";
  return (line, next) => {
    if (line.kind === "fence") return isFenceLine(line, next) ? "" : codeOf(line).trim();
    if (line.kind === "raw") {
      if (line.opens) raw = /<(!--|pre|script|style|textarea)/i.exec(line.text)?.[1]?.toLowerCase() ?? "";
      if (raw === "pre" || raw === "textarea") return inlineText(codeOf(line).replaceAll("`", "\\`")).trim();
      const end = raw === "!--" ? line.text.indexOf("-->") : -1;
      return end < 0 ? "" : lineText(line.text.slice(end + 3));
    }
    return line.blank ? "" : lineText(line.text);
  };
}

const codeOf = ({ text, quoted = 0 }: Line): string => text.slice(quoted);

const isFenceLine = (line: Line, next: Line | undefined): boolean =>
  line.opens === true ||
  ((next?.kind !== "fence" || next.opens === true) && /^\s*(?:`{3,}|~{3,})\s*$/.test(codeOf(line)));

/** A link whose words are its own path: the targets of cards are written so, which nobody reads. */
const OWN_PATH = /<a\s+href="([^"<>:]+)"[^<>]*>\1<\/a>/gi;

/** The words of a line of markdown that is neither code nor a heading. */
function lineText(text: string): string {
  if (isTableRule(text) || BREAK.test(text)) return "";
  if (/^ {0,3}\[[^\]^][^\]]*\]:[ \t]/.test(text)) return "";
  const content = text
    .slice(markersEnd(text))
    .replace(/^\[\^[^\]\s]{1,100}\]:/, "")
    .replace(LINE_BREAK, "");
  const cells = /^[ \t]*\|/.test(content) ? content.replace(/\\?\|/g, " ") : content;
  return inlineText(withoutTags(cells.replace(OWN_PATH, " ").replaceAll("$$", " ")))
    .replace(/\s+/g, " ")
    .trim();
}

/** The line of dashes under a table's header, or a thematic break. */
const isTableRule = (text: string): boolean => text.includes("--") && !/[^-|: \t]/.test(text);

/** A thematic break. */
const BREAK = /^[ \t>]*([*_])(?:[ \t]*\1){2,}[ \t]*$/;
/** The mark of a line break at the end of a line. */
const LINE_BREAK = /(?<!\\)\\$/;

/** Where the text starts behind quote marks, list marks and a task's box. */
function markersEnd(text: string): number {
  const marker = /[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ \t]))/y;
  let end = 0;
  while (marker.test(text)) end = marker.lastIndex;
  return end;
}

/** Tags are dropped but for their titles: that of a tab or of code, and what describes a prompt, is read by people. */
function withoutTags(text: string): string {
  let out = "";
  let at = 0;
  for (let start = text.indexOf("{%"); start >= 0; start = text.indexOf("{%", at)) {
    const end = text.indexOf("%}", start);
    if (end < 0) break;
    const title = /\b(?:title|description)\s*=\s*"([^"]*)"/.exec(text.slice(start, end))?.[1] ?? "";
    out += `${text.slice(at, start)} ${title} `;
    at = end + 2;
  }
  return out + text.slice(at);
}
