import type { Block } from "@octavo/markdown/document/nodes";
import { numberIn } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** A list with numbers. */
export function orderedList({ data, nodes }: Block, scope: Scope): Html {
  const start = numberIn(data, "start");
  const first = start !== undefined && Number.isInteger(start) && start !== 1 ? start : undefined;
  return <ol start={first}>{scope.blocks(nodes)}</ol>;
}

/** A list with bullets. */
export const unorderedList = ({ nodes }: Block, scope: Scope): Html => <ul>{scope.blocks(nodes)}</ul>;

/** A list of what is done and what is not. */
export const tasks = ({ nodes }: Block, scope: Scope): Html => <ul class="tasks">{scope.blocks(nodes)}</ul>;

/** An entry of a list: its first words stand beside the mark, as no paragraph of their own. */
export function listItem({ data, nodes = [] }: Block, scope: Scope): Html {
  const [first, ...others] = nodes as Block[];
  const bare = first?.type === "paragraph" && first.data?.align === undefined;
  const inner = bare ? [scope.inlines(first.nodes), scope.blocks(others)].flat() : scope.blocks(nodes);
  const { checked } = data ?? {};
  if (typeof checked !== "boolean") return <li>{inner}</li>;
  const { done, open } = scope.page.words;
  return (
    <li class="task">
      <input type="checkbox" checked={checked} disabled aria-label={checked ? done : open} />
      <div>{inner}</div>
    </li>
  );
}
