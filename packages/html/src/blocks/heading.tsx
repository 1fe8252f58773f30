import { headingDepth } from "@octavo/markdown/document/heading";
import type { Block } from "@octavo/markdown/document/nodes";
import { alignment } from "../alignment.js";
import { anchorOf } from "../anchor.js";
import type { Html, Scope } from "../scope.js";

/** A heading with its anchor. The one of level 1 is the title of the page, so others begin at 2. */
export function heading(block: Block, scope: Scope): Html {
  const depth = Math.min(6, Math.max(2, headingDepth(block)));
  const Level = `h${depth}` as "h2";
  const id = anchorOf(block);
  return (
    <Level id={id} class={alignment(block.data)} aria-level={scope.level(depth)}>
      {scope.inlines(block.nodes)}
      {id !== undefined && (
        <a class="anchor" href={`#${id}`} aria-label={scope.page.words.section}>
          #
        </a>
      )}
    </Level>
  );
}
