import { type Content, element } from "../element.js";
import type { Scope } from "../scope.js";
import { codeWords } from "../words.js";
import { mathOf } from "./elements.js";

/** A formula in TeX; its source where it cannot be read. */
export function formula(source: string, block: boolean, scope: Scope): Content {
  const tree = scope.formula(source, block);
  const body = tree && mathOf(tree);
  if (!body) return element("mark", { marks: ["code"], body: codeWords(source) });
  return element("formula", { block, source, body });
}
