import { timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { deliveryStatus } from "./schema.js";

const attempt = z
  .object({
    at: timestamp,
    /** What the address returned; absent without a response. */
    status: z.number().int().optional(),
    /** The beginning of the response. */
    response: z.string().optional(),
    /** Why there was no response. */
    error: z.string().optional(),
  })
  .meta({ id: "WebhookAttempt" });

export const WebhookDelivery = z
  .object({
    object: z.literal("webhook-delivery"),
    id: z.string(),
    webhook: z.string(),
    /** The `webhook-id` of its requests: a replay has that of what it repeats. */
    message: z.string(),
    type: z.string(),
    /** What is sent. */
    payload: z.record(z.string(), z.unknown()),
    /** `held` is what was not sent, for the webhook was paused. */
    status: deliveryStatus,
    attempts: z.array(attempt),
    nextAttemptAt: timestamp.optional(),
    createdAt: timestamp,
    endedAt: timestamp.optional(),
    urls: urls("location"),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;
