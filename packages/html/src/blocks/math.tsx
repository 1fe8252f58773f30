import type { Block } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** A formula on lines of its own; its source where it cannot be read. */
export function math({ data }: Block, scope: Scope): Html {
  const formula = textIn(data, "formula") ?? "";
  const made = scope.formula(formula, true);
  if (made === undefined) return <pre class="source">{formula}</pre>;
  // Written by the library, which escapes what the formula says.
  return <div class="math" tabIndex={0} dangerouslySetInnerHTML={{ __html: made }} />;
}
