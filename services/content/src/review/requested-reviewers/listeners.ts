import { MemberRemoved, TeamChanged } from "@octavo/shared/contracts/events/orgs";
import { createListener } from "@octavo/shared/events/listen";
import { remember } from "../../library/grants/departures.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "../reviews/requested.js";

const on = createListener<Ctx>();

// Nobody waits for somebody who is not there; their reviews stay.
export const listeners = [
  on(MemberRemoved, ({ ctx, payload: { organization, user, joinedAt }, event }) =>
    forget(ctx, organization, user, joinedAt ?? event.occurredAt),
  ),
  on(TeamChanged, async ({ ctx, payload: { organization, team, deleted }, event }) => {
    if (deleted) await forget(ctx, organization, team, event.occurredAt);
  }),
];

async function forget(ctx: Ctx, organization: string, subject: string, joinedAt: string) {
  await remember(ctx, organization, subject, joinedAt);
  await queries.forget(ctx, organization, subject, joinedAt);
}
