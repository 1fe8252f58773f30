import type { Block } from "@octavo/markdown/document/nodes";
import { alignment } from "../alignment.js";
import type { Html, Scope } from "../scope.js";

/** A paragraph; nothing for one without words, which authors leave for room. */
export function paragraph({ data, nodes = [] }: Block, scope: Scope): Html {
  if (nodes.length === 0) return undefined;
  return <p class={alignment(data)}>{scope.inlines(nodes)}</p>;
}
