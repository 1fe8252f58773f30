import { formatted, type Inputs, isDeterministic, isMet } from "../expression/evaluate.js";
import { joinLeaves } from "./marks.js";
import {
  type Block,
  type Fragment,
  type InlineNode,
  isBlock,
  isText,
  type JSONDocument,
  leaf,
  paragraph,
  textNode,
} from "./nodes.js";

/** The work that all expressions of one document may do; those behind it count as failed. */
const STEPS = 1_000_000;

export interface Evaluation {
  inputs: Inputs;
  /** Leaves what a visitor decides as it is. */
  deterministicOnly?: boolean;
}

interface Walk extends Required<Evaluation> {
  budget: { steps: number };
  changed: boolean;
}

/**
 * The document as its readers see it: expressions are the text they stand for, conditional blocks are what is in them,
 * or nothing. `changed` tells whether there were any. Never throws; the time is linear in the length.
 */
export function evaluateDocument(
  document: JSONDocument,
  { inputs, deterministicOnly = false }: Evaluation,
): { document: JSONDocument; changed: boolean } {
  const walk: Walk = { inputs, deterministicOnly, budget: { steps: STEPS }, changed: false };
  const nodes = blocksIn(document.nodes, walk);
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
  const { nodes, fragments } = block;
  if (!nodes && !fragments) return block;
  return {
    ...block,
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
    const { fragments } = node;
    return fragments ? { ...node, fragments: fragments.map((one) => fragmentIn(one, walk)) } : node;
  }
  const expression = String(node.data?.expression ?? "");
  if (walk.deterministicOnly && !isDeterministic(expression)) return node;
  walk.changed = true;
  const text = formatted(expression, walk.inputs, walk.budget).replace(/\r\n?/g, "\n");
  return textNode(joinLeaves([leaf(oneLine ? text.replaceAll("\n", " ") : text)]));
}
