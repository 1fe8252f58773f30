import type { CodeToken } from "../scope.js";
import type { Allowance } from "./deadline.js";
import { lowlight } from "./languages.js";

/** Longer code, and code with longer lines, is drawn as it is: nobody reads it for its colors. */
const LONGEST = 64 * 1024;
const LONGEST_LINE = 2_000;
/** Milliseconds that one block may take. */
const ONE_BLOCK = 1_000;
/** A grammar is compiled when it is first used, which is nobody's code to pay for. */
const compiled = new Set<string>();

/** What the highlighter's names stand for here; what is not listed has the color of text. */
const KINDS: Record<string, string> = {
  keyword: "k",
  operator: "k",
  doctag: "k",
  "template-tag": "k",
  literal: "n",
  number: "n",
  symbol: "n",
  bullet: "n",
  built_in: "b",
  type: "b",
  "title class_": "b",
  "title class_ inherited__": "b",
  "selector-class": "b",
  "selector-tag": "g",
  name: "g",
  string: "s",
  regexp: "s",
  "meta string": "s",
  link: "s",
  char: "s",
  comment: "c",
  quote: "c",
  meta: "m",
  "meta keyword": "m",
  "meta prompt": "m",
  title: "f",
  "title function_": "f",
  "title function_ invoke__": "f",
  section: "f",
  "selector-id": "f",
  attr: "a",
  attribute: "a",
  property: "a",
  variable: "v",
  "variable constant_": "v",
  "variable language_": "v",
  "template-variable": "v",
  params: "",
  addition: "i",
  deletion: "d",
  strong: "st",
  emphasis: "em",
};

/** The pieces of code in a language, for as much of the time that a page has as one block may take. */
export function highlight(text: string, syntax: string, time: Allowance): CodeToken[] | undefined {
  const language = syntax.toLowerCase();
  if (text.length > LONGEST || !lowlight.registered(language) || hasLongLine(text)) return undefined;
  if (!compiled.has(language)) lowlight.highlight(language, "");
  compiled.add(language);
  const tree = time.spend(ONE_BLOCK, () => lowlight.highlight(language, text));
  return tree && tokensOf(tree);
}

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end;
    if (next - start > LONGEST_LINE) return true;
    start = next + 1;
  }
  return false;
}

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

/** The pieces of the tree in their order; the innermost name that has a color gives it. */
function tokensOf(tree: Tree): CodeToken[] {
  const tokens: CodeToken[] = [];
  const open: { node: Node; kind: string }[] = tree.children.map((node) => ({ node, kind: "" })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, kind } = next;
    if (node.type === "text") {
      const last = tokens.at(-1);
      if (last && (last.kind ?? "") === kind) last.text += node.value;
      else tokens.push({ text: node.value, ...(kind && { kind }) });
    } else if (node.type === "element") {
      const inner = kindOf(node.properties.className, kind);
      for (const child of [...node.children].reverse()) open.push({ node: child as Node, kind: inner });
    }
  }
  return tokens;
}

function kindOf(className: unknown, around: string): string {
  const name = (Array.isArray(className) ? className.join(" ") : "").replace(/hljs-/g, "");
  return Object.hasOwn(KINDS, name) ? KINDS[name]! : around;
}
