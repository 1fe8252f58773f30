import { type Block, blocksOf } from "@octavo/markdown/document/nodes";
import { anchorOf } from "../anchor.js";
import { textIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";

/** Tabs, of which a choice among their titles shows one; without any script, and by the keys of a choice. */
export function tabs(block: Block, scope: Scope): Html {
  const group = scope.id("tabs");
  const items = blocksOf(block);
  const titles = items.map(({ data }, index) => textIn(data, "title") ?? `${index + 1}`);
  return (
    <div class="tabs" role="radiogroup" aria-label={titles.join(", ")}>
      {items.map((item, index) => {
        const id = `${group}-${index + 1}`;
        return [
          <input type="radio" name={group} id={id} checked={index === 0} autocomplete="off" />,
          <label for={id}>
            {icon(textIn(item.data, "icon"))}
            {titles[index]}
          </label>,
          tab(item, scope),
        ];
      })}
    </div>
  );
}

/** What a tab shows. */
export const tab = (block: Block, scope: Scope): Html => (
  <div class="tab" id={anchorOf(block)}>
    {scope.blocks(block.nodes)}
  </div>
);
