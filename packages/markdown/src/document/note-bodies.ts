import type { Token } from "markdown-it";
import { type Budget, NODE_WEIGHT } from "../parser/bounds.js";
import { type Block, type Fragment, type InlineNode, paragraph } from "./nodes.js";
import type { Note } from "./notes.js";

/** The bodies of footnotes. Each is read once; a note that is used again has a copy, for as long as the budget lasts. */
export class NoteBodies {
  readonly #budget: Budget;
  readonly #read: (tokens: Token[]) => Block[];
  readonly #known = new Map<Note, { body: Fragment; weight: number }>();
  /** The notes whose bodies were asked for, in that order: what turns out not to be read gives its own back. */
  readonly given: Note[] = [];

  constructor(budget: Budget, read: (tokens: Token[]) => Block[]) {
    this.#budget = budget;
    this.#read = read;
  }

  /** The body of a note; undefined when it was used so often that one more would be too much. */
  of(note: Note): Fragment | undefined {
    const known = this.#known.get(note);
    if (!known) {
      const nodes = this.#read(note.body);
      const body: Fragment = {
        object: "fragment",
        type: "annotation-body",
        nodes: nodes.length > 0 ? nodes : [paragraph([])],
      };
      this.#known.set(note, { body, weight: weightOf(body) });
      this.given.push(note);
      return body;
    }
    if (this.#budget.repeated < known.weight) return undefined;
    this.#budget.repeated -= known.weight;
    this.given.push(note);
    return copyOf(known.body);
  }
}

/** How much a node says: its characters, and something for itself and all that is in it. */
function weightOf(node: unknown): number {
  const open = [node];
  let weight = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") weight += one.length;
    if (typeof one !== "object" || one === null) continue;
    weight += NODE_WEIGHT;
    for (const inner of Object.values(one)) open.push(inner);
  }
  return weight;
}

/** Keys and anchors are put on the blocks of each copy; what their data says is the same. */
function copyOf<Node extends Block | InlineNode | Fragment>(node: Node): Node {
  if (node.object === "text") return { ...node };
  const { nodes, fragments } = node as Block;
  return {
    ...node,
    ...(nodes && { nodes: nodes.map((one) => copyOf(one)) }),
    ...(fragments && { fragments: fragments.map((one) => copyOf(one)) }),
  };
}
