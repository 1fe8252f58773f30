/** Closing line by opening line (from 0) of tags and of <details>. */
export type Ranges = Map<number, number>;

const PREFIX = /[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)[ \t]+[ \t>]*)*/y;
const FENCE = /(`{3,}|~{3,})(.*)/sy;
const NAME = /\{%-?[ \t]*(end)?([@\w][\w/.@-]*)/y;

/** Finds what closes what in one pass, so that unclosed tags cost nothing more. Code in fences and <pre> is skipped. */
export function findRanges(source: string): Ranges {
  const ranges: Ranges = new Map();
  const open = new Map<string, number[]>();
  let fence = "";
  let code = -1;
  let number = 0;
  for (let at = 0; at <= source.length; number += 1) {
    const found = source.indexOf("\n", at);
    const end = found < 0 ? source.length : found;
    PREFIX.lastIndex = at;
    PREFIX.test(source);
    const start = Math.min(PREFIX.lastIndex, end);
    const first = source[start];
    at = end + 1;
    if (end <= code) continue;
    if (first === "`" || first === "~") fence = afterFence(fence, source.slice(start, end));
    if (fence !== "" || (first !== "{" && first !== "<")) continue;
    if (/^<pre[\s>]/i.test(source.slice(start, start + 5))) code = Math.max(code, preEnd(source, start));
    const { name, opens, closes } = edge(source.slice(start, end));
    if (opens) stackOf(open, name).push(number);
    const line = closes ? open.get(name)?.pop() : undefined;
    if (line !== undefined) ranges.set(line, number);
  }
  return ranges;
}

/** Where the code ends; a <pre> goes to the blank line when nothing closes it before. */
function preEnd(source: string, start: number): number {
  const blank = source.indexOf("\n\n\n", start);
  const close = source
    .slice(start, blank < 0 ? start + 20_000 : Math.min(blank, start + 20_000))
    .indexOf("</pre>");
  return close < 0 ? -1 : start + close;
}

function stackOf(open: Map<string, number[]>, name: string): number[] {
  const stack = open.get(name) ?? [];
  open.set(name, stack);
  return stack;
}

function edge(line: string): { name: string; opens: boolean; closes: boolean } {
  if (/^<details[\s>]/i.test(line)) return { name: "<", opens: true, closes: /<\/details>\s*$/i.test(line) };
  if (/^<\/details>\s*$/i.test(line)) return { name: "<", opens: false, closes: true };
  NAME.lastIndex = 0;
  const match = NAME.exec(line);
  if (!match) return { name: "", opens: false, closes: false };
  const closing = match[1] !== undefined;
  const name = match[2]!;
  return { name, opens: !closing, closes: closing || line.includes(`end${name} %}`) };
}

function afterFence(fence: string, text: string): string {
  FENCE.lastIndex = 0;
  const match = FENCE.exec(text);
  if (!match) return fence;
  const [, marks, rest] = match as unknown as [string, string, string];
  if (fence === "") return marks[0] === "`" && rest.includes("`") ? "" : marks;
  return marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === "" ? "" : fence;
}
