import { found, refuse } from "@octavo/shared/errors";
import { bodyOf } from "../../store/bodies.js";
import { type Entry, ofKind, type PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Draft } from "./draft.js";
import { draftPage, textOf, withText } from "./pages.js";

/** Keys that a refusal names; a request may hold a thousand wrong ones. */
const MOST_NAMED = 10;

/**
 * Puts blocks of a page back as an older state of it has them, and leaves all else: other blocks, properties and place.
 * `keys` are those of the blocks in the document of either state; 400 when neither has one of them.
 */
export async function revertBlocks(
  ctx: Ctx,
  draft: Draft,
  id: string,
  there: Entry | undefined,
  keys: string[],
): Promise<PageEntry> {
  const page = await draftPage(ctx, draft, id);
  const older = found(ofKind(there, "page"), `Page ${id}`);
  for (const { props } of [page, older]) {
    const { type } = props;
    if (type !== "document") refuse("BAD_REQUEST", `Page: ${id} is a ${type} and has no blocks`);
  }
  const now = await textOf(ctx, draft, page);
  const then = older.body ? await bodyOf(ctx, draft.version.space, older.body) : "";
  const reverted = await ctx.work.run("revertBlocks", { now, former: then, keys });
  if (!reverted)
    return refuse("BAD_REQUEST", `Page: the blocks of ${id} cannot be distinguished, send its text instead`);
  if (reverted.unknown) {
    const listed = reverted.unknown.slice(0, MOST_NAMED).join(", ");
    return refuse("BAD_REQUEST", `Page: no block at the top of ${id} has the key ${listed}`);
  }
  if (reverted.markdown === now) return page;
  const source = await ctx.work.run("readSource", reverted.markdown);
  const written = await withText(ctx, draft, page, { text: reverted.markdown, source });
  const [before, after] = [(await ctx.work.run("readSource", now)).title, source.title];
  const entry = { ...written, title: before === after ? page.title : (after ?? page.title) };
  draft.put.set(id, { ...entry, updated_at: ctx.clock().toISOString() });
  return entry;
}
