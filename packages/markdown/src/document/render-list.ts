import { type Block, blocksOf, inlinesOf, isEmptyLine } from "./nodes.js";
import { indent } from "./render-lines.js";
import type { BlockWriter } from "./writer.js";

/** Returns whether a block is a list. */
export const isList = ({ type }: Block): boolean =>
  type === "list-ordered" || type === "list-unordered" || type === "list-tasks";

/** Returns whether two blocks are lists that would be one list with the same marks. */
export const sameList = (one: Block, two: Block): boolean =>
  isList(one) && (one.type === "list-ordered") === (two.type === "list-ordered");
/** Returns the mark of a list; two lists in a row have different ones, for they would be one list otherwise. */
export const bulletOf = ({ type }: Block, before: string): string =>
  type === "list-ordered" ? (before === "." ? ")" : ".") : before === "*" ? "-" : "*";

/** A list whose items begin with a mark, or with a number and that mark. */
export function renderList(node: Block, mark: string, writer: BlockWriter): string {
  const items = blocksOf(node);
  const tight = items.every((item) => isTight(blocksOf(item)));
  const start = typeof node.data?.start === "number" ? node.data.start : 1;
  const boxes = node.type === "list-tasks" && items.every(({ data }) => data?.checked === undefined);
  const sources = items.map((item, index) => {
    const number = start + items.length > 999_999_999 ? start : start + index;
    const marker = node.type === "list-ordered" ? `${number}${mark}` : mark;
    const checked = boxes ? false : item.data?.checked;
    const box = checked === undefined || node.type === "list-ordered" ? "" : checked ? "[x]" : "[ ]";
    const margin = " ".repeat(marker.length + 1);
    const body = itemBody(blocksOf(item), mark, tight, writer.deeper());
    const text = indent(body, margin);
    // Right behind a box everything is text.
    if (box !== "" && text !== "" && !startsWithText(blocksOf(item)))
      return `${marker} ${box}\n\n${margin}${text}`;
    return [marker, box, text].filter((part) => part !== "").join(" ");
  });
  return sources.join(tight ? "\n" : "\n\n");
}

const startsWithText = ([first]: Block[]): boolean =>
  first?.type === "paragraph" && first.data?.align === undefined && !isEmptyLine(inlinesOf(first));

/** One paragraph, then lists: written without blank lines. */
const isTight = ([first, ...others]: Block[]): boolean =>
  (first === undefined || (first.type === "paragraph" && first.data?.align === undefined)) &&
  others.every(
    (other, index) =>
      isList(other) &&
      index === 0 &&
      canInterrupt(other) &&
      blocksOf(other).every((item) => isTight(blocksOf(item))),
  );

/** A list right below a paragraph: an ordered one has to begin with 1, and no first item may be empty. */
const canInterrupt = (node: Block): boolean => {
  const first = blocksOf(blocksOf(node)[0] ?? {})[0];
  return (node.data?.start ?? 1) === 1 && first !== undefined && !isEmptyLine(inlinesOf(first));
};

function itemBody(nodes: Block[], mark: string, tight: boolean, writer: BlockWriter): string {
  const filled = nodes.filter(
    (node, index) =>
      index > 0 || nodes.length === 1 || node.type !== "paragraph" || !isEmptyLine(inlinesOf(node)),
  );
  const [first, ...others] = filled;
  if (!first) return "";
  if (first.type === "divider")
    return ["___", writer.blocks(others)].filter((part) => part !== "").join("\n\n");
  const head = isList(first) ? renderList(first, bulletOf(first, mark), writer) : writer.blocks([first]);
  const rest = writer.blocks(others);
  return [head, rest].filter((part) => part !== "").join(tight ? "\n" : "\n\n");
}
