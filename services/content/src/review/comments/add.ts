import { userOf } from "@octavo/shared/access";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { auditComment } from "../../audit.js";
import { keepPerson } from "../../people/queries.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import { contribute } from "../contributors/contribute.js";
import { commentTarget } from "./change.js";
import { previewOf } from "./node.js";
import { commentedPages } from "./present.js";
import * as queries from "./queries.js";

/** A comment that is to be. */
export interface Draft {
  /** Source markdown. */
  body: string;
  page?: string;
  node?: string;
  tableCell?: { record: string; definition: string };
  /** The review that it belongs to. */
  review?: string;
}

/**
 * Adds a comment of the caller to what a scope names, inside the transaction of whoever decided that they may; its row is
 * returned when that has ended. A page that is not there is 404, a block or a cell that the page does not have 400.
 */
export async function addComment(
  ctx: Ctx,
  scope: ResolvedTarget,
  draft: Draft,
): Promise<() => Promise<queries.Row>> {
  const { space, organization, version } = scope;
  const { body, page, node, tableCell, review } = draft;
  const pages = await commentedPages(ctx, version, page === undefined ? [] : [page]);
  const shown = page === undefined ? undefined : found(pages.get(page), "Page");
  const target = page !== undefined && node !== undefined ? { page, node, tableCell } : undefined;
  const preview = target && (await previewOf(ctx, version, target));
  const id = newId();
  await queries.countOpen(ctx, { space, branch: version.branch }, 1);
  await credit(ctx, scope);
  const read = await queries.insert(ctx, {
    id,
    space,
    body,
    page,
    node,
    review,
    branch: version.branch,
    revision: version.revision,
    node_preview: preview,
    page_shown: shown && JSON.stringify(shown),
    table_cell: tableCell && JSON.stringify(tableCell),
    posted_by: userOf(ctx).id,
    posted_at: ctx.clock(),
  });
  const details = { ...commentTarget(scope), ...(page && { page }), ...(review && { review }) };
  await auditComment(ctx, "comment.create", { id, organization }, details);
  return read;
}

/** Remembers the caller as who wrote something, on a change request also as one of its contributors. */
export const credit = (ctx: Ctx, { changeRequest }: ResolvedTarget): Promise<void> =>
  changeRequest ? contribute(ctx, changeRequest.id, "comment") : keepPerson(ctx);
