import { view as userView } from "../../accounts/users/view.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { Member } from "./schema.js";

/** A member; `teams` counts each person's. */
export const view = (ctx: Ctx, teams: Map<string, number>) => {
  const user = userView(ctx);
  return (row: Row): Member => ({
    object: "member",
    id: row.person,
    role: row.role,
    user: user({ ...row, id: row.person }),
    disabled: row.disabled,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at ?? undefined,
    sso: row.sso,
    spaces: row.spaces,
    teams: teams.get(row.person) ?? 0,
  });
};
