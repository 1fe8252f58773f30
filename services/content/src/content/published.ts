import {
  type Block,
  blocksOf,
  type Data,
  type Inline,
  type InlineNode,
  isBlock,
  isText,
  isVerbatim,
  type JSONDocument,
  plainText,
} from "@octavo/markdown/document/nodes";
import { parseBlocks } from "@octavo/markdown/document/parse";
import type { Resolve } from "@octavo/markdown/document/refs";
import { atLeast } from "@octavo/shared/access";
import { resolveIn } from "../links/refs.js";
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
  const { version, of, markdown } = source;
  if (!hasComment(markdown)) return document;
  const resolve = of === undefined ? undefined : await resolveIn(ctx, version, of, markdown);
  return { ...document, nodes: withoutComments(document.nodes, resolve) };
}

/** Up to its end, or to that of the text. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const strip = (text: string) => text.replace(COMMENT, "");
const hasComment = (text: string) => text.includes("<!--");

/** Comments stand in what is kept verbatim, for want of a block of their own. What they stood in is read without them. */
function withoutComments(nodes: Block[], resolve?: Resolve): Block[] {
  return nodes.flatMap((node): Block[] => {
    if (node.data?.verbatim === true) {
      const source = (node.nodes ?? []).map((line) => plainText([line])).join("\n");
      if (!hasComment(source)) return [node];
      const text = strip(source);
      // What would have to be evaluated is for some visitors only.
      return /\{%|expression/.test(text) ? [] : parseBlocks(text, resolve);
    }
    return [inside(node, resolve)];
  });
}

/** A block or inline with what it holds; what stands beside its nodes is cleaned, too. */
function inside<Node extends Block | Inline>(node: Node, resolve?: Resolve): Node {
  const { nodes, fragments, data } = node;
  const clean = (of: (Block | InlineNode)[]) =>
    of.every(isBlock) ? withoutComments(of, resolve) : inlines(of as InlineNode[], resolve);
  return {
    ...node,
    ...(data && { data: node.type === "table" ? tableData(data, resolve) : words(data) }),
    ...(nodes && { nodes: clean(nodes) }),
    ...(fragments && {
      fragments: fragments.map((one) => ({ ...one, nodes: withoutComments(blocksOf(one), resolve) })),
    }),
  };
}

function inlines(nodes: InlineNode[], resolve?: Resolve): InlineNode[] {
  return nodes.map((node) => {
    if (!isText(node)) return inside(node, resolve);
    const leaves = node.leaves.flatMap((leaf) => {
      if (!isVerbatim(leaf) || !hasComment(leaf.text)) return [leaf];
      const text = strip(leaf.text);
      return text.trim() === "" ? [] : [{ ...leaf, text }];
    });
    return { ...node, leaves };
  });
}

/** The words of images, which have no marks. */
function words(data: Data): Data {
  const given = Object.entries(data).filter(([key]) => key === "alt" || key === "caption");
  return {
    ...data,
    ...Object.fromEntries(
      given.map(([key, value]) => [key, typeof value === "string" ? strip(value) : value]),
    ),
  };
}

/** The heads of columns stand in the data of a table. */
function tableData(data: Data, resolve?: Resolve): Data {
  const columns = Object.entries(data.definition as Record<string, Data>).map(([id, column]) => {
    if (!Array.isArray(column.nodes)) return [id, column];
    const nodes = inlines(column.nodes as InlineNode[], resolve);
    return [id, { ...column, title: plainText(nodes).trim(), nodes }];
  });
  return { ...data, definition: Object.fromEntries(columns) };
}
