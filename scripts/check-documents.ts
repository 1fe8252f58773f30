import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument } from "@octavo/markdown/document/render";
import { findFrontmatter } from "@octavo/markdown/frontmatter";
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

/**
 * `npm run check-documents -- <folder> [<folder> …]`: reads every page below the folders as a rich document and writes
 * it again, and names the pages where that breaks a law: a second round changes something, or another parser (remark)
 * does not find the same headings, code, addresses and words in both texts.
 */
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("Usage: npm run check-documents -- <folder> [<folder> …]");
  process.exit(64);
}
const other = unified().use(remarkParse).use(remarkGfm);

interface Meaning {
  headings: string[];
  code: string[];
  addresses: string[];
  words: string[];
}

/**
 * What another parser finds in a text. Elements count as what stands in them, for some are written as marks; so do the
 * names of emoji and the addresses that tie words to a footnote, which have several forms.
 */
function meaningOf(markdown: string): Meaning {
  const found = { headings: [] as string[], code: [] as string[], words: [] as string[] };
  const addresses = new Set<string>();
  const open: Nodes[] = [other.parse(markdown)];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "heading") found.headings.push(`${node.depth} ${textOf(node).trim()}`);
    if (node.type === "code") found.code.push(decoded(node.value));
    if (node.type === "link" || node.type === "image") addresses.add(decoded(node.url));
    if (node.type === "text" || node.type === "inlineCode" || node.type === "code")
      found.words.push(...wordsOf(decoded(node.value)));
    if (node.type === "html") {
      for (const [, target] of node.value.matchAll(/(?:href|src|srcset)="([^"]*)"/g))
        addresses.add(decoded(target!));
      const inner = node.value
        .replace(/<!--[\s\S]*?-->/g, "")
        .replace(/<\/?code>/g, "`")
        .replace(/<\/?[a-z][^>]*>/gi, " ");
      if (inner !== node.value) open.push(other.parse(inner.trim()));
    } else if ("children" in node) open.push(...node.children);
  }
  return { ...found, addresses: [...addresses].filter((target) => !target.startsWith("#user-content-fn-")) };
}

const textOf = (node: Nodes): string => {
  if (node.type === "html") return "";
  return "children" in node ? node.children.map(textOf).join("") : "value" in node ? node.value : "";
};
const wordsOf = (text: string) => text.replace(/:[\w+-]+:/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
const NAMED: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " };
const decoded = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, digits, name) =>
    name ? (NAMED[name] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(digits)),
  );

/** What one list has more often than the other, a sign before each. */
function difference(before: string[], after: string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of before) counts.set(one, (counts.get(one) ?? 0) - 1);
  for (const one of after) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].flatMap(([one, count]) => (count === 0 ? [] : `${count < 0 ? "-" : "+"}${one}`));
}

function broken(markdown: string): string[] {
  const document = parseDocument(markdown, { body: true });
  const written = renderDocument(document);
  const second = parseDocument(written, { body: true });
  const laws: string[] = [];
  if (!isDeepStrictEqual(second, document)) laws.push("a second round makes another document");
  if (renderDocument(second) !== written) laws.push("a second round writes another text");
  const [before, after] = [meaningOf(markdown), meaningOf(written)];
  for (const kind of Object.keys(before) as (keyof Meaning)[]) {
    const differs = difference(before[kind], after[kind]);
    if (differs.length > 0) laws.push(`${kind}: ${JSON.stringify(differs.slice(0, 5)).slice(0, 300)}`);
  }
  return laws;
}

let pages = 0;
let wrong = 0;
for (const folder of folders.map((name) => resolve(name))) {
  for (const name of (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".md"))) {
    pages += 1;
    const page = await readFile(join(folder, name), "utf8");
    const laws = broken(page.slice(findFrontmatter(page)?.after ?? 0));
    if (laws.length > 0) wrong += 1;
    for (const law of laws) console.error(`${name}: ${law}`);
  }
}
console.log(`${pages} pages, ${wrong} differ`);
process.exitCode = wrong > 0 ? 1 : 0;
