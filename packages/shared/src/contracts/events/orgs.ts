import { z } from "zod";
import { defineEvent } from "./define.js";

// The aggregate is the organization unless stated otherwise.

const id = z.string();
const organization = z.object({ organization: id });
const member = organization.extend({ user: id });
/** The role in the organization; null for a guest. */
const withRole = member.extend({ role: z.string().nullable() });

export const OrganizationCreated = defineEvent("orgs.organization.created", organization);
export const OrganizationUpdated = defineEvent("orgs.organization.updated", organization);
export const MemberAdded = defineEvent("orgs.member.added", withRole);
export const MemberChanged = defineEvent("orgs.member.changed", withRole);
/** `joinedAt` says which membership ended, of somebody who may have come back since. */
export const MemberRemoved = defineEvent(
  "orgs.member.removed",
  member.extend({ joinedAt: z.string().optional() }),
);
/** A team was created, changed its name, its members or their roles, or was deleted. */
export const TeamChanged = defineEvent(
  "orgs.team.changed",
  organization.extend({ team: id, deleted: z.boolean().optional() }),
);
/**
 * Somebody used an invite to a space or collection, as a member or as the guest that they have just become, and is to
 * be granted the level there; `level` null grants nothing. `joinedAt` says to which membership.
 */
export const InviteAccepted = defineEvent(
  "orgs.invite.accepted",
  member.extend({
    joinedAt: z.string().optional(),
    target: z.object({ type: z.enum(["space", "collection"]), id }),
    level: z.string().nullable(),
  }),
);
/** Aggregate: the user. `token` is the id of the token, never the token. */
export const TokenRevoked = defineEvent("orgs.token.revoked", z.object({ token: id, user: id }));
/** Aggregate: the user. The name, the e-mail address or the photo changed; all three as they are now. */
export const UserUpdated = defineEvent(
  "orgs.user.updated",
  z.object({
    user: id,
    displayName: z.string().optional(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
  }),
);
