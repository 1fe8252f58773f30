import { personView } from "../../people/view.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "../reviews/requested.js";

export const view =
  ({ urls }: Pick<Ctx, "urls">) =>
  (row: Row) => {
    const asking = { display_name: row.by_name, email: row.by_email, photo_url: row.by_photo };
    const base = {
      object: "change-request-requested-reviewer" as const,
      revision: row.revision,
      requestedBy: personView(urls, { ...asking, id: row.requested_by }),
      createdAt: row.created_at,
    };
    if (row.subject_kind === "team") {
      return { ...base, kind: "team" as const, team: { object: "team" as const, id: row.subject } };
    }
    return { ...base, kind: "user" as const, user: personView(urls, { ...row, id: row.subject }) };
  };
