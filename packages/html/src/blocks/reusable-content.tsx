import type { Block } from "@octavo/markdown/document/nodes";
import { refIn } from "../data.js";
import type { Html, Scope } from "../scope.js";

/** What the page shares with others; nothing where it is not known. */
export function reusableContent({ data }: Block, scope: Scope): Html {
  const ref = refIn(data);
  const included = ref && scope.page.reusable(ref);
  return included && scope.include(included, included.nodes);
}
