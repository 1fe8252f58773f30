import { MemberRemoved, TeamChanged } from "@octavo/shared/events/catalogue/orgs";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../trpc.js";
import { forget } from "./queries.js";

const on = createListener<Ctx>();

// Nobody waits for somebody who is not there; what they said in reviews stays.
export const listeners = [
  on(MemberRemoved, async ({ ctx, payload: { organization, user }, event }) => {
    await forget(ctx, organization, user, event.occurredAt);
  }),
  on(TeamChanged, async ({ ctx, payload: { organization, team, deleted }, event }) => {
    if (deleted) await forget(ctx, organization, team, event.occurredAt);
  }),
];
