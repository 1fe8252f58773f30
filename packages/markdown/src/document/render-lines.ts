import { DRAWING, WITHIN_TEXT } from "../parser/html-rules.js";
import { escapeLineStart, keepBlanks } from "./escape.js";

/** A text of several lines, each so that it begins no block of its own. */
export function renderLines(source: string): string {
  const lines = keepBlanks(source).split("\n");
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    // A backslash breaks no line at the end of a paragraph, and this line would end it.
    if (lines[index - 1]?.endsWith("\\") && interrupts(line))
      out.push(`${out.pop()!.slice(0, -1)}<br>${line}`);
    else out.push(lineStart(line, index));
  }
  return out.join("\n");
}

/** Blanks that begin or end a line inside are dropped by a parser, too. */
function lineStart(line: string, index: number): string {
  const start =
    index === 0
      ? line
      : line.replace(/^[ \t]+/, (blanks) =>
          blanks.replace(/./g, (one) => `&#x${one.charCodeAt(0).toString(16)};`),
        );
  return escapeLineStart(start);
}

/** Lines that stay as they are and may begin a block: tags, HTML, comments and bodies of footnotes. */
const interrupts = (line: string): boolean =>
  /^(?:\{%|<[!?]|\[\^[^\]\s]{1,100}\]:)/.test(line) ||
  (/^<\/?[a-z][a-z0-9-]*(?=[\s/>]|$)/i.test(line) && (!WITHIN_TEXT.test(line) || DRAWING.test(line)));

/** Every line but the first with `prefix` before it; empty lines stay empty. */
export const indent = (source: string, prefix: string): string =>
  source.replace(/\n(?=[^\n])/g, `\n${prefix}`);
