import { createJobHandler, schedule } from "@octavo/shared/jobs/handle";
import { computeContent, recompute } from "./content-sources/compute.js";
import { forget } from "./content-sources/forget.js";
import {
  computeSources,
  deliverEvent,
  deliverWaiting,
  forgetSources,
  handDownScript,
  handDownScriptOfAll,
  offerVisitorAuth,
  offerVisitorAuthOfAll,
  pruneOld,
  recomputeSources,
} from "./event-queue/jobs.js";
import { deliverSoon } from "./event-queue/record.js";
import { deliver, giveUp } from "./events/deliver.js";
import { deliverWaiting as deliverAllWaiting } from "./events/deliver-waiting.js";
import { prune } from "./events/prune.js";
import { handDown, handDownAll } from "./site-integrations/hand-down.js";
import type { Ctx } from "./trpc.js";
import { offer, offerAll } from "./visitor-auth/offer.js";
import { sendDelivery } from "./webhooks/jobs.js";
import { send, sendLater } from "./webhooks/send.js";

const handleJob = createJobHandler<Ctx>();

const inAMinute = ({ clock }: Ctx) => new Date(clock().getTime() + 60_000);

/** What the service does beside its requests. */
export const jobHandlers = [
  handleJob(
    deliverWaiting,
    ({ ctx, payload: { publisher } }) => deliverAllWaiting(ctx, publisher),
    // The events are still there: they are tried for as long as they have tries themselves.
    ({ ctx, payload: { publisher } }) => deliverSoon(ctx, publisher, inAMinute(ctx)),
  ),
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
  handleJob(computeSources, ({ ctx, payload, signal }) => computeContent(ctx, payload, signal)),
  handleJob(forgetSources, ({ ctx, payload }) => forget(ctx, payload)),
  handleJob(recomputeSources, ({ ctx, payload }) => recompute(ctx, payload)),
  handleJob(offerVisitorAuth, ({ ctx, payload }) => offer(ctx, payload)),
  handleJob(offerVisitorAuthOfAll, ({ ctx, payload }) => offerAll(ctx, payload)),
  handleJob(handDownScript, ({ ctx, payload }) => handDown(ctx, payload)),
  handleJob(handDownScriptOfAll, ({ ctx, payload }) => handDownAll(ctx, payload)),
  handleJob(pruneOld, ({ ctx }) => prune(ctx)),
];

/** What it does again and again. */
export const schedules = [schedule("23 * * * *", pruneOld, {})];
