import type { CommentedPage } from "../../db/tables/comments.js";
import { iso } from "../../pages/view.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import { type AncestorEntry, pathOf, pathsOf } from "../../store/entries.js";
import type { ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { bodiesShown } from "./body.js";
import type { Row } from "./queries.js";
import { reactionsTo } from "./reactions.js";
import type { Comment, Format, Reply } from "./schema.js";
import { commentView, replyView } from "./view.js";

/** Comments of one scope as they are shown, with two queries for however many of them; new ones have no reactions. */
export async function presentComments(
  ctx: Ctx,
  scope: ResolvedTarget,
  rows: Row[],
  format: Format,
  { areNew = false } = {},
): Promise<Comment[]> {
  // One after the other: in a transaction there is one connection for both.
  const reactions = await reactionsTo(ctx, areNew ? [] : idsOf(rows));
  const commented = [...new Set(rows.flatMap(({ page }) => page ?? []))];
  const pages = await commentedPages(ctx, scope.version, commented);
  const bodies = await bodiesShown(ctx, rows, format);
  return rows.map((row) => commentView(ctx, row, { scope, bodies, reactions, pages }));
}

/** Replies as they are shown; new ones have no reactions. */
export async function presentReplies(
  ctx: Ctx,
  scope: ResolvedTarget,
  rows: Row[],
  format: Format,
  { areNew = false } = {},
): Promise<Reply[]> {
  const reactions = await reactionsTo(ctx, areNew ? [] : idsOf(rows));
  const bodies = await bodiesShown(ctx, rows, format);
  return rows.map((row) => replyView(ctx, row, { scope, bodies, reactions }));
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

/** The pages with these ids, those of them that a version holds. */
export async function commentedPages(
  ctx: Ctx,
  version: ReadPoint,
  ids: string[],
): Promise<Map<string, CommentedPage>> {
  const lines = await pathsOf(ctx, version, ids);
  return new Map([...lines].map(([id, line]) => [id, pageOf(line)]));
}

function pageOf(line: AncestorEntry[]): CommentedPage {
  const { id, title, props, created_at, updated_at } = line[0]!;
  const { emoji, icon } = props;
  return {
    id,
    title,
    emoji,
    icon,
    createdAt: iso(created_at),
    updatedAt: updated_at ? iso(updated_at) : undefined,
    path: pathOf(line),
  };
}
