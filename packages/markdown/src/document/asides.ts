import { isAside } from "../parser/aside-lines.js";
import { type Block, block, blocksOf, type Fragment, linesText } from "./nodes.js";

// Comments and conditions between the members of a group, which holds nothing but members: they are kept as source in
// fragments of the member that they stand next to.

/** The block of a member by that of its group. */
export const MEMBER_OF: Record<string, string> = {
  tabs: "tabs-item",
  stepper: "stepper-step",
  columns: "column",
  updates: "update",
};

const isAsideBlock = (node: Block): boolean => node.data?.verbatim === true && isAside(linesText(node));

/** The members of a group with what is kept between them; unchanged when it has none, or holds something else, too. */
export function withAsides(nodes: Block[], member: string): Block[] {
  const asides = new Set(nodes.filter((node) => node.type !== member && isAsideBlock(node)));
  const members = nodes.filter((node) => !asides.has(node));
  if (asides.size === 0 || members.length === 0 || members.some(({ type }) => type !== member)) return nodes;
  const first = nodes.indexOf(members[0]!);
  const after = new Map(members.map((node): [Block, Block[]] => [node, []]));
  let last = members[0]!;
  for (const node of nodes.slice(first)) {
    if (asides.has(node)) after.get(last)!.push(node);
    else last = node;
  }
  return members.map((node) => {
    const before = node === members[0] ? nodes.slice(0, first) : [];
    const fragments = [...fragmentOf("before", before), ...fragmentOf("after", after.get(node)!)];
    return fragments.length > 0 ? { ...node, fragments } : node;
  });
}

const fragmentOf = (fragment: string, nodes: Block[]): Fragment[] =>
  nodes.length > 0 ? [{ object: "fragment", fragment, nodes }] : [];

/** What a group is written as: members, which other blocks become, and what is kept between them. */
export function membersWithAsides(group: Block, member: string): Block[] {
  return blocksOf(group).flatMap((node) => {
    if (node.type !== member) return [block(member, {}, [node])];
    const asides = (name: string) =>
      (node.fragments ?? [])
        .filter(({ fragment }) => fragment === name)
        .flatMap(({ nodes }) => nodes.filter(isAsideBlock));
    return [...asides("before"), node, ...asides("after")];
  });
}
