import { type Block, blocksOf } from "@octavo/markdown/document/nodes";

/** Blocks that inclusions may add to a page. */
const MOST_INCLUDED = 20_000;

/** What is included in a page: nothing in itself, and no more than the page's share. */
interface Inclusions {
  /** Draws included blocks; undefined when they are being drawn already, or the share is used up. */
  draw<Drawn>(of: object, nodes: Block[], draw: () => Drawn): Drawn | undefined;
}

/** Creates the account of what one page includes. */
export function createInclusions(): Inclusions {
  let included = 0;
  const open = new Set<object>();
  return {
    draw(of, nodes, draw) {
      if (open.has(of) || included > MOST_INCLUDED) return undefined;
      included += sizeOf(nodes);
      if (included > MOST_INCLUDED) return undefined;
      open.add(of);
      const drawn = draw();
      open.delete(of);
      return drawn;
    },
  };
}

/** How many blocks there are, at any depth. */
function sizeOf(nodes: Block[]): number {
  let size = 0;
  const open = [...nodes];
  for (let next = open.pop(); next; next = open.pop()) {
    size += 1;
    for (const inner of blocksOf(next)) open.push(inner);
    for (const { nodes: inner } of next.fragments ?? []) for (const one of inner) open.push(one);
  }
  return size;
}
