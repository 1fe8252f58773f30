import { type Element, elementsOf } from "@octavo/html/testing/structure";
import { hasClass } from "./page-texts.js";
import { type Document, type Node, nodesOf } from "./site.js";

/** What a block or an inline is in HTML, where it is one element. */
const DRAWN: Record<string, (one: Element) => boolean> = {
  hint: (one) => hasClass(one, "hint"),
  tabs: (one) => hasClass(one, "tabs"),
  "tabs-item": (one) => hasClass(one, "tab"),
  stepper: (one) => hasClass(one, "steps"),
  "stepper-step": ({ name, parent }) => name === "li" && parent !== undefined && hasClass(parent, "steps"),
  expandable: ({ name, attrs }) => name === "details" && attrs.class === undefined,
  code: (one) => one.name === "figure" && (hasClass(one, "code") || hasClass(one, "diagram")),
  math: (one) => one.name === "math" || (one.name === "pre" && hasClass(one, "source")),
  table: (one) => one.name === "table" || hasClass(one, "cards"),
  images: (one) => hasClass(one, "images"),
  image: (one) => one.name === "img" && !hasClass(one, "on-dark") && !hasClass(one, "cover"),
  embed: (one) => hasClass(one, "embed"),
  file: (one) => hasClass(one, "file"),
  // Also one that leads nowhere.
  "content-ref": (one) =>
    (hasClass(one, "card-link") && !hasClass(one, "embed")) || (one.name === "p" && hasClass(one, "lost")),
  button: (one) => hasClass(one, "button"),
  columns: (one) => hasClass(one, "columns"),
  column: ({ parent }) => parent !== undefined && hasClass(parent, "columns"),
  update: (one) => hasClass(one, "update"),
  operation: (one) => isOperation(one) || hasClass(one, "operation"),
};

/** Other types that are drawn as one of the kinds. */
const SAME: Record<string, string> = {
  swagger: "operation",
  "openapi-operation": "operation",
  "openapi-webhook": "operation",
  "inline-image": "image",
  "inline-math": "math",
};

/** The kind that a node is counted as; nothing for what is drawn as words alone. */
function kindOf({ object, type = "", data = {} }: Node): string | undefined {
  if (object === "leaf" || data.verbatim === true) return undefined;
  const kind = SAME[type] ?? type;
  const { url } = (data.ref ?? {}) as { url?: string };
  // An image that is not there.
  if (kind === "image" && url !== undefined && !/^(?:https?|data):/.test(url)) return undefined;
  if (kind !== "integration") return kind;
  return data.integration === "mermaid" ? "code" : "content-ref";
}

const isOperation = (one: Element): boolean => one.name === "article" && hasClass(one, "api");

/** Whether an element is a part of what an operation is described by, which has blocks that the page has not. */
function isInOperation({ parent }: Element): boolean {
  for (let around = parent; around; around = around.parent) if (isOperation(around)) return true;
  return false;
}

/** The kinds of which a page shows more or less than its document has, and how many of both. */
export function kindsThatDiffer(document: Document, main: string): string[] {
  const held = new Map<string, number>();
  for (const node of nodesOf(document)) {
    const kind = kindOf(node);
    if (kind !== undefined) held.set(kind, (held.get(kind) ?? 0) + 1);
  }
  const elements = elementsOf(main).filter((one) => !isInOperation(one));
  return Object.entries(DRAWN).flatMap(([kind, is]) => {
    const [has, drawn] = [held.get(kind) ?? 0, elements.filter(is).length];
    return has === drawn ? [] : [`${has} × ${kind}, of which ${drawn} are drawn`];
  });
}
