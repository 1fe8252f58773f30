import { type Data, type Leaf, type Mark, mark } from "./nodes.js";

/** From the outside to the inside: the order of a leaf's marks, and how they nest when written. */
export const MARK_ORDER = [
  "color",
  "bold",
  "italic",
  "strikethrough",
  "superscript",
  "subscript",
  "keyboard",
  "code",
] as const;

/** Marks by the element that stands for them. */
export const ELEMENTS: Record<string, string> = {
  strong: "bold",
  b: "bold",
  em: "italic",
  i: "italic",
  del: "strikethrough",
  s: "strikethrough",
  kbd: "keyboard",
  sup: "superscript",
  sub: "subscript",
  code: "code",
};

const COLORS =
  /^(?:default|green|blue|red|orange|yellow|purple|\$(?:primary|tint|info|success|warning|danger))$/;

/** The mark of `<mark style="color:red;background-color:yellow;">`; undefined for other styles. */
export function colorMark(style: string): Mark | undefined {
  const data: Data = { text: "default", background: "default" };
  let known = 0;
  for (const part of style.split(";")) {
    const [key = "", value = ""] = part.split(":").map((word) => word.trim());
    if (key === "") continue;
    const field = key === "color" ? "text" : key === "background-color" ? "background" : undefined;
    if (!field || !COLORS.test(value)) return undefined;
    data[field] = value;
    known += 1;
  }
  return known > 0 ? mark("color", data) : undefined;
}

/** Outer marks with one more; the inner one wins over an outer one of its type. */
export function withMark(marks: Mark[], added: Mark): Mark[] {
  const others = marks.filter(({ type }) => type !== added.type);
  return [...others, added].sort((one, two) => rank(one) - rank(two));
}
const rank = ({ type }: Mark): number => {
  const at = (MARK_ORDER as readonly string[]).indexOf(type);
  return at < 0 ? -1 : at;
};

/** Returns whether two marks have the same type and data. */
export const sameMark = (one: Mark, two: Mark): boolean =>
  one.type === two.type &&
  (one.data === two.data || JSON.stringify(one.data ?? {}) === JSON.stringify(two.data ?? {}));

/** Returns whether two lists have the same marks in the same order. */
export const sameMarks = (one: Mark[], two: Mark[]): boolean =>
  one.length === two.length && one.every((mark, index) => sameMark(mark, two[index]!));

/** Neighbours with the same marks are one leaf; empty ones are dropped. */
export function joinLeaves(leaves: Leaf[]): Leaf[] {
  const joined: Leaf[] = [];
  for (const leaf of leaves) {
    const last = joined.at(-1);
    if (leaf.text === "") continue;
    if (last && sameMarks(last.marks, leaf.marks)) last.text += leaf.text;
    else joined.push({ ...leaf });
  }
  return joined;
}
