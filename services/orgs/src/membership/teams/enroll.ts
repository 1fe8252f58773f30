import { refuseAll } from "@octavo/shared/errors";
import { filterMembers } from "../../access/members.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { TeamRole } from "./schema.js";

/**
 * Puts people into a team with a role, without one as members; who is in it already then keeps theirs. 400 at
 * `path` for whoever is not in the organization.
 */
export async function enroll(
  ctx: Ctx,
  team: Pick<queries.Row, "id" | "organization">,
  people: string[],
  { role, path }: { role?: TeamRole; path: (index: number) => string },
): Promise<void> {
  if (people.length === 0) return;
  const known = await filterMembers(ctx, team.organization, people);
  const message = "is not a member of the organization";
  const issues = people.flatMap((person, index) =>
    known.has(person) ? [] : [{ path: path(index), message }],
  );
  refuseAll(issues);
  await queries.enroll(ctx, team, people, role);
}
