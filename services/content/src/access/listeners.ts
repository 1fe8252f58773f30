import { ROLES } from "@octavo/shared/access";
import { InviteAccepted, MemberRemoved, TeamChanged } from "@octavo/shared/events/catalogue/orgs";
import { createListener } from "@octavo/shared/events/listen";
import { accept } from "../grants/accept.js";
import type { Ctx } from "../trpc.js";

const on = createListener<Ctx>();

/** Who is granted something again after they left keeps that: only grants from before the event go. */
const dropGrants = ({ db }: Ctx, organization: string, subject: string, before: string) =>
  db
    .deleteFrom("content_grant")
    .where("subject", "=", subject)
    .where("organization", "=", organization)
    .where("created_at", "<=", before)
    .execute();

export const listeners = [
  on(MemberRemoved, ({ ctx, payload: { organization, user }, event }) =>
    dropGrants(ctx, organization, user, event.occurredAt),
  ),
  on(TeamChanged, async ({ ctx, payload: { organization, team, deleted }, event }) => {
    if (deleted) await dropGrants(ctx, organization, team, event.occurredAt);
  }),
  on(InviteAccepted, async ({ ctx, payload: { organization, user, target, level }, event }) => {
    const role = ROLES.find((step) => step === level);
    if (role)
      await accept(ctx, { kind: target.type, id: target.id }, { organization, user, role }, event.occurredAt);
  }),
];
