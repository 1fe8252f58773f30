import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from "parse5";

export interface Element {
  name: string;
  namespace: string;
  attrs: Record<string, string>;
  /** What it stands in. */
  parent?: Element;
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
  const open: { node: Node; depth: number; parent?: Element }[] = [
    { node: parse(`<!doctype html><body><main>${html}</main></body>`), depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth, parent } = next;
    let around = parent;
    if (tree.isCommentNode(node))
      found.push({ element: { name: "#comment", namespace: "", attrs: {} }, depth });
    if (tree.isElementNode(node)) {
      const attrs = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      around = { name: node.tagName, namespace: node.namespaceURI, attrs, ...(parent && { parent }) };
      found.push({ element: around, depth });
    }
    const children = "childNodes" in node ? node.childNodes : [];
    for (const child of [...children].reverse())
      open.push({ node: child, depth: depth + 1, ...(around && { parent: around }) });
  }
  return found;
}

/** The text in the first element of a name, without that in elements that are left out; "" where there is no such element. */
export function textWithin(html: string, name: string, leftOut: ReadonlySet<string>): string {
  const texts: string[] = [];
  const open: { node: Node; within: boolean }[] = [{ node: parse(html), within: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const isElement = tree.isElementNode(node);
    if (isElement && leftOut.has(node.tagName)) continue;
    if (next.within && tree.isTextNode(node)) texts.push(node.value);
    const begins = isElement && node.tagName === name && texts.length === 0;
    const within = next.within || begins;
    const children = "childNodes" in node ? node.childNodes : [];
    for (const child of [...children].reverse()) open.push({ node: child, within });
  }
  return texts.join(" ");
}
