import { pageTitle } from "@octavo/markdown/source/title";
import type { Element, ElementContent, Root, RootContent } from "hast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { readers, writers } from "./exported/blocks.js";
import {
  attachmentNames,
  type ContentsItem,
  confluenceContents,
  confluencePage,
} from "./exported/confluence.js";
import { classesOf, elementsIn, find, textOf } from "./exported/elements.js";
import { googleDocument } from "./exported/google-docs.js";

/** What an HTML document says, as the text of a page. Its addresses stay as they are written. */
export interface ReadHtml {
  title?: string;
  description?: string;
  markdown: string;
  /** The addresses of all links, of the whole document. */
  links: string[];
  /** What files beside it are called, by their addresses. */
  names?: Record<string, string>;
}

/** Never part of a text. */
const DROPPED = new Set(
  [
    "script",
    "style",
    "noscript",
    "template",
    "iframe",
    "object",
    "embed",
    "svg",
    "canvas",
    "link",
    "meta",
  ].concat(["form", "button", "input", "select", "textarea", "dialog"]),
);
/** Around the text of a page. */
const AROUND = new Set(["nav", "header", "footer", "aside"]);
const ROLES = new Set(["navigation", "banner", "contentinfo", "search", "complementary"]);
/** Signs beside headings that lead to themselves. */
const PERMALINK = /^(headerlink|header-anchor|anchor|anchorjs-link|heading-anchor|hash-link)$/;
/** Levels of elements; a walk of more would exhaust the stack. */
const DEEPEST = 400;

/** Tools whose exports have an HTML of their own, by the sources of imports. */
const EXPORTS = { confluence: confluencePage, "google-docs": googleDocument };
export type Exporter = keyof typeof EXPORTS;

/**
 * Reads an HTML document: the main part of a page, or with `whole` all of its body; `from` is the tool that exported it.
 * Throws when it nests too deeply.
 */
export function readHtml({
  html,
  whole = false,
  from,
}: {
  html: string;
  whole?: boolean;
  from?: Exporter;
}): ReadHtml {
  const tree = treeOf(html);
  const exported = from && EXPORTS[from](tree);
  const main = whole ? bodyOf(tree) : (mainOf(tree) ?? bodyOf(tree));
  const children = cleaned(exported ?? main?.children ?? [], !whole && !exported);
  const content: Root = { type: "root", children };
  const markdown = written(content);
  const heading = find(content, ({ tagName }) => tagName === "h1");
  const title = pageTitle(textOf(heading) || textOf(find(tree, ({ tagName }) => tagName === "title")));
  return {
    ...(title && { title }),
    ...descriptionOf(tree),
    ...(from === "confluence" && { names: attachmentNames(tree) }),
    markdown,
    links: elementsIn(tree).flatMap(({ tagName, properties }) =>
      tagName === "a" && typeof properties.href === "string" ? [properties.href] : [],
    ),
  };
}

/** Reads the contents of an exported space from its first file. Throws when it nests too deeply. */
export const readContents = ({ html }: { html: string }): ContentsItem[] => confluenceContents(treeOf(html));

function treeOf(html: string): Root {
  failOnOpenElements(html);
  const tree = unified().use(rehypeParse).parse(html) as Root;
  failOnDepth(tree);
  return tree;
}

const bodyOf = (tree: Root) => find(tree, ({ tagName }) => tagName === "body");

const mainOf = (tree: Root) =>
  find(tree, ({ tagName, properties }) => tagName === "main" || properties.role === "main") ??
  find(tree, ({ properties }) => properties.id === "main-content" || properties.id === "wiki-body") ??
  find(tree, ({ tagName }) => tagName === "article");

/** Markdown in which nothing of a text is taken for syntax that HTML does not have. */
function written(content: Root): string {
  const markdown = unified().use(rehypeRemark, { handlers: readers }).runSync(content);
  const unsafe = [
    { character: "{", after: "%", inConstruct: "phrasing" as const },
    { character: "$", after: "\\$", inConstruct: "phrasing" as const },
  ];
  return unified()
    .use(remarkGfm)
    .use(remarkStringify, {
      bullet: "*",
      emphasis: "_",
      rule: "*",
      fences: true,
      unsafe,
      handlers: writers,
    })
    .stringify(markdown as never);
}

const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** Elements that are open at a time; the parser looks through all of them for each one that it reads. */
const MOST_OPEN = 10_000;

function failOnOpenElements(html: string): void {
  let open = 0;
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (!VOID.test(name)) open = Math.max(0, open + (closing ? -1 : 1));
    if (open > MOST_OPEN) throw new Error("The document has too many open elements");
  }
}

function failOnDepth(tree: Root): void {
  const open: { node: Root | RootContent; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > DEEPEST) throw new Error("The document nests too deeply");
    const { depth } = next;
    if ("children" in next.node)
      for (const node of next.node.children) open.push({ node: node as RootContent, depth: depth + 1 });
  }
}

function cleaned(children: RootContent[], isPage: boolean): ElementContent[] {
  return children.flatMap((node): ElementContent[] => {
    if (node.type === "text") return [node];
    if (node.type !== "element" || isDropped(node, isPage)) return [];
    const inner = node.tagName === "li" ? itemOf(node, isPage) : cleaned(node.children, isPage);
    return [{ ...node, children: inner }];
  });
}

/** What is in an item of a list: a box in front of it says whether it is done. */
function itemOf({ children }: Element, isPage: boolean): ElementContent[] {
  const at = children.findIndex((node) => node.type !== "text" || node.value.trim() !== "");
  const first = children[at];
  return first?.type === "element" && first.tagName === "input" && first.properties.type === "checkbox"
    ? [first, ...cleaned(children.slice(at + 1), isPage)]
    : cleaned(children, isPage);
}

function isDropped(element: Element, isPage: boolean): boolean {
  const { tagName, properties } = element;
  if (DROPPED.has(tagName)) return true;
  if (tagName === "a" && classesOf(element).some((name) => PERMALINK.test(name))) return true;
  if (!isPage) return false;
  return AROUND.has(tagName) || ROLES.has(String(properties.role)) || properties.hidden === true;
}

function descriptionOf(tree: Root): { description?: string } {
  const meta = find(
    tree,
    ({ tagName, properties }) => tagName === "meta" && properties.name === "description",
  );
  const content = meta?.properties.content;
  const description = typeof content === "string" ? content.replace(/\s+/g, " ").trim().slice(0, 1000) : "";
  return description ? { description } : {};
}
