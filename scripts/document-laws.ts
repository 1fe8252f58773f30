import { isDeepStrictEqual } from "node:util";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument } from "@octavo/markdown/document/render";
import { disagreementsIn } from "@octavo/markdown/testing/agreement";
import { findFrontmatter } from "@octavo/markdown/yaml/frontmatter";
import { atOnce } from "@octavo/shared/workers/yield";
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { problemsIn } from "../services/content/src/documents/document-schema.js";

const other = unified().use(remarkParse).use(remarkGfm);

/** What another parser finds in a text. */
interface Meaning {
  headings: string[];
  code: string[];
  addresses: string[];
  words: string[];
}

/** What a page breaks, one sentence each, and how much of it is kept as source. */
export interface Findings {
  broken: string[];
  /** Blocks of source, and pieces of source in lines of text. */
  kept: { blocks: number; pieces: number };
}

/**
 * Holds a page to the laws of the rich document: what is read may be sent back, a second round changes nothing, and
 * another parser (remark) finds the same headings, code, addresses and words in the page and in what is written. What is
 * read without the document, as for merges and links, agrees with it.
 */
export function findingsIn(page: string): Findings {
  const markdown = page.slice(findFrontmatter(page)?.after ?? 0);
  const document = parseDocument(markdown, { body: true });
  const broken = atOnce(problemsIn(document.nodes)).map(
    ({ path, message }) => `can not be sent back: ${path.join(".")} ${message}`,
  );
  const written = renderDocument(document);
  const second = parseDocument(written, { body: true });
  if (!isDeepStrictEqual(second, document)) broken.push("a second round makes another document");
  if (renderDocument(second) !== written) broken.push("a second round writes another text");
  for (const [kind, found] of Object.entries(disagreementsIn(page)))
    broken.push(...found.slice(0, 5).map((one: string) => `${kind}: ${one}`));
  return { broken: [...broken, ...differences(markdown, written)], kept: keptIn(document) };
}

/** What another parser does not find alike in two texts, by the kind of what it finds. */
export function differences(one: string, two: string): string[] {
  const [before, after] = [meaningOf(one), meaningOf(two)];
  return (Object.keys(before) as (keyof Meaning)[]).flatMap((kind) => {
    const differs = difference(before[kind], after[kind]);
    return differs.length > 0 ? [`${kind}: ${JSON.stringify(differs.slice(0, 5)).slice(0, 300)}`] : [];
  });
}

/**
 * Elements count as what stands in them, for some are written as marks; so do the names of emoji and the addresses that
 * tie words to a footnote, which have several forms. Line ends of other systems are line ends.
 */
function meaningOf(markdown: string): Meaning {
  const found = { headings: [] as string[], code: [] as string[], words: [] as string[] };
  const addresses = new Set<string>();
  // The parser reads character references, but not those in elements.
  const open: { node: Nodes; read: (text: string) => string }[] = [
    { node: other.parse(markdown.replace(/\r\n?/g, "\n")), read: (text) => text },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, read } = next;
    if (node.type === "heading") found.headings.push(`${node.depth} ${textOf(node).trim()}`);
    if (node.type === "code") found.code.push(read(node.value));
    if (node.type === "link" || node.type === "image") addresses.add(node.url);
    if (node.type === "text" || node.type === "inlineCode" || node.type === "code")
      found.words.push(...wordsOf(read(node.value)));
    if (node.type === "html") {
      for (const [, double, single] of node.value.matchAll(ADDRESS))
        addresses.add(decoded(double ?? single!));
      const inner = node.value
        .replace(/<!--[\s\S]*?-->/g, "")
        .replace(/<\/?code>/g, "`")
        .replace(/<\/?[a-z][^>]*>/gi, " ");
      if (inner !== node.value) open.push({ node: other.parse(inner.trim()), read: decoded });
    } else if ("children" in node) for (const child of node.children) open.push({ node: child, read });
  }
  return { ...found, addresses: [...addresses].filter((target) => !target.startsWith("#user-content-fn-")) };
}

const ADDRESS = /\b(?:href|src|srcset)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const textOf = (node: Nodes): string => {
  if (node.type === "html") return "";
  return "children" in node ? node.children.map(textOf).join("") : "value" in node ? node.value : "";
};
const wordsOf = (text: string) => text.replace(/:[\w+-]+:/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];

/** Text with its character references resolved, as the other parser does it. */
function decoded(text: string): string {
  return text.replace(/&(?:#\w+|\w+);/g, (reference) => {
    const [block] = other.parse(`-${reference}`).children;
    return block?.type === "paragraph" ? textOf(block).slice(1) : reference;
  });
}

/** What one list has more often than the other, a sign before each. */
function difference(before: string[], after: string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of before) counts.set(one, (counts.get(one) ?? 0) - 1);
  for (const one of after) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].flatMap(([one, count]) => (count === 0 ? [] : `${count < 0 ? "-" : "+"}${one}`));
}

function keptIn(document: JSONDocument): Findings["kept"] {
  const kept = { blocks: 0, pieces: 0 };
  const open: unknown[] = [document.nodes];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const { object, data } = value as { object?: string; data?: { verbatim?: unknown } };
    if (data?.verbatim === true && object === "block") kept.blocks += 1;
    else if (data?.verbatim === true && object === "mark") kept.pieces += 1;
    else open.push(...Object.values(value));
  }
  return kept;
}
