import type { Problem } from "../yaml/yaml.js";

/** The parts a SUMMARY.md is made of, before nesting. `line` is 1-based. */
export type SummaryPart =
  | { kind: "heading"; level: number; text: string; line: number }
  | { kind: "item"; indent: number; text: string; line: number; fence?: Fence }
  | { kind: "rule"; line: number }
  /** What is no item: other text, or an `{% include %}`. */
  | { kind: "text" | "include"; line: number };
/** A fenced block as an item's content: `text` without the fence lines and the common indentation. */
export interface Fence {
  language: string;
  text: string;
}

const ITEM = /^([ \t]*)(?:[*+-]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/s;
const RULE = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const INCLUDE = /^[ \t]*(?:[*+-][ \t]+)?\{%-?[ \t]*include\b[^%]*%\}[ \t]*$/;
/** A heading as an item, which begins a group; one that is a link is a page. */
const ITEM_HEADING = /^#{1,6}[ \t]+(?!.*\]\()(.*)$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})([^`]*)$/;

/** Cuts a SUMMARY.md into headings, items and rules; wrapped items are joined, comments and frontmatter skipped. */
export function summaryParts(source: string, problems: Problem[]): SummaryPart[] {
  const lines = source.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const parts: SummaryPart[] = [];
  let last: SummaryPart | undefined;
  let index = frontmatterEnd(lines);
  while (index < lines.length) {
    const text = lines[index]!;
    const line = index + 1;
    index += 1;
    if (text.trim() === "") {
      if (last?.kind !== "item" || last.text !== "") last = undefined;
      continue;
    }
    if (/^\s*<!--/.test(text)) {
      index = commentEnd(lines, index - 1);
      if (index > lines.length) problems.push({ line, message: "the comment is not closed" });
      continue;
    }
    if (INCLUDE.test(text)) {
      parts.push({ kind: "include", line });
      last = undefined;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s.exec(text);
    const item = heading || RULE.test(text) ? null : ITEM.exec(text);
    const fence = FENCE.exec(item ? (item[3] ?? "") : text);
    if (heading) {
      parts.push({ kind: "heading", level: heading[1]!.length, text: closed(heading[2] ?? ""), line });
      last = undefined;
    } else if (fence) {
      const read = readFence(lines, index, fence);
      if (!read.closed) problems.push({ line, message: "the fenced block is not closed" });
      index = read.next;
      const owner: SummaryPart | undefined = item
        ? { kind: "item", indent: width(item[1]!), text: "", line }
        : last?.kind === "item" && last.text === "" && !last.fence
          ? last
          : undefined;
      if (owner?.kind === "item") owner.fence = read.fence;
      if (owner && item) parts.push(owner);
      last = undefined;
    } else if (item) {
      const indent = width(item[1]!);
      const group = indent < 2 ? ITEM_HEADING.exec(item[3] ?? "")?.[1] : undefined;
      if (group === undefined) last = { kind: "item", indent, text: itemText(item[3] ?? ""), line };
      else last = { kind: "heading", level: 2, text: closed(group), line };
      parts.push(last);
      if (last.kind === "heading") last = undefined;
    } else if (last?.kind === "text" && /^ {0,3}(?:=+|-+)[ \t]*$/.test(text)) {
      const level = text.includes("=") ? 1 : 2;
      parts[parts.length - 1] = {
        kind: "heading",
        level,
        text: lines[last.line - 1]!.trim(),
        line: last.line,
      };
      last = undefined;
    } else if (RULE.test(text)) {
      parts.push({ kind: "rule", line });
      last = undefined;
    } else if (last?.kind === "item") {
      last.text += last.text === "" ? text.trim() : ` ${text.trim()}`;
    } else {
      last = { kind: "text", line };
      parts.push(last);
    }
  }
  return parts;
}

function readFence(
  lines: string[],
  from: number,
  opening: RegExpExecArray,
): { fence: Fence; next: number; closed: boolean } {
  const mark = opening[1]!;
  const body: string[] = [];
  for (let index = from; index < lines.length; index += 1) {
    const trimmed = lines[index]!.trim();
    if (trimmed.length >= mark.length && trimmed === mark[0]!.repeat(trimmed.length)) {
      return { fence: { language: language(opening), text: dedent(body) }, next: index + 1, closed: true };
    }
    body.push(lines[index]!);
  }
  return { fence: { language: language(opening), text: dedent(body) }, next: lines.length, closed: false };
}

/** What an item says; its marks of a heading say nothing. */
const itemText = (text: string): string => text.trim().replace(/^#{1,6}[ \t]+/, "");
const language = (opening: RegExpExecArray): string =>
  (opening[2] ?? "").trim().split(/\s/)[0]!.toLowerCase();
const closed = (heading: string): string => heading.replace(/(^|[ \t])#+[ \t]*$/, "").trim();

function dedent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(Math.min(common, line.length))).join("\n");
}

/** Columns of leading white space, a tab reaching to the next multiple of four. */
function width(blanks: string): number {
  let columns = 0;
  for (const blank of blanks) columns += blank === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

function frontmatterEnd(lines: string[]): number {
  if (!/^---[ \t]*$/.test(lines[0] ?? "")) return 0;
  if (!/^[\w"'-]+[^:]*:/.test(lines[1] ?? "")) return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  return end + 1;
}

function commentEnd(lines: string[], from: number): number {
  let index = from;
  while (index < lines.length && !lines[index]!.includes("-->")) index += 1;
  return index + 1;
}
