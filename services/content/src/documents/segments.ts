import type { Block, Fragment, Inline, InlineNode, Leaf, Text } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument, replaceBody } from "@octavo/markdown/document/render";
import { type PageSource, readSource, writeProperties, writeTitle } from "@octavo/markdown/source/source";

// The parts of a page that a translator is given: one for each line of words, with its marks, links and whatever else
// stands in it as tags. Code, addresses, formulas, expressions and block syntax never leave the page.

/** Blocks whose words are no language. */
const CODE = new Set(["code", "code-line", "math", "embed", "drawing", "file", "content-ref", "integration"]);
/** Marks of words that are no language, or that are written back as they are. */
const KEPT = new Set(["code", "verbatim", "keyboard"]);

const WORDS = /\p{L}/u;

type Translate = (segment: string) => string;

/** Lists what is to be translated in a source: its title and description first, then its blocks in their order. */
export function segmentsIn(markdown: string): string[] {
  const segments: string[] = [];
  const note: Translate = (segment) => {
    segments.push(segment);
    return segment;
  };
  translate(markdown, note);
  return segments;
}

/** A source with its segments translated, given in the order in which `segmentsIn` lists them. */
export function translatedSource({ markdown, translations }: { markdown: string; translations: string[] }): {
  text: string;
  source: PageSource;
} {
  let at = 0;
  const text = translate(markdown, (segment) => translations[at++] ?? segment);
  return { text, source: readSource(text) };
}

/** Whether a translation has the tags of its segment, each once and in the same one. */
export function isFaithful(segment: string, translation: string): boolean {
  const [before, after] = [placesOf(segment), placesOf(translation)];
  return (
    before !== undefined &&
    after !== undefined &&
    before.size === after.size &&
    [...before].every(([tag, around]) => after.get(tag) === around)
  );
}

/** A plain text as a segment, and back. */
export const encodeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const decodeText = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/&quot;/g, '"')
    .replace(/&(?:#39|#x27|apos);/g, "'")
    .replace(/&nbsp;/g, "\u00a0")
    .replaceAll("&amp;", "&");

/** Words on one line, as titles and descriptions are. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function translate(markdown: string, with_: Translate): string {
  const { title, description } = readSource(markdown);
  const plain = (text: string) =>
    WORDS.test(text) ? oneLine(decodeText(with_(encodeText(text)))) || text : text;
  const plainTitle = title === undefined ? undefined : plain(title);
  const described = description === undefined ? undefined : plain(description);
  const document = parseDocument(markdown);
  let count = 0;
  const counted: Translate = (segment) => {
    count += 1;
    return with_(segment);
  };
  const nodes = document.nodes.map((block) => translateBlock(block, counted));
  // A page without words for a translator stays as it is written.
  let text = count === 0 ? markdown : replaceBody(markdown, renderDocument({ ...document, nodes }));
  if (described !== undefined && described !== description)
    text = writeProperties(text, { description: described });
  if (plainTitle !== undefined && plainTitle !== title) text = writeTitle(text, plainTitle);
  return text;
}

function translateBlock(block: Block, with_: Translate): Block {
  if (CODE.has(block.type) || block.type.startsWith("openapi")) return block;
  const made: Block = { ...block, ...(block.data && { data: translateData(block, with_) }) };
  const { nodes, fragments } = block;
  if (nodes?.some(isInlineNode)) made.nodes = translateLine(nodes as InlineNode[], with_);
  else if (nodes) made.nodes = (nodes as Block[]).map((each) => translateBlock(each, with_));
  if (fragments) made.fragments = translateFragments(fragments, with_);
  return made;
}

const translateFragments = (fragments: Fragment[], with_: Translate): Fragment[] =>
  fragments.map((fragment) => ({
    ...fragment,
    nodes: fragment.nodes.map((each) => translateBlock(each, with_)),
  }));

/** Notes hang on words of a line, and are no part of it. */
function translateNotes(inline: Inline, with_: Translate): Inline {
  const { nodes, fragments } = inline;
  return {
    ...inline,
    ...(nodes && {
      nodes: nodes.map((node) => (node.object === "inline" ? translateNotes(node, with_) : node)),
    }),
    ...(fragments && { fragments: translateFragments(fragments, with_) }),
  };
}

const isInlineNode = (node: Block | InlineNode) => node.object === "text" || node.object === "inline";

/** What blocks say outside of their nodes: titles of tabs, words in the place of images, heads of columns. */
function translateData({ type, data = {} }: Block, with_: Translate) {
  const words = (value: unknown) =>
    typeof value === "string" && WORDS.test(value) ? decodeText(with_(encodeText(value))) : value;
  if (type === "tabs-item" && data.title !== undefined) return { ...data, title: words(data.title) };
  if (type === "image" && data.alt !== undefined) return { ...data, alt: words(data.alt) };
  if (type !== "table" || typeof data.definition !== "object" || data.definition === null) return data;
  const columns = Object.entries(data.definition as Record<string, Record<string, unknown>>);
  const definition = columns.map(([id, column]) => {
    if (Array.isArray(column.nodes))
      return [id, { ...column, nodes: translateLine(column.nodes as InlineNode[], with_) }] as const;
    return [id, { ...column, title: words(column.title) }] as const;
  });
  return { ...data, definition: Object.fromEntries(definition) };
}

/** Something in a line that a tag stands for. */
type Tagged = { leaf: Leaf } | { inline: Inline };

function translateLine(line: InlineNode[], with_: Translate): InlineNode[] {
  const nodes = line.map((node) => (node.object === "inline" ? translateNotes(node, with_) : node));
  const tagged: Tagged[] = [];
  const segment = encodeNodes(nodes, tagged);
  if (!WORDS.test(segment.replace(/<[^>]*>/g, ""))) return nodes;
  const translation = with_(segment);
  return isFaithful(segment, translation) ? decodeNodes(translation, tagged) : nodes;
}

function encodeNodes(nodes: InlineNode[], tagged: Tagged[]): string {
  return nodes
    .map((node) => (node.object === "text" ? encodeLeaves(node, tagged) : encodeInline(node, tagged)))
    .join("");
}

const encodeLeaves = ({ leaves }: Text, tagged: Tagged[]): string =>
  leaves
    .map((leaf) => {
      if (leaf.marks.length === 0) return encodeWords(leaf, tagged);
      const number = tagged.push({ leaf }) - 1;
      const isKept = leaf.marks.some(({ type }) => KEPT.has(type)) || !WORDS.test(leaf.text);
      return isKept ? `<x${number}/>` : `<g${number}>${encodeWords(leaf, tagged)}</g${number}>`;
    })
    .join("");

/** What in a text is no language: what other programs fill in, and addresses. */
const FIXED = /(\{\{[^{}]*\}\}|https?:\/\/\S+)/;

const encodeWords = ({ text, marks }: Leaf, tagged: Tagged[]): string =>
  text
    .split(FIXED)
    .map((part, at) =>
      at % 2 === 0
        ? encodeText(part)
        : `<x${tagged.push({ leaf: { object: "leaf", text: part, marks } }) - 1}/>`,
    )
    .join("");

function encodeInline(inline: Inline, tagged: Tagged[]): string {
  const number = tagged.push({ inline }) - 1;
  const isKept = inline.isVoid || !inline.nodes?.length || inline.type === "expression";
  const inner = isKept ? "" : encodeNodes(inline.nodes!, tagged);
  // Of a link that shows its address, nothing is words.
  return WORDS.test(inner.replace(/<[^>]*>/g, "")) ? `<g${number}>${inner}</g${number}>` : `<x${number}/>`;
}

const TAG = /<(\/?)([gx])(\d+)\s*(\/?)>/gi;

/** The tags of a segment with the one that each is in; undefined when they do not fit together. */
function placesOf(segment: string): Map<string, string> | undefined {
  const places = new Map<string, string>();
  const open: string[] = [];
  for (const [, end, kind, number, alone] of normalized(segment).matchAll(TAG)) {
    const tag = `${kind!.toLowerCase()}${number}`;
    if (end) {
      if (open.pop() !== tag) return undefined;
      continue;
    }
    if (places.has(tag)) return undefined;
    places.set(tag, open.at(-1) ?? "");
    if (!alone) open.push(tag);
  }
  return open.length === 0 ? places : undefined;
}

/** Tags that stand alone in one form: parsers of HTML write them as a pair. */
const normalized = (segment: string) => segment.replace(/<(x\d+)\s*>\s*<\/\1\s*>/gi, "<$1/>");

function decodeNodes(segment: string, tagged: Tagged[]): InlineNode[] {
  const text = normalized(segment);
  const root: InlineNode[] = [];
  const open: { number: number; nodes: InlineNode[] }[] = [{ number: -1, nodes: root }];
  let last = 0;
  const words = (until: number) => {
    const plain = decodeText(text.slice(last, until));
    if (plain !== "") addLeaf(open.at(-1)!.nodes, { object: "leaf", text: plain, marks: [] });
  };
  for (const match of text.matchAll(TAG)) {
    const [whole, end, , digits, alone] = match;
    words(match.index);
    last = match.index + whole.length;
    const number = Number(digits);
    if (!end && !alone) open.push({ number, nodes: [] });
    else {
      const nodes = end ? open.pop()!.nodes : undefined;
      put(open.at(-1)!.nodes, tagged[number]!, nodes);
    }
  }
  words(text.length);
  return root;
}

/** Appends the node of a placeholder tag, with the translated text inside it. */
function put(into: InlineNode[], tagged: Tagged, nodes: InlineNode[] | undefined): void {
  if ("inline" in tagged) into.push(nodes ? { ...tagged.inline, nodes } : tagged.inline);
  else {
    const texts = nodes?.map((node) =>
      node.object === "text" ? node.leaves.map(({ text }) => text).join("") : "",
    );
    addLeaf(into, { ...tagged.leaf, text: texts?.join("") ?? tagged.leaf.text });
  }
}

function addLeaf(into: InlineNode[], leaf: Leaf): void {
  const before = into.at(-1);
  if (before?.object === "text") before.leaves.push(leaf);
  else into.push({ object: "text", leaves: [leaf] });
}
