import { formatted, type Inputs, isDeterministic, isMet } from "../expression/evaluate.js";
import { joinLeaves } from "./marks.js";
import {
  type Block,
  type Data,
  type Fragment,
  type InlineNode,
  isBlock,
  isText,
  type JSONDocument,
  leaf,
  paragraph,
  textNode,
} from "./nodes.js";
import { withoutUnread } from "./unread.js";
import { visibleLine } from "./visible-source.js";

/** The work that all expressions of one document may do; those behind it count as failed. */
const STEPS = 1_000_000;
/** What all expressions of one document may say, in characters. */
const LONGEST = 2_000_000;

export interface Evaluation {
  inputs: Inputs;
  /** Leaves what a visitor decides as it is. */
  deterministicOnly?: boolean;
  /** The markdown that the document was read from. */
  source?: string;
}

interface Walk extends Required<Omit<Evaluation, "source">> {
  budget: { steps: number };
  /** The characters that expressions may still say. */
  left: number;
  changed: boolean;
}

/**
 * The document as its readers see it: expressions are the text they stand for, conditional blocks are what is in them,
 * or nothing. Those that were not parsed hide what is in them, unless what visitors decide is to stay. Expressions that
 * would be too large together stay as they are, or are empty when they read the visitor. `changed` says whether there
 * were any. Never throws; time and size are linear in the length.
 */
export function evaluateDocument(
  document: JSONDocument,
  { inputs, deterministicOnly = false, source }: Evaluation,
): { document: JSONDocument; changed: boolean } {
  const read = deterministicOnly ? document : withoutUnread(document, source);
  const walk: Walk = {
    inputs,
    deterministicOnly,
    budget: { steps: STEPS },
    left: LONGEST,
    changed: read !== document,
  };
  const nodes = blocksIn(read.nodes, walk);
  return walk.changed ? { document: { ...document, nodes }, changed: true } : { document, changed: false };
}

function blocksIn(blocks: Block[], walk: Walk): Block[] {
  return blocks.flatMap((block) => {
    if (block.type !== "if") return blockIn(block, walk);
    const condition = String(block.data?.expression ?? "");
    if (walk.deterministicOnly && !isDeterministic(condition)) return blockIn(block, walk);
    walk.changed = true;
    const met = isMet(condition, walk.inputs, walk.budget);
    return met ? blocksIn((block.nodes ?? []).filter(isBlock), walk) : [];
  });
}

function blockIn(block: Block, walk: Walk): Block {
  const { nodes, fragments, data } = block;
  if (!nodes && !fragments) return block;
  return {
    ...block,
    ...(data && block.type === "table" && { data: tableIn(data, walk) }),
    ...(nodes && { nodes: childrenIn(nodes, block.type, walk) }),
    ...(fragments && { fragments: fragments.map((fragment) => fragmentIn(fragment, walk)) }),
  };
}

/** What held blocks holds some afterwards: an empty paragraph when none is left. */
function childrenIn(nodes: (Block | InlineNode)[], parent: string, walk: Walk): (Block | InlineNode)[] {
  if (nodes.length === 0) return nodes;
  if (!nodes.every(isBlock)) return inlinesIn(nodes as InlineNode[], parent === "code-line", walk);
  const blocks = blocksIn(nodes, walk);
  return blocks.length > 0 || parent === "if" ? blocks : [paragraph([])];
}

/** The heads of columns stand in the data of a table. */
function tableIn(data: Data, walk: Walk): Data {
  const columns = Object.entries((data.definition ?? {}) as Record<string, Data>).map(([id, column]) => {
    if (!Array.isArray(column.nodes)) return [id, column];
    const nodes = inlinesIn(column.nodes as InlineNode[], true, walk);
    return [id, { ...column, title: visibleLine(nodes), nodes }];
  });
  return { ...data, definition: Object.fromEntries(columns) };
}

function fragmentIn(fragment: Fragment, walk: Walk): Fragment {
  const nodes = blocksIn(fragment.nodes, walk);
  const filled = nodes.length > 0 || fragment.nodes.length === 0;
  return { ...fragment, nodes: filled ? nodes : [paragraph([])] };
}

function inlinesIn(nodes: InlineNode[], oneLine: boolean, walk: Walk): InlineNode[] {
  const shown: InlineNode[] = [];
  for (const node of nodes) {
    const next = inlineIn(node, oneLine, walk);
    const last = shown.at(-1);
    if (!isText(next)) shown.push(next);
    else if (last && isText(last))
      shown[shown.length - 1] = textNode(joinLeaves([...last.leaves, ...next.leaves]));
    else if (next.leaves.length > 0) shown.push(next);
  }
  return shown;
}

function inlineIn(node: InlineNode, oneLine: boolean, walk: Walk): InlineNode {
  if (isText(node)) return node;
  if (node.type !== "expression") {
    const { nodes, fragments } = node;
    if (!nodes && !fragments) return node;
    return {
      ...node,
      ...(nodes && { nodes: inlinesIn(nodes, oneLine, walk) }),
      ...(fragments && { fragments: fragments.map((one) => fragmentIn(one, walk)) }),
    };
  }
  const expression = String(node.data?.expression ?? "");
  if (walk.deterministicOnly && !isDeterministic(expression)) return node;
  let text = formatted(expression, walk.inputs, walk.budget).replace(/\r\n?/g, "\n");
  if (text.length > walk.left) {
    // What it says to some visitors stands in it, and is not for the others.
    if (isDeterministic(expression)) return node;
    text = "";
  }
  walk.left -= text.length;
  walk.changed = true;
  return textNode(joinLeaves([leaf(oneLine ? text.replaceAll("\n", " ") : text)]));
}
