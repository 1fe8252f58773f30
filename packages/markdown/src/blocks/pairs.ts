import { syntaxOf } from "../text/inline.js";
import type { Line } from "./lines.js";

const ELEMENT = /<(\/?)([A-Za-z]+)(?=[\s/>]|$)/g;
/** The elements that hold blocks. */
const HOLDERS = new Set(
  [
    "article aside blockquote center details div dl fieldset figure footer form header main nav ol picture",
    "section svg table ul video",
  ].flatMap((names) => names.split(" ")),
);
const QUOTE = /^[ \t]*>/;

/**
 * For every line the last line it must be kept together with: where the `{% tag %}`, HTML element or `$$` formula it
 * opens is closed. A line that opens nothing, or what is never closed, points to itself, and so does a hidden one. Linear.
 */
export function pairLines(lines: Line[], hidden: Set<number>): number[] {
  const reach = lines.map((_, index) => index);
  const open: { name: string; line: number }[] = [];
  const counts = new Map<string, number>();
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const [index, line] of lines.entries()) {
    if (line.blank || hidden.has(index) || QUOTE.test(line.text)) continue;
    for (const { name, closes } of marksOf(line.text, counts)) {
      if (!closes) {
        open.push({ name, line: index });
        count(name, 1);
      } else if (counts.get(name)) {
        let popped = open.pop()!;
        while (popped.name !== name) {
          count(popped.name, -1);
          popped = open.pop()!;
        }
        count(name, -1);
        reach[popped.line] = Math.max(reach[popped.line]!, index);
      }
    }
  }
  return reach;
}

interface Mark {
  name: string;
  closes: boolean;
}

/** Tags, elements and formula fences of a line in order; inline code is not looked into. */
function marksOf(text: string, counts: Map<string, number>): Mark[] {
  if (text.includes("$$") && text.trim() === "$$") return [{ name: "$$", closes: Boolean(counts.get("$$")) }];
  if (!text.includes("<") && !text.includes("{%")) return [];
  const plain = syntaxOf(text);
  const marks: (Mark & { at: number })[] = [];
  let end = -1;
  for (let at = plain.indexOf("{%"); at >= 0; at = plain.indexOf("{%", at + 2)) {
    if (end < at) end = plain.indexOf("%}", at);
    if (end < 0) break;
    const name = /\{%-?[ \t]*([A-Za-z][\w-]*)/y;
    name.lastIndex = at;
    const word = name.exec(plain)?.[1];
    if (word) marks.push({ at, name: `{%${word.replace(/^end/, "")}`, closes: /^end./.test(word) });
  }
  if (plain.includes("<")) {
    let bracket = plain.indexOf(">");
    for (const { index, 1: slash, 2: element } of plain.matchAll(ELEMENT)) {
      const name = element!.toLowerCase();
      if (!HOLDERS.has(name)) continue;
      if (!slash && bracket >= 0 && bracket < index) bracket = plain.indexOf(">", index);
      if (!slash && plain[bracket - 1] === "/") continue;
      marks.push({ at: index, name, closes: slash === "/" });
    }
  }
  return marks.sort((a, b) => a.at - b.at);
}
