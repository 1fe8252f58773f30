import type { Block } from "@octavo/markdown/document/nodes";
import { anchorOf } from "../anchor.js";
import { isSet } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** What is opened by its title. */
export function expandable(block: Block, scope: Scope): Html {
  const part = (name: string) =>
    block.fragments?.find(({ fragment, type }) => fragment === name || type === name)?.nodes ?? [];
  const title = part("expandable-title").map(({ nodes }) => scope.inlines(nodes));
  return (
    <details id={anchorOf(block)} open={isSet(block.data, "defaultExpanded")}>
      <summary>{title.flat()}</summary>
      <div>{scope.blocks(part("expandable-body"))}</div>
    </details>
  );
}
