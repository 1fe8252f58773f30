import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../../access/identity.js";
import { view as viewUser } from "../../accounts/users/view.js";
import { isKnown } from "../../organization/visitor-auth/known.js";
import type { Call } from "../../trpc.js";
import * as members from "../members/queries.js";
import type { Aggregate } from "./schema.js";

// Nothing is granted on a site: what somebody may do with it follows from their role in its organization. Guests have
// none, and may do nothing with sites.

/**
 * Lists everybody with a role on a site, who joined its organization first first; 404 for strangers and for a site that
 * the organization does not have, 403 for guests.
 */
export async function aggregate({ ctx, input }: Call<typeof Aggregate>) {
  const { organizationId: organization, siteId } = input;
  await requireRole(ctx, organization, "organization.listMembers");
  found((await isKnown(ctx, organization, siteId)) || undefined, "Site");
  const user = viewUser(ctx);
  return paginate({
    query: members.withRole(ctx, organization),
    by: [{ column: "member.joined_at" }],
    key: "member.person",
    input,
    view: (rows) =>
      rows.map((row) => ({
        permission: row.role!,
        user: user({ ...row, id: row.person }),
        origin: { type: "organization" as const, organization },
      })),
  });
}
