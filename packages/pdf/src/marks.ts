import { oneOf, textIn } from "@octavo/html/data";
import type { Leaf, Mark } from "@octavo/markdown/document/nodes";
import type { MarkType } from "@octavo/markdown/document/types";
import { visibleText } from "@octavo/markdown/document/visible-source";
import { type Content, element, type MarkStyle } from "./element.js";
import { words } from "./words.js";

const COLORS = [
  ...(["green", "blue", "red", "orange", "yellow", "purple"] as const),
  ...(["$primary", "$tint", "$info", "$success", "$warning", "$danger"] as const),
];

const color = (value: string | undefined) => oneOf(COLORS, value)?.replace("$", "");

/** How words with each mark are set. */
const MARKS: Record<MarkType, (mark: Mark) => MarkStyle | undefined> = {
  bold: () => "bold",
  italic: () => "italic",
  strikethrough: () => "strikethrough",
  superscript: () => "superscript",
  subscript: () => "subscript",
  keyboard: () => "keyboard",
  code: () => "code",
  color: ({ data }) => {
    const [ink, background] = [color(textIn(data, "text")), color(textIn(data, "background"))];
    return ink || background ? { ...(ink && { ink }), ...(background && { background }) } : undefined;
  },
};

/** Draws words with their marks. */
export function leaf(drawn: Leaf): Content {
  const body = words(visibleText(drawn));
  const styles = drawn.marks
    .filter(({ data }) => data?.verbatim !== true)
    .flatMap((mark) => (Object.hasOwn(MARKS, mark.type) ? (MARKS[mark.type as MarkType](mark) ?? []) : []));
  const different = [...new Map(styles.map((style) => [JSON.stringify(style), style])).values()];
  return different.length > 0 ? element("mark", { marks: different, body }) : body;
}
