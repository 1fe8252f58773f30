import { posix } from "node:path";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

/** An entry of a table of contents: a group, a page, a link or a computed page. */
export interface Listed {
  /** How many entries are above. */
  depth: number;
  title: string;
  /** The file that a page is made of, as it is written there. */
  file?: string;
}

/** The parts of mdast that are looked at. */
interface Node {
  type: string;
  depth?: number;
  url?: string;
  value?: string;
  children?: Node[];
}

/** Returns the entries of a SUMMARY.md in order, read by a markdown parser that the import does not use. */
export function tableOfContents(summary: string): Listed[] {
  const text = summary
    .replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, "")
    .replace(/^[ \t]*\{%-? *include\b.*$/gm, "");
  const root: Node = unified().use(remarkParse).use(remarkGfm).parse(text);
  const listed: Listed[] = [];
  let groups = 0;
  const addGroup = (heading: Node) => {
    listed.push({ depth: 0, title: textOf(heading) });
    groups = 1;
  };
  const addItems = (list: Node, depth: number) => {
    for (const { children: parts = [] } of list.children ?? []) {
      const [first] = parts;
      const isGroup = first?.type === "heading" && depth === 0 && !linkIn(first);
      if (isGroup) addGroup(first);
      else if (first && first.type !== "list") listed.push({ depth: groups + depth, ...entryOf(first) });
      const below = isGroup || first?.type === "list" ? depth : depth + 1;
      for (const part of parts) if (part.type === "list") addItems(part, below);
    }
  };
  for (const node of root.children ?? []) {
    if (node.type === "list") addItems(node, 0);
    else if (node.type === "thematicBreak") groups = 0;
    else if (node.type === "heading" && (node.depth !== 1 || listed.length > 0)) addGroup(node);
  }
  return listed;
}

function entryOf(content: Node): Omit<Listed, "depth"> {
  if (content.type === "code") return { title: "computed" };
  const link = linkIn(content);
  if (!link) return { title: textOf(content) };
  const file = fileAt(link.url ?? "");
  return { title: textOf(link), ...(file && { file }) };
}

const linkIn = (node: Node): Node | undefined =>
  node.type === "link" ? node : node.children?.map(linkIn).find((link) => link !== undefined);

function fileAt(url: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.includes("#")) return undefined;
  const path = url.endsWith("/") ? `${url}README.md` : url;
  return /\.(md|markdown)$/i.test(path) ? posix.normalize(decodeURI(path)) : undefined;
}

/** A title as a page has it: without marks, but for the backticks of code. */
function textOf(node: Node): string {
  const words = ({ type, value, children = [] }: Node): string => {
    if (type === "html") return "";
    if (type === "break") return " ";
    if (type === "inlineCode") return `\`${value}\``;
    return value ?? children.map(words).join("");
  };
  return words(node).replace(/\s+/g, " ").trim();
}
