import { id, listOf, paging, role, roleOrGuest, user } from "@octavo/shared/contracts/fields";
import { team } from "@octavo/shared/contracts/schemas/team";
import { z } from "zod";

const some = z.array(id).min(1).max(1000).optional();

// Each is extended by the id of what it is about: `spaceId` or `collectionId`.
export const Invite = z.object({ users: some, teams: some, role: roleOrGuest });
export const List = z.object(paging);
export const Aggregate = z.object({ ...paging, role: role.optional() });
export const OfUser = z.object({ userId: id });
export const OfTeam = z.object({ teamId: id });
const change = { role: roleOrGuest.optional() };
export const UpdateUser = OfUser.extend(change);
export const UpdateTeam = OfTeam.extend(change);

const UserPermission = z.object({ permission: role, user }).meta({ id: "UserContentPermission" });
export const UserPermissions = listOf(UserPermission);
export const TeamPermissions = listOf(
  z.object({ permission: role, team }).meta({ id: "TeamContentPermission" }),
);
