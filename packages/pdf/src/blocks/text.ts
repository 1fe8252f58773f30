import { anchorOf } from "@octavo/html/anchor";
import { numberIn, oneOf, textIn } from "@octavo/html/data";
import { outlineOfIcon } from "@octavo/html/icons";
import { headingDepth } from "@octavo/markdown/document/heading";
import { type Block, blocksOf, type Data } from "@octavo/markdown/document/nodes";
import { type Alignment, type Content, element } from "../element.js";
import { inLine } from "../inlines/index.js";
import type { Scope } from "../scope.js";

/** How what is not aligned as text is stands. */
export function alignment(data: Data | undefined): { align?: Alignment } {
  const align = oneOf(["center", "end", "right"] as const, data?.align);
  return align ? { align: align === "center" ? "center" : "end" } : {};
}

/** A paragraph; nothing for one without words, which authors leave for room. */
export function paragraph({ data, nodes = [] }: Block, scope: Scope): Content {
  if (nodes.length === 0) return undefined;
  return element("paragraph", { ...alignment(data), body: scope.inlines(nodes) });
}

/** A heading, which can be led to. */
export function heading(block: Block, scope: Scope): Content {
  const depth = Math.min(6, Math.max(2, headingDepth(block)));
  const label = scope.label(anchorOf(block));
  return element("heading", {
    level: scope.level(depth),
    depth,
    ...(label !== undefined && { label }),
    listed: scope.listsHeadings && depth <= 3,
    ...alignment(block.data),
    body: scope.withoutNotes(() => scope.inlines(block.nodes)),
  });
}

/** A line between two parts. */
export const divider = (): Content => element("divider", {});

/** A quotation. */
export const blockquote = ({ nodes }: Block, scope: Scope): Content =>
  element("quote", { body: scope.blocks(nodes) });

const STYLES = ["info", "success", "warning", "danger"] as const;
const ICONS = {
  info: "circle-info",
  success: "circle-check",
  warning: "triangle-exclamation",
  danger: "circle-exclamation",
};

/** A hint, in the color of its style. */
export function hint({ data, nodes }: Block, scope: Scope): Content {
  const style = oneOf(STYLES, data?.style) ?? "info";
  const icon = outlineOfIcon(textIn(data, "icon")) ?? outlineOfIcon(ICONS[style]);
  return element("hint", { style, label: scope.words[style], icon, body: scope.blocks(nodes) });
}

/** A condition that nobody has decided hides what it holds. */
export const condition = (): Content => undefined;

/** A list with numbers or bullets. */
export const list =
  (kind: "number" | "bullet") =>
  ({ data, nodes }: Block, scope: Scope): Content => {
    const start = numberIn(data, "start") ?? 1;
    const items = blocksOf({ nodes }).map((item) => listItem(item, scope));
    return element("list", { kind, start: Number.isInteger(start) && start >= 0 ? start : 1, items });
  };

/** A list of what is done and what is not. */
export function tasks({ nodes }: Block, scope: Scope): Content {
  const items = blocksOf({ nodes }).map((item) => {
    const done = item.data?.checked === true;
    return { done, label: done ? scope.words.done : scope.words.open, body: listItem(item, scope) };
  });
  return element("tasks", { items });
}

/** An entry of a list: its first words stand beside the mark. */
export const listItem = ({ nodes }: Block, scope: Scope): Content => inLine(blocksOf({ nodes }), scope);
