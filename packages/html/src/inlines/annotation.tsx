import type { Inline } from "@octavo/markdown/document/nodes";
import type { Html, Scope } from "../scope.js";

/** Words with a note, which opens from them and stands below the page for those who read all of it. */
export function annotation(node: Inline, scope: Scope): Html {
  const body = node.fragments?.[0]?.nodes ?? [];
  if (scope.linked) return scope.inlines(node.nodes);
  const id = scope.id("note");
  scope.notes.push({ id, nodes: body });
  return (
    <button type="button" class="annotation" popovertarget={id}>
      {scope.inLink(() => scope.inlines(node.nodes))}
    </button>
  );
}
