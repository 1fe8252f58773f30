import { roleIn } from "@octavo/shared/contracts/callers";
import { permits } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { Team } from "./schema.js";

/** A team; `sizes` counts the people of each. */
export const view =
  ({ caller }: Ctx, sizes: Map<string, number>) =>
  (row: Row): Team => {
    const level = roleIn(caller, row.organization);
    return {
      object: "team",
      id: row.id,
      title: row.title,
      members: sizes.get(row.id) ?? 0,
      spaces: row.spaces,
      createdAt: row.created_at,
      permissions: {
        admin: row.own_role === "owner" || permits(level, "team.admin"),
        view: row.own_role !== null || permits(level, "team.view"),
      },
    };
  };
