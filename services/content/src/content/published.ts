import {
  type Block,
  blocksOf,
  type InlineNode,
  isText,
  isVerbatim,
  type JSONDocument,
} from "@octavo/markdown/document/nodes";
import { atLeast } from "@octavo/shared/access";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { markdownOf } from "./document.js";
import { evaluatedBody, evaluatedDocument, type Source } from "./evaluated.js";
import type { Scope } from "./scope.js";
import type { PageBody, PageProps } from "./view.js";

// What somebody sees of a public space who may not read it: what every visitor of its site does. That leaves out what
// is for some visitors only, and what is written for those who work on the text.

/** Whether the caller views the content only because it is public. */
export const isVisitor = ({ level }: Scope): boolean => !atLeast(level, "read");

/** Whether a page is shown: one with a condition is for visitors who make claims. */
export const isShown =
  (scope: Scope) =>
  ({ props }: Entry): boolean =>
    !isVisitor(scope) || !(props as unknown as PageProps).condition;

/** The text of a page for the caller, in the format that was asked for. */
export async function bodyFor(
  ctx: Ctx,
  scope: Scope,
  { format, title, ...source }: Source & { format: "document" | "markdown"; title: string },
): Promise<PageBody> {
  if (!isVisitor(scope)) return evaluatedBody(ctx, format, source);
  if (format === "document") return { document: await documentFor(ctx, scope, source) };
  return {
    markdown: markdownOf({ document: await documentFor(ctx, scope, { ...source, of: undefined }) }, title),
  };
}

/** A rich document for the caller. */
export async function documentFor(ctx: Ctx, scope: Scope, source: Source): Promise<JSONDocument> {
  if (!isVisitor(scope)) return evaluatedDocument(ctx, source);
  const document = await evaluatedDocument(ctx, { ...source, evaluated: "true" });
  return { ...document, nodes: withoutComments(document.nodes) };
}

/** Comments stand in what is kept verbatim, for want of a block of their own. */
function withoutComments<Node extends Block | InlineNode>(nodes: Node[]): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (isText(node)) {
      const leaves = node.leaves.filter((leaf) => !isVerbatim(leaf) || !leaf.text.includes("<!--"));
      return [{ ...node, leaves }];
    }
    if (node.data?.verbatim === true && JSON.stringify(node.nodes).includes("<!--")) return [];
    const { nodes: inside, fragments } = node;
    return [
      {
        ...node,
        ...(inside && { nodes: withoutComments(inside as (Block | InlineNode)[]) }),
        ...(fragments && {
          fragments: fragments.map((one) => ({ ...one, nodes: withoutComments(blocksOf(one)) })),
        }),
      },
    ];
  });
}
