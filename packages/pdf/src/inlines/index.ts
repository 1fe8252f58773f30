import { refIn, textIn } from "@octavo/html/data";
import { emojiOf } from "@octavo/html/emoji";
import { outlineOfIcon } from "@octavo/html/icons";
import { type Block, type Inline, type InlineNode, plainText } from "@octavo/markdown/document/nodes";
import type { InlineType } from "@octavo/markdown/document/types";
import { type Content, element } from "../element.js";
import { leaf } from "../marks.js";
import { formula } from "../math/formula.js";
import { picture } from "../picture.js";
import type { Scope } from "../scope.js";
import { words } from "../words.js";
import { button, link, mention } from "./links.js";

/** Every inline of the schema, and what draws it. */
export const INLINES: Record<InlineType, (node: Inline, scope: Scope) => Content> = {
  link,
  emoji: ({ data }) => emojiOf(textIn(data, "code")),
  icon: ({ data }) => icon(textIn(data, "icon")),
  // Documents come evaluated: what is left of expressions nobody could decide.
  expression: () => undefined,
  "inline-math": ({ data }, scope) => formula(textIn(data, "formula") ?? "", false, scope),
  "inline-image": ({ data }, scope) => {
    const alt = textIn(data, "alt") ?? textIn(data, "caption") ?? "";
    const shown = picture({ ref: refIn(data), alt }, scope);
    return shown ? element("small-image", shown) : words(alt);
  },
  annotation,
  mention,
  button,
};

const icon = (name: string | undefined): Content => {
  const found = outlineOfIcon(name);
  return found && element("icon", found);
};

/** Blocks of which the first words stand beside what is before them, as no paragraph of their own. */
export function inLine(nodes: Block[], scope: Scope): Content {
  const [first, ...others] = nodes;
  if (first?.type !== "paragraph" || first.data?.align !== undefined) return scope.blocks(nodes);
  return [scope.inlines(first.nodes), scope.blocks(others)];
}

/** Words with a note at the foot of the sheet. */
function annotation(node: Inline, scope: Scope): Content {
  const body = scope.inlines(node.nodes);
  const note = node.fragments?.[0]?.nodes ?? [];
  if (!scope.notesAllowed || note.length === 0) return body;
  return element("note", { body, note: scope.withoutNotes(() => inLine(note, scope)) });
}

/** Draws what stands in a line of text. */
export function drawInline(node: InlineNode, scope: Scope): Content {
  if (node.object === "text") return node.leaves.map(leaf);
  return Object.hasOwn(INLINES, node.type) ? INLINES[node.type as InlineType](node, scope) : undefined;
}

/** The words of nodes, for what lies too deep to be drawn as it is. */
export const drawWords = (nodes: Parameters<typeof plainText>[0]): Content => words(plainText(nodes));
