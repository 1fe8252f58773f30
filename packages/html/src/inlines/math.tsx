import type { Inline } from "@octavo/markdown/document/nodes";
import { mathml } from "../code/math.js";
import { textIn } from "../data.js";
import type { Html } from "../scope.js";

/** A formula in a line of text; its source where it cannot be read. */
export function inlineMath(node: Inline): Html {
  const formula = textIn(node.data, "formula") ?? "";
  const made = mathml(formula, false);
  if (made === undefined) return <code>{formula}</code>;
  // Written by the library, which escapes what the formula says.
  return <span class="math" dangerouslySetInnerHTML={{ __html: made }} />;
}
