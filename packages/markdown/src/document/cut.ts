import { anchorOf } from "./anchors.js";
import {
  type Block,
  block,
  codeLines,
  type Data,
  type Fragment,
  type Inline,
  type InlineNode,
  inlinesOf,
  isBlock,
  isText,
  isVerbatim,
  type JSONDocument,
  type Leaf,
  paragraph,
  plainText,
} from "./nodes.js";

/** Decides what is taken out of texts, which it is given in the order of the document. */
export interface Cutter {
  /** Whether what comes next is out: what hides it began before, and did not end yet. */
  hides(): boolean;
  /** What is left of the text of a leaf. `kept` is text that nobody parsed. */
  text(text: string, kept: boolean): string;
  /** What is left of words beside the text, as those of an image. */
  word(text: string, key: string): string;
  /** Called when a block begins while something is hidden. */
  spans?(): void;
  /** Whether notes are read without their bodies, which stand elsewhere in the source. */
  notes?: boolean;
  /** What takes the place of source that was kept when it is not whole any more. */
  rest?(source: string): Block[];
}

/** The document without what the cutter takes out. What begins while something is hidden is left out, text only to its end. */
export const cutDocument = (document: JSONDocument, cutter: Cutter): JSONDocument => ({
  ...document,
  nodes: cutBlocks(document.nodes, cutter),
});

const cutBlocks = (nodes: Block[], cutter: Cutter): Block[] =>
  nodes.flatMap((node) => cutBlock(node, cutter));

function cutBlock(node: Block, cutter: Cutter): Block[] {
  if (cutter.hides()) cutter.spans?.();
  if (node.data?.verbatim === true) return cutKept(node, cutter);
  const hidden = cutter.hides();
  const cut = withHead(inside(node, cutter), node);
  const { nodes = [] } = node;
  const line = nodes.length > 0 && !nodes.some(isBlock);
  if (hidden) return line && cut.nodes!.length > 0 ? [cut] : [];
  return line && node.type === "paragraph" && cut.nodes!.length === 0 ? [] : [cut];
}

/** An anchor is made of words, and must not disclose those that were removed. */
function withHead(cut: Block, { meta, ...before }: Block): Block {
  if (meta?.id === undefined) return cut;
  const id = anchorOf(cut);
  return id === anchorOf(before) ? cut : { ...cut, meta: { ...meta, id: id ?? "section" } };
}

function cutKept(node: Block, cutter: Cutter): Block[] {
  const source = (node.nodes ?? []).map((line) => plainText([line])).join("\n");
  const text = cutter.text(source, true);
  if (text === source) return [node];
  if (text.trim() === "") return [];
  return cutter.rest?.(text) ?? [block("code", { ...node.data }, codeLines(text))];
}

/** A block or inline with what it holds, and what stands beside its nodes. */
function inside<Node extends Block | Inline>(node: Node, cutter: Cutter): Node {
  const { data, nodes, fragments } = node;
  return {
    ...node,
    ...(data && { data: node.type === "table" ? tableData(data, cutter) : (words(data, cutter) as Data) }),
    ...(nodes && { nodes: childrenOf(nodes, cutter) }),
    ...(fragments && { fragments: fragments.map((one) => cutFragment(one, cutter)) }),
  };
}

/** What held blocks holds some afterwards. */
function childrenOf(nodes: (Block | InlineNode)[], cutter: Cutter): (Block | InlineNode)[] {
  if (!nodes.every(isBlock)) return cutInlines(nodes as InlineNode[], cutter);
  const left = cutBlocks(nodes, cutter);
  return left.length > 0 || nodes.length === 0 ? left : [paragraph([])];
}

function cutFragment(fragment: Fragment, cutter: Cutter): Fragment {
  const nodes = cutBlocks(fragment.nodes, cutter);
  return { ...fragment, nodes: nodes.length > 0 || fragment.nodes.length === 0 ? nodes : [paragraph([])] };
}

function cutInlines(nodes: InlineNode[], cutter: Cutter): InlineNode[] {
  return nodes.flatMap((node): InlineNode[] => {
    if (!isText(node)) {
      if (node.type === "annotation" && cutter.notes === false) return cutInlines(inlinesOf(node), cutter);
      const hidden = cutter.hides();
      const cut = inside(node, cutter);
      return hidden ? [] : [cut];
    }
    const leaves = node.leaves.flatMap((leaf) => cutLeaf(leaf, cutter));
    return leaves.length > 0 ? [{ ...node, leaves }] : [];
  });
}

function cutLeaf(leaf: Leaf, cutter: Cutter): Leaf[] {
  const kept = isVerbatim(leaf);
  const code = !kept && leaf.marks.some(({ type }) => type === "code");
  if (code) return cutter.hides() ? [] : [leaf];
  const text = cutter.text(leaf.text, kept);
  if (text === leaf.text) return [leaf];
  return text === "" || (kept && text.trim() === "") ? [] : [{ ...leaf, text }];
}

/** The heads of columns stand in the data of a table. */
function tableData({ definition, ...data }: Data, cutter: Cutter): Data {
  const columns = Object.entries((definition ?? {}) as Record<string, Data>).map(
    ([id, { nodes, ...more }]) => {
      const column = words(more, cutter) as Data;
      if (!Array.isArray(nodes)) return [id, column];
      const left = cutInlines(nodes as InlineNode[], cutter);
      return [id, { ...column, title: plainText(left).trim(), nodes: left }];
    },
  );
  return { ...(words(data, cutter) as Data), definition: Object.fromEntries(columns) };
}

function words(value: unknown, cutter: Cutter, key = ""): unknown {
  if (typeof value === "string") return cutter.word(value, key);
  if (Array.isArray(value)) return value.map((one) => words(one, cutter, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, words(one, cutter, name)]));
}
