import type { Block } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";

/** Steps, one after the other. */
export const stepper = ({ nodes }: Block, scope: Scope): Html => <ol class="steps">{scope.blocks(nodes)}</ol>;

/** A step, with its number or its icon. */
export function step({ data, nodes }: Block, scope: Scope): Html {
  const shown = icon(textIn(data, "icon"));
  return (
    <li class={shown ? "marked" : undefined}>
      {shown}
      {scope.blocks(nodes)}
    </li>
  );
}
