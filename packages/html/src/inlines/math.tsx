import type { Inline } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** A formula in a line of text; its source where it cannot be read. */
export function inlineMath(node: Inline, scope: Scope): Html {
  const formula = textIn(node.data, "formula") ?? "";
  const made = scope.formula(formula, false);
  if (made === undefined) return <code>{formula}</code>;
  // Written by the library, which escapes what the formula says.
  return <span class="math" dangerouslySetInnerHTML={{ __html: made }} />;
}
