import { personView } from "../../people/view.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";

export const view =
  ({ urls }: Pick<Ctx, "urls">) =>
  (row: Row) => ({
    user: personView(urls, { ...row, id: row.person }),
    count: row.count,
    updatedAt: row.updated_at,
    actionType: row.action,
  });
