// A grant gives a user or a team a role on one space or collection, before all that it would inherit.

import type { Role } from "@octavo/shared/contracts/roles";
import { found } from "@octavo/shared/errors";
import type { Ctx } from "../../trpc.js";
import { changeGrants } from "./change.js";
import * as queries from "./queries.js";
import type { OfTeam, OfUser, UpdateTeam, UpdateUser } from "./schema.js";
import type { CallOn, Target } from "./target.js";

/** Changes a user's role here, null takes it away; 404 when nothing is granted, 403 for a role above the caller's. */
export const updateUser = ({ ctx, target, input: { userId, role } }: CallOn<typeof UpdateUser>) =>
  update(ctx, target, { kind: "user", id: userId, role });

/** Changes a team's role here, null takes it away; 404 when nothing is granted, 403 for a role above the caller's. */
export const updateTeam = ({ ctx, target, input: { teamId, role } }: CallOn<typeof UpdateTeam>) =>
  update(ctx, target, { kind: "team", id: teamId, role });

/** Takes back what a user is granted here; 403 for a role above the caller's. No error when there is none. */
export const removeUser = ({ ctx, target, input: { userId } }: CallOn<typeof OfUser>) =>
  revoke(ctx, target, { kind: "user", id: userId });

/** Takes back what a team is granted here; 403 for a role above the caller's. No error when there is none. */
export const removeTeam = ({ ctx, target, input: { teamId } }: CallOn<typeof OfTeam>) =>
  revoke(ctx, target, { kind: "team", id: teamId });

interface Subject {
  kind: "user" | "team";
  id: string;
}

/** Changes what is granted; without a role it stays as it is, null takes it away. */
async function update(ctx: Ctx, target: Target, { role, ...subject }: Subject & { role?: Role | null }) {
  await changeGrants(ctx, target, [subject.id], role ?? null, async (ctx, _, held) => {
    found(held.find(sameAs(subject)), "Permission");
    if (role === undefined) return;
    if (role === null) return queries.remove(ctx, target.id, [subject.id]);
    return queries.setRole(ctx, target.id, subject.id, role);
  });
}

/** Takes away what is granted directly; what is inherited stays. */
async function revoke(ctx: Ctx, target: Target, subject: Subject) {
  await changeGrants(ctx, target, [subject.id], null, async (ctx, _, held) => {
    if (held.some(sameAs(subject))) await queries.remove(ctx, target.id, [subject.id]);
  });
}

const sameAs = (subject: Subject) => (grant: { subject: string; subject_kind: string }) =>
  grant.subject === subject.id && grant.subject_kind === subject.kind;
