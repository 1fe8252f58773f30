import { type Line, readLines } from "../blocks/lines.js";
import { withAnchors } from "../document/anchors.js";
import { type Block, blocksOf, inlinesOf, plainText } from "../document/nodes.js";
import { parseDocument } from "../document/parse.js";
import { trimUrl } from "../parser/inline-rules.js";
import { slugGiver } from "../source/slug.js";
import { readSource } from "../source/source.js";
import { unescapeText } from "../text/destination.js";
import { syntaxOf } from "../text/inline.js";
import { type Address, addressesIn } from "./links.js";

/** What a page refers to. `url` is as written, escapes resolved; of an OpenAPI block it is the name of the specification. */
export interface Reference {
  kind: Address["kind"] | "cover";
  url: string;
}

/**
 * What a page refers to: links, images, files, includes, embeds, OpenAPI blocks, plain addresses and covers, each
 * address once, in the order in which they stand. Linear, never throws.
 */
export function referencesIn(markdown: string): Reference[] {
  const lines = readLines(markdown);
  const addresses = addressesIn(markdown, lines);
  const known = addresses.map(({ kind, raw, start }) => ({ kind, url: unescapeText(raw).trim(), start }));
  const found = [...known, ...plainUrls(lines, addresses)].sort((one, two) => one.start - two.start);
  const references = new Map<string, Reference>();
  for (const { kind, url } of [...covers(markdown), ...found]) {
    const key = kind === "openapi" ? `openapi ${url}` : url;
    if (url !== "" && !references.has(key)) references.set(key, { kind, url });
  }
  return [...references.values()];
}

function covers(markdown: string): Reference[] {
  if (!/^\uFEFF?---/.test(markdown)) return [];
  const { ref, refDark } = readSource(markdown).cover ?? {};
  return [ref, refDark].flatMap((url) => (url === undefined ? [] : [{ kind: "cover" as const, url }]));
}

const PLAIN = /\bhttps?:\/\/[^\s<>"'`\\[\]{}|^]{1,2000}/gi;

/** Addresses that stand in the text as they are, with or without angle brackets. */
function plainUrls(lines: Line[], addresses: Address[]) {
  const within = new Set(addresses.map(({ start }) => start));
  const found: { kind: "link"; url: string; start: number }[] = [];
  for (const line of lines) {
    if (line.kind !== "text" || !line.text.includes("://")) continue;
    for (const { 0: match, index } of syntaxOf(line.text).matchAll(PLAIN)) {
      const start = line.at + index;
      if (!within.has(start)) found.push({ kind: "link", url: trimUrl(match), start });
    }
  }
  return found;
}

/**
 * The anchors that a page's headings, tabs and expandables can be reached by: ours first, then those that GitHub would
 * give the same headings, and ids that are written down.
 */
export function anchorsOf(markdown: string): string[] {
  const open: Block[] = [...withAnchors(parseDocument(markdown)).nodes].reverse();
  const anchors: string[] = [];
  const others: string[] = [];
  const give = slugGiver();
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.meta?.id === "string") anchors.push(node.meta.id);
    if (node.type.startsWith("heading-") && node.data?.id === undefined)
      others.push(give(gitHubSlug(plainText(inlinesOf(node)))));
    const below = [...blocksOf(node), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)];
    for (const inner of below.reverse()) open.push(inner);
  }
  const written = [
    ...markdown.matchAll(/<(?:a|h[1-6]|p|div|span|figure)\s[^<>]*?\b(?:id|name)\s*=\s*"([^"<>]+)"/gi),
  ].map(([, id]) => id!);
  return [...new Set([...anchors, ...others, ...written])].filter((anchor) => anchor !== "");
}

/** Signs are dropped, and only blanks become dashes: `Copy/Move` is `copymove`. */
const gitHubSlug = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\s-]/gu, "")
    .replace(/\s/g, "-");
