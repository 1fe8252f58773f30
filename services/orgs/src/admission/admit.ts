import { MemberAdded } from "@octavo/shared/contracts/events/orgs";
import type { Role } from "@octavo/shared/contracts/roles";
import { emit } from "@octavo/shared/events/outbox";
import { forgetIdentity } from "../access/identity.js";
import { auditMember } from "../audit/audit.js";
import type { Ctx } from "../trpc.js";
import { endFor } from "./end-invites.js";
import { insertMember } from "./queries.js";

/** Makes a person a member, inside the transaction of whoever decided it. */
export async function admit(ctx: Ctx, member: Admission): Promise<void> {
  const { organization, person, role } = member;
  await insertMember(ctx, { organization, person, role, sso: member.sso });
  await endFor(ctx, organization, person, member.accepted);
  await emit(ctx, MemberAdded, organization, { organization, user: person, role });
  await auditMember(ctx, "member.add", { id: person, organization }, { role });
  forgetIdentity(ctx, person);
}

interface Admission {
  organization: string;
  person: string;
  role: Role | null;
  /** Whether they sign in through the organization's identity provider. */
  sso?: boolean;
  /** The invite by which they come; whoever accepts it ends it. */
  accepted?: string;
}
