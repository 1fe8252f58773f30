import type { Block } from "@octavo/markdown/document/nodes";
import { oneOf, percentIn, pixelsIn } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** Columns beside each other; below each other where there is no room. */
export const columns = ({ nodes }: Block, scope: Scope): Html => (
  <div class="columns">{scope.blocks(nodes)}</div>
);

/** A column, as wide as it says. */
export function column({ data, nodes }: Block, scope: Scope): Html {
  const at = oneOf(["middle", "bottom"] as const, data?.verticalAlignment);
  const percent = percentIn(data, "width");
  const pixels = pixelsIn(data, "width");
  const basis = percent !== undefined ? `${percent}%` : pixels !== undefined ? `${pixels}px` : undefined;
  return (
    <div class={at} style={basis && `--basis:${basis}`}>
      {scope.blocks(nodes)}
    </div>
  );
}
