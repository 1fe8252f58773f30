import { atLeast, type Level } from "@octavo/shared/access";
import { documentOf } from "../content/document.js";
import { personView } from "../people/view.js";
import { NEEDS } from "../spaces/permissions.js";
import type { Ctx } from "../trpc.js";
import type { Row } from "./queries.js";

/** Where a review was given, how its text is wanted, and what the caller may do there. */
interface Setting {
  space: string;
  level: Level;
  format: "document" | "markdown";
}

export const view = (ctx: Ctx, setting: Setting) => (row: Row) => {
  const { urls } = ctx;
  const asking = { display_name: row.by_name, email: row.by_email, photo_url: row.by_photo };
  return {
    object: "change-request-review" as const,
    id: row.id,
    revision: row.revision,
    reviewer: personView(urls, { ...row, id: row.reviewer }),
    requestedBy:
      row.requested_by === null ? undefined : personView(urls, { ...asking, id: row.requested_by }),
    status: row.status,
    outdated: row.outdated,
    comment: row.comment === null ? undefined : commentView(ctx, setting, row, row.comment),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
};

function commentView({ urls }: Ctx, { space, level, format }: Setting, row: Row, markdown: string) {
  const id = row.comment_id ?? row.id;
  return {
    object: "comment" as const,
    id,
    postedBy: personView(urls, { ...row, id: row.reviewer }),
    postedAt: row.created_at,
    status: "open" as const,
    reactions: [],
    replies: 0,
    body: format === "document" ? { document: documentOf(markdown) } : { markdown },
    target: { space, changeRequest: row.change_request, review: row.id, revision: row.revision },
    urls: { location: urls.api`/spaces/${space}/change-requests/${row.change_request}/comments/${id}` },
    permissions: { view: true, edit: false, reply: atLeast(level, NEEDS.comment), delete: false },
  };
}
