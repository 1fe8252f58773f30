import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from "parse5";

export interface Element {
  name: string;
  namespace: string;
  attrs: Record<string, string>;
}

/** The elements that a browser's parser makes of the HTML of a body, in their order; comments are elements named `#comment`. */
export function elementsOf(html: string): Element[] {
  return walk(html).map(({ element }) => element);
}

/** How the elements nest and which attributes they have, without what any of them says. */
export const skeletonOf = (html: string): string =>
  walk(html)
    .map(
      ({ element: { name, attrs }, depth }) => `${" ".repeat(depth)}${name} ${Object.keys(attrs).join(" ")}`,
    )
    .join("\n");

type Node = DefaultTreeAdapterTypes.Node;

function walk(html: string): { element: Element; depth: number }[] {
  const found: { element: Element; depth: number }[] = [];
  const open: { node: Node; depth: number }[] = [
    { node: parse(`<!doctype html><body><main>${html}</main></body>`), depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (tree.isCommentNode(node))
      found.push({ element: { name: "#comment", namespace: "", attrs: {} }, depth });
    if (tree.isElementNode(node)) {
      const attrs = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      found.push({ element: { name: node.tagName, namespace: node.namespaceURI, attrs }, depth });
    }
    const children = "childNodes" in node ? node.childNodes : [];
    for (const child of [...children].reverse()) open.push({ node: child, depth: depth + 1 });
  }
  return found;
}
