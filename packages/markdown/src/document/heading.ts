import { type Block, block, type Data, type InlineNode } from "./nodes.js";

/** `##` is heading-1, `####` heading-3; `data.level` holds the level in markdown where no heading has it. */
export function heading(level: number, nodes: InlineNode[], data: Data = {}): Block {
  const id = anchorOf(nodes);
  const number = Math.min(3, Math.max(1, level - 1));
  const more = { ...(level !== number + 1 && { level }), ...(id !== undefined && { id }), ...data };
  return block(`heading-${number}`, more, nodes);
}

/** The level in markdown of a heading. */
export function headingDepth({ type, data }: Block): number {
  const level = data?.level;
  return typeof level === "number" && level >= 1 && level <= 6 ? level : Number(type.slice(-1)) + 1;
}

const ANCHOR = /<a (?:href="#([^"<>]*)" )?id="([-a-z0-9.+_]+)">$/;

/** Takes `<a href="#x" id="x"></a>` off the end of a heading. */
function anchorOf(nodes: InlineNode[]): string | undefined {
  const last = nodes.at(-1);
  if (last?.object !== "text") return undefined;
  const [before, anchor] = [last.leaves.at(-2), last.leaves.at(-1)!];
  if (anchor.marks.length !== 1 || anchor.marks[0]!.data?.verbatim !== true) return undefined;
  if (!anchor.text.endsWith("</a>")) return undefined;
  const match = ANCHOR.exec(anchor.text.slice(0, -4));
  if (!match || match.index > 0 || (match[1] !== undefined && match[1] !== match[2])) return undefined;
  last.leaves.pop();
  if (before) before.text = before.text.replace(/ $/, "");
  if (before?.text === "") last.leaves.pop();
  if (last.leaves.length === 0) nodes.pop();
  return match[2];
}
