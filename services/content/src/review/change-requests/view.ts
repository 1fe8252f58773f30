import { personView } from "../../people/view.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";

export const view =
  ({ urls }: Pick<Ctx, "urls">) =>
  (row: Row) => ({
    object: "change-request" as const,
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    createdBy: personView(urls, { ...row, id: row.created_by }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    revisionInitial: row.revision_initial,
    revisionMergedAncestor: row.revision_merged_ancestor ?? undefined,
    revisionMerged: row.revision_merged ?? undefined,
    comments: row.comments,
    outdated:
      row.status !== "merged" &&
      row.space_revision !== (row.revision_merged_ancestor ?? row.revision_initial),
    space: row.space,
    urls: {
      app: urls.app`/s/${row.space}/change-requests/${row.number}`,
      location: urls.api`/spaces/${row.space}/change-requests/${row.id}`,
    },
  });
