import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { accessFilter } from "../../../access/filter.js";
import { levelOn, memberOf } from "../../../access/level.js";
import { allowIn } from "../../../permissions.js";
import type { Call, Ctx } from "../../../trpc.js";
import * as queries from "../queries.js";
import type { ListOfMember } from "../schema.js";
import { view } from "../view.js";

/**
 * Lists the spaces that a member may read, with what they may do there, to administrators and to the member; 403 to
 * other members, 404 to strangers or when there is no such member.
 */
export async function listOfMember({ ctx, input }: Call<typeof ListOfMember>) {
  const { organizationId: organization, userId: user, order } = input;
  const own = ctx.caller.kind === "user" && ctx.caller.id === user;
  allowIn(ctx, organization, own ? "organization.view" : "organization.admin");
  const asMember = own ? ctx : await ctxOf(ctx, organization, user);
  const filter = await accessFilter(asMember, organization);
  return paginate({
    query: queries.inOrganization(asMember, organization, filter.spaces),
    by: [{ column: "created_at", direction: order }],
    input,
    view: async (rows) =>
      (await filter.attachAccess(rows)).flatMap((row) => {
        const permission = levelOn(asMember.caller, row);
        return permission ? [{ permission, space: view(ctx)(row) }] : [];
      }),
  });
}

async function ctxOf(ctx: Ctx, organization: string, user: string): Promise<Ctx> {
  const [member] = await ctx.orgs.memberships(ctx, organization, { users: [user] });
  return { ...ctx, caller: memberOf(organization, found(member, "Member")) };
}
