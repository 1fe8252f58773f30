import { scanBlocks } from "../blocks/blocks.js";
import { cutLines, readLines } from "../blocks/lines.js";
import { parseDocument } from "../document/parse.js";
import { addressIn } from "../document/refs.js";
import { referencesIn } from "../links/references.js";
import { newBudget } from "../parser/bounds.js";
import { tokensOf } from "../parser/parser.js";
import { findTitle } from "../source/title.js";
import { findFrontmatter } from "../yaml/frontmatter.js";

/** Where what reads a page line by line sees another page than its document is, a sentence each. */
export interface Disagreements {
  blocks: string[];
  title: string[];
  code: string[];
  addresses: string[];
}

/** What a document needs for blocks of its own to lie in one block of a merge: something that is opened and closed. */
const OPENS = /\{%|<[a-z]|^[ \t]*\$\$/im;

/**
 * Holds everything that reads a page without its document to the document: merges cut where its blocks begin, the title
 * is its first heading, code is code, and every address in it is recorded. Lines count from 0, below the frontmatter.
 */
export function disagreementsIn(page: string): Disagreements {
  const body = page.slice(findFrontmatter(page)?.after ?? 0).replace(/^\uFEFF/, "");
  // The first line of a body may look like frontmatter, which a document knows only at the top of a page.
  if (findFrontmatter(body)) return { blocks: [], title: [], code: [], addresses: [] };
  const tokens = tokensOf(body, newBudget());
  const top = tokens.filter(({ level, nesting }) => level === 0 && nesting >= 0);
  const lines = cutLines(body);
  const begins = new Set(top.map(({ map }) => map![0]));
  const cuts = scanBlocks(body, lines).flatMap(({ token }) => token?.map?.[0] ?? []);
  const joined = [...begins].filter((line) => !cuts.includes(line));
  const unexplained = joined.filter((line) => {
    const from = cuts.findLast((cut) => cut < line);
    return from === undefined || !OPENS.test(body.slice(lines[from]!.start, lines[line]!.start));
  });
  return {
    blocks: [
      ...cuts.filter((line) => !begins.has(line)).map((line) => `line ${line} begins no block`),
      ...unexplained.map((line) => `line ${line} begins a block that is cut nowhere`),
    ],
    title: titleIn(body, top.find(({ tag, map }) => tag === "h1" && cuts.includes(map![0]))?.map?.[0]),
    code: codeIn(body, tokens),
    addresses: addressesIn(body),
  };
}

function titleIn(body: string, wanted: number | undefined): string[] {
  const lines = readLines(body);
  const title = findTitle(body, lines);
  if (title?.form === "html") return [];
  const line = title && lines.findLastIndex(({ start }) => start <= title.start);
  return line === wanted ? [] : [`the title is in line ${line}, the first heading in line ${wanted}`];
}

function codeIn(body: string, tokens: ReturnType<typeof tokensOf>): string[] {
  const fenced = new Set<number>();
  for (const { type, map } of tokens) {
    if (type === "fence") for (let line = map![0]; line < map![1]; line += 1) fenced.add(line);
  }
  return readLines(body).flatMap(({ kind, blank }, line) =>
    blank || (kind === "fence") === fenced.has(line) ? [] : [`line ${line} is code for one reader alone`],
  );
}

/** Markdown in an attribute of a cell is read by the document alone. */
function addressesIn(body: string): string[] {
  if (body.includes("data-markdown")) return [];
  const recorded = new Set(referencesIn(body).map(({ url }) => url));
  return [...addressesOf(parseDocument(body, { body: true }).nodes)]
    .filter((address) => address !== "" && !recorded.has(address))
    .map((address) => `${address} is not recorded`);
}

function addressesOf(nodes: unknown): Set<string> {
  const found = new Set<string>();
  const open = [nodes];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const address = addressIn(value);
    if (address !== undefined) found.add(address);
    open.push(...Object.values(value));
  }
  return found;
}
