import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { createListener } from "@octavo/shared/events/listen";
import { keep } from "../audit/keep.js";
import type { Ctx } from "../trpc.js";

const on = createListener<Ctx>();

/** What the other services wrote comes through their outboxes; none writes in the name of another. */
export const listeners = [
  on(AuditRecorded, async ({ ctx, payload, event: { publisher = payload.service } }) => {
    if (publisher !== payload.service) throw new Error(`${publisher} recorded a deed of ${payload.service}`);
    await keep(ctx, [payload]);
  }),
];
