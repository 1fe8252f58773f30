import { blockWithKey } from "@octavo/markdown/document/keys";
import { type Block, isBlock, plainText } from "@octavo/markdown/document/nodes";
import { refuseAt } from "@octavo/shared/errors";
import { bodyOf } from "../../store/bodies.js";
import { entryById } from "../../store/entries.js";
import type { ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Most characters of a block that are shown beside its comment. */
const PREVIEW = 200;

interface Target {
  page: string;
  node: string;
  tableCell?: { record: string; definition: string };
}

/** The first words of the block that a comment is about; 400 when the page has no such block or cell. */
export async function previewOf(
  ctx: Ctx,
  version: ReadPoint,
  { page, node, tableCell }: Target,
): Promise<string | null> {
  const block = await blockAt(ctx, version, page, node);
  if (!block) refuseAt("body.node", "is not the key of a block of this page");
  if (tableCell && !hasCell(block, tableCell)) refuseAt("body.tableCell", "is no cell of this block");
  const words = wordsOf(block).replace(/\s+/g, " ").trim();
  const shown = [...words.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join("");
  return shown === "" ? null : shown;
}

async function blockAt(ctx: Ctx, version: ReadPoint, page: string, key: string): Promise<Block | undefined> {
  const entry = await entryById(ctx, version, page);
  if (entry?.kind !== "page" || !entry.body || entry.props.type !== "document") return undefined;
  const markdown = await bodyOf(ctx, version.space, entry.body);
  return blockWithKey(await ctx.work.run("readDocument", { markdown }), key);
}

function hasCell({ data = {} }: Block, { record, definition }: NonNullable<Target["tableCell"]>): boolean {
  const has = (of: unknown, id: string) => typeof of === "object" && of !== null && Object.hasOwn(of, id);
  return has(data.records, record) && has(data.definition, definition);
}

/** The words of a block and of the blocks in it, each on a line of its own. */
function wordsOf({ nodes = [], fragments = [] }: Block): string {
  const inner = [...nodes.filter(isBlock), ...fragments.flatMap(({ nodes }) => nodes)];
  return [plainText(nodes.filter((node) => !isBlock(node))), ...inner.map(wordsOf)].join("\n");
}
