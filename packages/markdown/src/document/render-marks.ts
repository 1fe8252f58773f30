import type { Data, Mark } from "./nodes.js";

export const DELIMITERS: Record<string, string[]> = {
  bold: ["**"],
  // Within a word only stars are read as emphasis.
  italic: ["_", "*"],
  strikethrough: ["~~"],
};
/** The elements that stand for marks where no delimiters can. */
export const TAGS: Record<string, string> = {
  bold: "strong",
  italic: "em",
  strikethrough: "del",
  superscript: "sup",
  subscript: "sub",
  keyboard: "kbd",
};
const BLANK = /[\s\p{Zs}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Words in a color, or on one. */
export function colored({ text = "default", background = "default" }: Data = {}, inner: string): string {
  const color = text !== "default" || background === "default" ? `color:${text};` : "";
  return `<mark style="${color}${background === "default" ? "" : `background-color:${background};`}">${inner}</mark>`;
}

/** Words with a mark around them, which stand between these characters. */
export function wrap({ type, data }: Mark, inner: string, left: string, right: string): string {
  if (type === "color") return colored(data, inner);
  const delimiter = DELIMITERS[type]?.find((one) => flanked(one, inner, left, right));
  if (delimiter !== undefined) return delimiter + inner + delimiter;
  const tag = TAGS[type];
  return tag ? `<${tag}>${inner}</${tag}>` : inner;
}

/** Whether the delimiters open and close around these words, between these characters. */
function flanked(delimiter: string, inner: string, left: string, right: string): boolean {
  const [first, last] = [[...inner.slice(0, 2)][0] ?? "", [...inner.slice(-2)].at(-1) ?? ""];
  if (first === "" || BLANK.test(first) || BLANK.test(last) || /^&#?\w+;|&#?\w+;$/.test(inner)) return false;
  if ([left, right, first, last].includes(delimiter[0]!)) return false;
  const open = !PUNCTUATION.test(first) || left === "" || BLANK.test(left) || PUNCTUATION.test(left);
  const close = !PUNCTUATION.test(last) || right === "" || BLANK.test(right) || PUNCTUATION.test(right);
  const word =
    delimiter === "_" &&
    ![left, right].every((one) => one === "" || BLANK.test(one) || PUNCTUATION.test(one));
  return open && close && !word;
}
