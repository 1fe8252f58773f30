import { GrantsCounted } from "@octavo/shared/contracts/events/content";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

const on = createListener<Ctx>();

/** On how many spaces members and teams hold a grant of their own, as content counts it. */
export const listeners = [
  on(GrantsCounted, ({ ctx, payload: { organization, subject, ...count } }) =>
    subject.type === "user"
      ? queries.keepForMember(ctx, organization, subject.id, count)
      : queries.keepForTeam(ctx, organization, subject.id, count),
  ),
];
