import { allowIn } from "../../../permissions.js";
import { resolveTarget } from "../../../revisions/target.js";
import type { Call } from "../../../trpc.js";
import * as queries from "../queries.js";
import type { ListCommenters } from "../schema.js";

/**
 * Lists the members of the organization who commented or replied; 403 to guests, who do not see other members, 404
 * to strangers.
 */
export async function listCommenters({ ctx, input }: Call<typeof ListCommenters>) {
  const { organization, version } = await resolveTarget(ctx, input);
  allowIn(ctx, organization, "organization.listMembers", "Members");
  const people = await queries.commenters(ctx, version.branch);
  return ctx.orgs.profiles(ctx, organization, people, { page: input.page, limit: input.limit });
}
