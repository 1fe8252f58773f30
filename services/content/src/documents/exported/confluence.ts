import type { Element, ElementContent, Root } from "hast";
import { details, hint } from "./blocks.js";
import {
  classesOf,
  element,
  elementsIn,
  find,
  property,
  type Rule,
  rawTextOf,
  rewritten,
  text,
  textOf,
} from "./elements.js";

const HINTS: Record<string, string> = {
  information: "info",
  tip: "success",
  note: "warning",
  warning: "danger",
};
const MACRO = "confluence-information-macro";

const hasId = (id: string) => (element: Element) => element.properties.id === id;
const hasClass = (name: string) => (element: Element) => classesOf(element).includes(name);

/** The text of a page of an exported Confluence space, below its title; undefined for what is none. */
export function confluencePage(tree: Root): ElementContent[] | undefined {
  const content = find(tree, hasId("main-content"));
  if (!content) return undefined;
  const title = titleIn(tree);
  return [...(title ? [element("h1", [text(title)])] : []), ...rewritten(content.children, macros)];
}

/** Above a page stands its space, too, as it does in front of where it lies. */
function titleIn(tree: Root): string {
  const title = textOf(find(tree, hasId("title-text")));
  const crumbs = find(tree, hasId("breadcrumbs"));
  const space = crumbs && textOf(find(crumbs, ({ tagName }) => tagName === "a"));
  return space && title.startsWith(`${space} : `) ? title.slice(space.length + 3) : title;
}

/** What macros made of a page, as blocks of ours. */
const macros: Rule = (one) => {
  const classes = classesOf(one);
  if (classes.includes("toc-macro")) return [];
  if (classes.includes(MACRO)) return [macroHint(one, classes)];
  if (classes.includes("expand-container")) {
    const title = textOf(find(one, hasClass("expand-control-text"))) || "Details";
    return [details(title, inside(one, "expand-content"))];
  }
  if (one.tagName === "img" && classes.includes("emoticon"))
    return [text(property(one, "dataEmojiFallback") || property(one, "alt"))];
  if (classes.includes("codeHeader")) return [element("p", [element("strong", [text(textOf(one))])])];
  if (one.tagName === "pre") return [code(one)];
  if (one.tagName === "li" && property(one, "dataInlineTaskId"))
    return [task(one, classes.includes("checked"))];
  return undefined;
};

/** An item of a list with the box that says whether it is done. */
const task = ({ children }: Element, checked: boolean): Element =>
  element("li", [element("input", [], { type: "checkbox", checked }), ...rewritten(children, macros)]);

function macroHint(macro: Element, classes: string[]): Element {
  const kind = classes.find((name) => name.startsWith(`${MACRO}-`))?.slice(MACRO.length + 1) ?? "";
  const title = textOf(find(macro, hasClass("title")));
  const heading = title ? [element("p", [element("strong", [text(title)])])] : [];
  const style = Object.hasOwn(HINTS, kind) ? HINTS[kind]! : "info";
  return hint(style, [...heading, ...inside(macro, `${MACRO}-body`)]);
}

const inside = (around: Element, name: string): ElementContent[] =>
  rewritten(find(around, hasClass(name))?.children ?? [], macros);

/** Code with its language, which an export names among the settings of what colors it. */
function code(pre: Element): Element {
  const [, brush] = /brush:\s*([\w#+-]{1,30})/.exec(property(pre, "dataSyntaxhighlighterParams")) ?? [];
  const language = brush && brush !== "plain" && brush !== "text" ? brush : undefined;
  const properties = language === undefined ? {} : { className: [`language-${language}`] };
  return element("pre", [element("code", [text(rawTextOf(pre))], properties)]);
}

/**
 * What the attachments of a page are called, by the addresses that an export gives them: these are numbers, and the page
 * lists them below its text by their names.
 */
export function attachmentNames(tree: Root): Record<string, string> {
  const lists = elementsIn(tree).filter(hasClass("greybox"));
  const links = lists.flatMap((list) => elementsIn(list).filter(({ tagName }) => tagName === "a"));
  return Object.fromEntries(
    links.flatMap((link) => {
      const [href, name] = [property(link, "href"), textOf(link)];
      return href === "" || name === "" ? [] : [[href, name]];
    }),
  );
}

/** A page as the contents of an exported space name it. */
export interface ContentsItem {
  title: string;
  /** The address of its file. */
  href: string;
  children: ContentsItem[];
}

/** Levels of contents that are read; what lies deeper is left out. */
const DEEPEST = 20;

/** The contents of an exported Confluence space, from its first file; empty for what has none. */
export function confluenceContents(tree: Root): ContentsItem[] {
  const content = find(tree, hasId("content"));
  const list = content && find(content, isList);
  return list ? itemsIn(list, 1) : [];
}

const isList = ({ tagName }: Element) => tagName === "ul";

/** A list within another one is what lies below the item before it, in which the parser may have put it or not. */
function itemsIn(list: Element, level: number): ContentsItem[] {
  const items: ContentsItem[] = [];
  for (const node of list.children) {
    if (node.type !== "element") continue;
    if (node.tagName === "li") items.push(...itemIn(node, level));
    else if (isList(node) && level < DEEPEST) items.at(-1)?.children.push(...itemsIn(node, level + 1));
  }
  return items;
}

function itemIn(entry: Element, level: number): ContentsItem[] {
  const link = entry.children.find(
    (node): node is Element => node.type === "element" && node.tagName === "a",
  );
  const below = entry.children.filter((node): node is Element => node.type === "element" && isList(node));
  const children = level < DEEPEST ? below.flatMap((list) => itemsIn(list, level + 1)) : [];
  const href = link ? property(link, "href") : "";
  return href === "" ? children : [{ title: textOf(link), href, children }];
}
