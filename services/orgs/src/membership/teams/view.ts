import { roleIn } from "@octavo/shared/contracts/callers";
import { atLeast } from "@octavo/shared/contracts/roles";
import { ORGANIZATION_PERMISSIONS } from "../../access/permissions.js";
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
        admin: row.own_role === "owner" || atLeast(level, ORGANIZATION_PERMISSIONS.admin),
        view: row.own_role !== null || atLeast(level, ORGANIZATION_PERMISSIONS.listTeams),
      },
    };
  };
