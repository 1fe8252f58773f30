import type { Block } from "@octavo/markdown/document/nodes";
import { diagram } from "../code/diagram.js";
import { objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { contentRef } from "./content-ref.js";

/** A block of an integration: a diagram by its source, others by the address that they show. */
export function integration(block: Block, scope: Scope): Html {
  const { data } = block;
  const source = textIn(objectIn(data, "props"), "content");
  if (textIn(data, "integration") === "mermaid" && source !== undefined) return diagram(source, scope);
  const url = textIn(data, "url");
  return url === undefined ? undefined : contentRef({ ...block, data: { ref: { kind: "url", url } } }, scope);
}
