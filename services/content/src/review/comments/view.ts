import type { CommentedPage } from "../../db/tables/comments.js";
import { personView } from "../../people/view.js";
import { permits } from "../../permissions.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import type { ShownBody } from "./body.js";
import type { Row } from "./queries.js";
import type { Comment, Reaction, Reply } from "./schema.js";

/** What the comments of one response are shown with. */
export interface Showing {
  scope: ResolvedTarget;
  bodies: Map<string, ShownBody>;
  reactions: Map<string, Reaction[]>;
  /** The pages that comments are about, as far as they are still there. */
  pages: Map<string, CommentedPage>;
}

/** What a caller may do with a comment: talk along from `comment` on; edit what is theirs, and delete also others' from `create` on. */
export function permissionsOn(
  { caller }: Pick<Ctx, "caller">,
  { level }: Pick<ResolvedTarget, "level">,
  author: string,
) {
  const own = permits(level, "comment.edit") && caller.kind === "user" && caller.id === author;
  return {
    view: permits(level, "comment.view"),
    edit: own,
    reply: permits(level, "comment.reply"),
    delete: own || permits(level, "comment.delete"),
  };
}

/** The address of the comments that a scope has, as its path. */
const locationOf = ({ urls }: Ctx, { space, changeRequest }: ResolvedTarget) =>
  changeRequest
    ? urls.api`/spaces/${space}/change-requests/${changeRequest.id}/comments`
    : urls.api`/spaces/${space}/comments`;

function common(ctx: Ctx, row: Row, { scope, bodies, reactions }: Omit<Showing, "pages">) {
  return {
    id: row.id,
    postedBy: personView(ctx.urls, { ...row, id: row.posted_by }),
    postedAt: row.posted_at,
    editedAt: row.edited_at ?? undefined,
    reactions: reactions.get(row.id) ?? [],
    body: bodies.get(row.id)!,
    permissions: permissionsOn(ctx, scope, row.posted_by),
  };
}

/** A comment. */
export function commentView(ctx: Ctx, row: Row, showing: Showing): Comment {
  const { scope, pages } = showing;
  const page = row.page === null ? undefined : pages.get(row.page);
  const shown = page ?? row.page_shown ?? undefined;
  return {
    object: "comment",
    ...common(ctx, row, showing),
    replies: row.replies,
    target: {
      node: row.node === null ? undefined : { id: row.node, preview: row.node_preview ?? undefined },
      tableCell: row.table_cell ?? undefined,
      changeRequest: scope.changeRequest?.id,
      review: row.review ?? undefined,
      page: shown && { ...shown, outdated: page === undefined },
      space: row.space,
      revision: row.revision,
    },
    urls: { location: `${locationOf(ctx, scope)}/${row.id}` },
    ...statusOf(ctx, row),
  };
}

function statusOf({ urls }: Ctx, row: Row) {
  if (row.resolved_at === null) return { status: "open" as const };
  const resolver = {
    id: row.resolved_by!,
    display_name: row.resolver_name,
    email: row.resolver_email,
    photo_url: row.resolver_photo,
  };
  return {
    status: "resolved" as const,
    resolvedAt: row.resolved_at,
    resolvedBy: personView(urls, resolver),
  };
}

/** A reply to a comment. */
export function replyView(ctx: Ctx, row: Row, showing: Omit<Showing, "pages">): Reply {
  return {
    object: "comment-reply",
    ...common(ctx, row, showing),
    urls: { location: `${locationOf(ctx, showing.scope)}/${row.parent}/replies/${row.id}` },
  };
}
