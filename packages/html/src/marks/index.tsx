import type { Leaf, Mark } from "@octavo/markdown/document/nodes";
import type { MarkType } from "@octavo/markdown/document/types";
import { visibleText } from "@octavo/markdown/document/visible-source";
import { oneOf, textIn } from "../data.js";
import type { Html } from "../scope.js";

const COLORS = [
  ...(["green", "blue", "red", "orange", "yellow", "purple"] as const),
  ...(["$primary", "$tint", "$info", "$success", "$warning", "$danger"] as const),
];

/** How each mark is drawn around words. */
const MARKS: Record<MarkType, (words: Html, mark: Mark) => Html> = {
  bold: (words) => <strong>{words}</strong>,
  italic: (words) => <em>{words}</em>,
  strikethrough: (words) => <del>{words}</del>,
  superscript: (words) => <sup>{words}</sup>,
  subscript: (words) => <sub>{words}</sub>,
  keyboard: (words) => <kbd>{words}</kbd>,
  code: (words) => <code>{words}</code>,
  color: (words, { data }) => {
    const classOf = (kind: string, name: "text" | "background") => {
      const color = oneOf(COLORS, textIn(data, name));
      return color ? [`${kind}-${color.replace("$", "")}`] : [];
    };
    const classes = [...classOf("ink", "text"), ...classOf("mark", "background")];
    return classes.length > 0 ? <span class={classes.join(" ")}>{words}</span> : words;
  },
};

/** Draws words with their marks, the first one outermost. */
export function leaf(drawn: Leaf): Html {
  const words = lines(visibleText(drawn));
  const shown = drawn.marks.filter(({ data }) => data?.verbatim !== true);
  return shown.reduceRight<Html>(
    (inner, mark) => (Object.hasOwn(MARKS, mark.type) ? MARKS[mark.type as MarkType](inner, mark) : inner),
    words,
  );
}

/** Words, and the breaks between their lines. */
function lines(text: string): Html {
  if (!text.includes("\n")) return text;
  return text.split("\n").flatMap((line, index) => (index === 0 ? [line] : [<br />, line]));
}
