import { readUrl } from "@octavo/shared/read-url";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { note, noteSign } from "./blocks.js";
import {
  classesOf,
  element,
  elementsIn,
  find,
  property,
  type Rule,
  rawTextOf,
  rewritten,
} from "./elements.js";

/** The elements that a class stands for: in a document everything is a `span` of some class. */
type Styles = Map<string, string[]>;

/** Rules that are read, of all style sheets of a document. */
const MOST_RULES = 5_000;

/** The text of a document that Google Docs exported as a web page. */
export function googleDocument(tree: Root): ElementContent[] {
  const body = find(tree, ({ tagName }) => tagName === "body");
  const styles = stylesIn(tree);
  return rewritten(nested(body?.children ?? []), ruleFor(styles));
}

function stylesIn(tree: Root): Styles {
  const styles: Styles = new Map();
  for (const sheet of elementsIn(tree).filter(({ tagName }) => tagName === "style"))
    for (const [, name = "", rule = ""] of rawTextOf(sheet).matchAll(/\.(c\d{1,6})\{([^{}]{0,5000})\}/g)) {
      if (styles.size >= MOST_RULES) return styles;
      const marks = MARKS.flatMap(([pattern, tagName]) => (pattern.test(rule) ? [tagName] : []));
      if (marks.length > 0) styles.set(name, marks);
    }
  return styles;
}

/** The innermost first. */
const MARKS: [RegExp, string][] = [
  [/font-family:\s*"?(?:Courier New|Consolas|Roboto Mono|Source Code Pro)/, "code"],
  [/text-decoration:[^;]*line-through/, "del"],
  [/font-style:\s*italic/, "em"],
  [/font-weight:\s*(?:[6-9]00|bold)/, "strong"],
];

const HEADING = /^h[1-6]$/;

function ruleFor(styles: Styles): Rule {
  const rule: Rule = (one) => {
    const { tagName } = one;
    const inner = (within: Rule = rule) => rewritten(nested(one.children), within);
    if (tagName === "p" && classesOf(one).includes("title")) return [element("h1", inner(plain))];
    if (HEADING.test(tagName)) return [element(tagName, inner(plain), one.properties)];
    if (tagName === "a") return anchor(one, inner);
    if (tagName === "span") return marked(inner(), classesOf(one), styles);
    if (tagName === "p" || tagName === "div") {
      const named = noteIn(one);
      if (named === "comment") return [];
      if (named !== undefined) return [note(named, tagName === "p" ? inner() : inner(within))];
    }
    return /^(?:ul|ol|li|td|body)$/.test(tagName) ? [{ ...one, children: inner() }] : undefined;
  };
  /** A note is one, whatever the paragraphs in it begin with. */
  const within: Rule = (one) =>
    one.tagName === "p" ? [element("p", rewritten(nested(one.children), rule))] : rule(one);
  /** Headings are bold by themselves. */
  const plain: Rule = (one) => (one.tagName === "span" ? rewritten(one.children, plain) : rule(one));
  return rule;
}

/** A link without the detour that an export has it take; the signs of notes; nothing for those of comments. */
function anchor(link: Element, inner: () => ElementContent[]): ElementContent[] | undefined {
  const href = property(link, "href");
  const [, kind, name] = /^#(cmnt|ftnt)(\d{1,6})$/.exec(href) ?? [];
  if (kind === "ftnt") return [noteSign(name!)];
  if (kind === "cmnt" || /^#(?:cmnt|ftnt)_ref\d+$/.test(href)) return [];
  const to = directAddress(href);
  return to === href ? undefined : [element("a", inner(), { href: to })];
}

function directAddress(href: string): string {
  if (!/^https?:\/\/www\.google\.com\/url\?/.test(href)) return href;
  const to = readUrl(href)?.searchParams.get("q") ?? "";
  return /^(?:https?:\/\/|mailto:)/i.test(to) ? to : href;
}

/** The name of the note that a block holds, `comment` for a comment; undefined for other blocks. */
function noteIn({ children }: Element): string | undefined {
  const [first] = children.filter((node) => node.type !== "text" || node.value.trim() !== "");
  if (first?.type !== "element") return undefined;
  if (first.tagName === "p" && children.length === 1) return noteIn(first);
  const [, kind, name] = /^#(cmnt|ftnt)_ref(\d{1,6})$/.exec(property(first, "href")) ?? [];
  return kind === "cmnt" ? "comment" : name;
}

function marked(children: ElementContent[], classes: string[], styles: Styles): ElementContent[] {
  const marks = new Set(classes.flatMap((name) => styles.get(name) ?? []));
  const isEmpty = children.every((node) => node.type === "text" && node.value.trim() === "");
  if (isEmpty) return children;
  return MARKS.reduce(
    (inner, [, tagName]) => (marks.has(tagName) ? [element(tagName, inner)] : inner),
    children,
  );
}

const levelOf = (node: RootContent): number | undefined => {
  if (node.type !== "element" || !/^[uo]l$/.test(node.tagName)) return undefined;
  const [level] = classesOf(node).flatMap((name) => /^lst-kix_\w{1,60}-([0-8])$/.exec(name)?.[1] ?? []);
  return level === undefined ? undefined : Number(level);
};

/** Lists within each other, as their classes say: in an export they all stand beside each other. */
function nested(children: RootContent[]): RootContent[] {
  const out: RootContent[] = [];
  const open: { level: number; list: Element }[] = [];
  for (const node of children) {
    if (node.type === "text" && node.value.trim() === "") {
      out.push(node);
      continue;
    }
    const level = levelOf(node);
    if (level === undefined || node.type !== "element") {
      open.length = 0;
      out.push(node);
      continue;
    }
    while (open.length > 0 && open.at(-1)!.level > level) open.pop();
    const before = open.at(-1);
    if (before?.level === level && before.list.tagName === node.tagName) {
      before.list.children.push(...node.children);
      continue;
    }
    if (before?.level === level) open.pop();
    const list: Element = { ...node, children: [...node.children] };
    const item = open.at(-1)?.list.children.findLast((child): child is Element => child.type === "element");
    if (item) item.children = [...item.children, list];
    else out.push(list);
    open.push({ level, list });
  }
  return out;
}
