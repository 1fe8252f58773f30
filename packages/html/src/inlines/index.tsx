import type { Inline, InlineNode } from "@octavo/markdown/document/nodes";
import type { InlineType } from "@octavo/markdown/document/types";
import { leaf } from "../marks/index.js";
import type { Html, Scope } from "../scope.js";
import { annotation } from "./annotation.js";
import { button } from "./button.js";
import { emoji } from "./emoji.js";
import { iconInline } from "./icon.js";
import { inlineImage } from "./image.js";
import { link } from "./link.js";
import { inlineMath } from "./math.js";
import { mention } from "./mention.js";

/** Every inline of the schema, and what draws it. */
export const INLINES: Record<InlineType, (node: Inline, scope: Scope) => Html> = {
  link,
  emoji,
  icon: iconInline,
  // Documents come evaluated: what is left of expressions nobody could decide.
  expression: () => undefined,
  "inline-math": inlineMath,
  "inline-image": inlineImage,
  annotation,
  mention,
  button,
};

/** Draws what stands in a line of text. */
export function drawInline(node: InlineNode, scope: Scope): Html {
  if (node.object === "text") return node.leaves.flatMap((one) => leaf(one));
  return Object.hasOwn(INLINES, node.type) ? INLINES[node.type as InlineType](node, scope) : undefined;
}
