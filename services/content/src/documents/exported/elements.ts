import type { Element, ElementContent, Root, RootContent } from "hast";

/** What is below a node, in the order of the text. */
export function* nodesIn(tree: Root | Element): Generator<RootContent> {
  const open: RootContent[] = [...tree.children].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    if ("children" in node) open.push(...(node.children as RootContent[]).toReversed());
  }
}

/** All elements below a node, in the order of the text. */
export const elementsIn = (tree: Root | Element): Element[] =>
  [...nodesIn(tree)].filter((node): node is Element => node.type === "element");

/** The first element below a node of which something is true. */
export function find(tree: Root | Element, is: (element: Element) => boolean): Element | undefined {
  for (const node of nodesIn(tree)) if (node.type === "element" && is(node)) return node;
  return undefined;
}

/** The words of an element, in one line. */
export function textOf(element: Element | undefined): string {
  return rawTextOf(element).replace(/\s+/g, " ").trim();
}

/** The text of an element with its spaces and lines. */
export function rawTextOf(element: Element | undefined): string {
  if (!element) return "";
  let text = "";
  for (const node of nodesIn(element)) if (node.type === "text") text += node.value;
  return text;
}

/** The classes of an element. */
export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

/** A property that is a text; empty when it is none. */
export const property = ({ properties }: Element, name: string): string => {
  const value = properties[name];
  return typeof value === "string" ? value : "";
};

export const text = (value: string): ElementContent => ({ type: "text", value });

export const element = (
  tagName: string,
  children: ElementContent[],
  properties: Element["properties"] = {},
): Element => ({ type: "element", tagName, properties, children });

/** What becomes of an element; undefined when it stays, and what is in it is looked at. */
export type Rule = (element: Element) => ElementContent[] | undefined;

/** The children of a node, each as a rule has it. The depth of the tree has been looked at before. */
export function rewritten(children: RootContent[], rule: Rule): ElementContent[] {
  return children.flatMap((node): ElementContent[] => {
    if (node.type !== "element") return node.type === "doctype" ? [] : [node];
    const changed = rule(node);
    return changed ?? [{ ...node, children: rewritten(node.children, rule) }];
  });
}
