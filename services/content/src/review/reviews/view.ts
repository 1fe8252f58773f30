import { personView } from "../../people/view.js";
import type { Ctx } from "../../trpc.js";
import type { Comment } from "../comments/schema.js";
import type { Row } from "./queries.js";

/** A review with the comment that it came with, as far as that is still there. */
export function view({ urls }: Pick<Ctx, "urls">, row: Row, comment: Comment | undefined) {
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
    comment,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
