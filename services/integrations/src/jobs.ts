import { createJobHandler, schedule } from "@octavo/shared/jobs/handle";
import { deliverEvent, pruneOld } from "./event-queue/jobs.js";
import { deliver, giveUp } from "./events/deliver.js";
import { prune } from "./events/prune.js";
import type { Ctx } from "./trpc.js";
import { sendDelivery } from "./webhooks/jobs.js";
import { send, sendLater } from "./webhooks/send.js";

const handleJob = createJobHandler<Ctx>();

/** What the service does beside its requests. */
export const jobHandlers = [
  handleJob(
    deliverEvent,
    ({ ctx, payload: { event } }) => deliver(ctx, event),
    ({ ctx, payload: { event } }) => giveUp(ctx, event),
  ),
  handleJob(
    sendDelivery,
    ({ ctx, payload: { delivery } }) => send(ctx, delivery),
    ({ ctx, payload: { delivery } }) => sendLater(ctx, delivery),
  ),
  handleJob(pruneOld, ({ ctx }) => prune(ctx)),
];

/** What it does again and again. */
export const schedules = [schedule("23 * * * *", pruneOld, {})];
