import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";

/** Everything in a document that looks like a ref; needs no stack of its own. */
export function refsIn(document: JSONDocument): Ref[] {
  const refs: Ref[] = [];
  const open: unknown[] = [document.nodes];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (typeof (value as Ref).kind === "string") refs.push(value as Ref);
    open.push(...Object.values(value).filter((inner) => typeof inner === "object" && inner !== null));
  }
  return refs;
}
