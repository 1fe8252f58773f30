import {
  InviteAccepted,
  MemberAdded,
  MemberRemoved,
  TeamChanged,
} from "@octavo/shared/contracts/events/orgs";
import { ROLES } from "@octavo/shared/contracts/roles";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../../trpc.js";
import { accept } from "./accept.js";
import { countGrants, type Subject } from "./count.js";
import { depart } from "./departures.js";

const on = createListener<Ctx>();

const user = (id: string): Subject => ({ subject: id, subject_kind: "user" });

export const listeners = [
  // Orgs counts from nothing for a member who comes back, and may have received grants before that.
  on(MemberAdded, ({ ctx, payload: { organization, user: id } }) =>
    countGrants(ctx, organization, [user(id)]),
  ),
  on(MemberRemoved, ({ ctx, payload: { organization, user: id, joinedAt }, event }) =>
    depart(ctx, organization, user(id), joinedAt ?? event.occurredAt),
  ),
  on(TeamChanged, async ({ ctx, payload: { organization, team, deleted }, event }) => {
    if (!deleted) return;
    await depart(ctx, organization, { subject: team, subject_kind: "team" }, event.occurredAt);
  }),
  on(InviteAccepted, async ({ ctx, payload: { target, level, ...member }, event }) => {
    const role = ROLES.find((step) => step === level);
    if (role) await accept(ctx, { kind: target.type, id: target.id }, { ...member, role }, event.occurredAt);
  }),
];
