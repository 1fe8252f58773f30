import type { Block } from "@octavo/markdown/document/nodes";
import { mathml } from "../code/math.js";
import { textIn } from "../data.js";
import type { Html } from "../scope.js";

/** A formula on lines of its own; its source where it cannot be read. */
export function math({ data }: Block): Html {
  const formula = textIn(data, "formula") ?? "";
  const made = mathml(formula, true);
  if (made === undefined) return <pre class="source">{formula}</pre>;
  // Written by the library, which escapes what the formula says.
  return <div class="math" tabIndex={0} dangerouslySetInnerHTML={{ __html: made }} />;
}
