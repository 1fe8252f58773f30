import { id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { type Team, team } from "@octavo/shared/contracts/schemas/team";
import { z } from "zod";

export { type Team, team };

const title = text(64, 1);
const key = { organizationId: id, teamId: id };

export const List = z.object({
  organizationId: id,
  ...paging,
  /** Only teams that this user owns. */
  owner: id.optional(),
  /** A part of the title, in any case. */
  title: text(64).optional(),
});
export const ListOfMember = z.object({
  organizationId: id,
  userId: id,
  ...paging,
  title: text(64).optional(),
});
export const Create = z.object({ organizationId: id, title, members: z.array(id).max(1000).default([]) });
export const Get = z.object(key);
export const Update = z.object({ ...key, title });
export const Lookup = z.object({ ids: z.array(id).max(1000) });

export const TeamRole = z.enum(["owner", "member"]);
export type TeamRole = z.output<typeof TeamRole>;
/** The place of a person in a team; an owner manages its members. */
export const TeamMember = z.object({ role: TeamRole }).meta({ id: "TeamMember" });
export const Teams = listOf(team);
export const MemberTeams = listOf(
  z.object({ team, member: TeamMember }).meta({ id: "OrganizationMemberTeam" }),
);
