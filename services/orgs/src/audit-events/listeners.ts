import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { onMany } from "@octavo/shared/events/listen";
import { keep } from "../audit/keep.js";
import type { Ctx } from "../trpc.js";

/** What the other services wrote comes through their outboxes; none writes in the name of another. */
export const listeners = [
  onMany<Ctx, typeof AuditRecorded.payload>(
    AuditRecorded,
    async ({ ctx, events }) => {
      for (const { payload, event } of events) {
        const { publisher = payload.service } = event;
        if (publisher !== payload.service)
          throw new Error(`${publisher} recorded a deed of ${payload.service}`);
      }
      await keep(
        ctx,
        events.map(({ payload }) => payload),
      );
    },
    // An entry that is there already stays as it is, and none is ever removed.
    { repeatable: true },
  ),
];
