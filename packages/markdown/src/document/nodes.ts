import { isComments } from "../parser/html.js";

// Types, not interfaces: they fit where any further field is allowed.
/** The rich document. `type` names one of the contract's blocks, inlines and marks; `data` may carry more fields. */
export type JSONDocument = {
  object: "document";
  data: Data;
  nodes: Block[];
};
export type Data = Record<string, unknown>;
export type Mark = {
  object: "mark";
  type: string;
  data?: Data;
};
export type Leaf = {
  object: "leaf";
  text: string;
  marks: Mark[];
};
export type Text = {
  object: "text";
  key?: string;
  leaves: Leaf[];
};
export type Inline = {
  object: "inline";
  type: string;
  key?: string;
  data?: Data;
  isVoid?: boolean;
  nodes?: InlineNode[];
  fragments?: Fragment[];
};
export type Block = {
  object: "block";
  type: string;
  key?: string;
  data?: Data;
  isVoid?: boolean;
  nodes?: (Block | InlineNode)[];
  fragments?: Fragment[];
  meta?: Data;
};
export type Fragment = {
  object: "fragment";
  key?: string;
  fragment?: string;
  type?: string;
  nodes: Block[];
};
export type InlineNode = Text | Inline;

/** Creates a mark. */
export const mark = (type: string, data?: Data): Mark => ({ object: "mark", type, ...(data && { data }) });

/** Creates a leaf: words with the same marks. */
export const leaf = (text: string, marks: Mark[] = []): Leaf => ({ object: "leaf", text, marks });

/** Creates a text node of leaves. */
export const textNode = (leaves: Leaf[]): Text => ({ object: "text", leaves });

/** Creates an inline node, a void one unless `rest` says otherwise. */
export const inline = (type: string, data: Data, rest: Partial<Inline> = { isVoid: true }): Inline => ({
  object: "inline",
  type,
  data,
  ...rest,
});

/** Creates a block with nodes. */
export const block = (type: string, data: Data, nodes: (Block | InlineNode)[]): Block => ({
  object: "block",
  type,
  data,
  nodes,
});

/** Creates a block without nodes, whose content is in its data and fragments. */
export const voidBlock = (type: string, data: Data, fragments?: Fragment[]): Block => ({
  object: "block",
  type,
  data,
  ...(fragments && { fragments }),
  isVoid: true,
});

/** Creates a paragraph. */
export const paragraph = (nodes: InlineNode[], data: Data = {}): Block => block("paragraph", data, nodes);

/** More lines than these are one code-line: a block for each would take a hundred times their size. */
const MOST_LINES = 50_000;

/** Lines of code, each with its words as they are. */
export const codeLines = (source: string): Block[] =>
  linesUpTo(MOST_LINES, source).map((line) =>
    block("code-line", {}, line === "" ? [] : [textNode([leaf(line)])]),
  );

function linesUpTo(most: number, source: string): string[] {
  const lines = source.split("\n", most);
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return length > source.length ? lines : [...lines, source.slice(length)];
}

/**
 * Source that the document has no block for: a code block whose `data.verbatim` says to write it back unchanged. Comments
 * are `hidden`: they are kept, and nobody is meant to be shown them.
 */
export const verbatim = (source: string): Block =>
  block("code", { syntax: "markdown", ...keptAs(source) }, codeLines(source.trimEnd().replace(/^\n+/, "")));

/** Returns the mark of code for source that the document has no inline for, with `data.verbatim`. */
export const verbatimMark = (source: string): Mark => mark("code", keptAs(source));
const keptAs = (source: string): Data => ({ verbatim: true, ...(isComments(source) && { hidden: true }) });

/** Returns whether a leaf is source that is written back unchanged. */
export const isVerbatim = ({ marks }: Leaf): boolean => marks.some(({ data }) => data?.verbatim === true);

/** Returns whether a node is a text node. */
export const isText = (node: Block | InlineNode): node is Text => node.object === "text";

/** Returns whether a node is a block. */
export const isBlock = (node: Block | InlineNode): node is Block => node.object === "block";

/** Returns the blocks among the nodes of a node. */
export const blocksOf = ({ nodes = [] }: { nodes?: (Block | InlineNode)[] }): Block[] =>
  nodes.filter(isBlock);

/** Returns the texts and inline nodes among the nodes of a node. */
export const inlinesOf = ({ nodes = [] }: { nodes?: (Block | InlineNode)[] }): InlineNode[] =>
  nodes.filter((node): node is InlineNode => !isBlock(node));

/** The words without marks; line breaks stay. */
export function plainText(nodes: (Block | InlineNode)[]): string {
  return nodes
    .map((node) =>
      isText(node) ? node.leaves.map(({ text }) => text).join("") : plainText(node.nodes ?? []),
    )
    .join("");
}

/** The source of a block of code. */
export const linesText = (code: Block): string =>
  blocksOf(code)
    .map(({ nodes }) => plainText(nodes ?? []))
    .join("\n");

/** Whether a line says nothing: clients send an empty one with an empty text in it. */
export const isEmptyLine = (nodes: InlineNode[]): boolean =>
  nodes.every((node) => isText(node) && node.leaves.every(({ text }) => text === ""));
