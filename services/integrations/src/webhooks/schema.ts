import { id, listOf, paging, text, time, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { webhookType } from "../schemas/webhook-type.js";

export const webhookStatus = z.enum(["active", "paused"]);
export const pausedBecause = z.enum(["failing", "gone"]);

export const Webhook = z
  .object({
    object: z.literal("webhook"),
    id: z.string(),
    organization: z.string(),
    url: z.string(),
    description: z.string(),
    types: z.array(webhookType),
    status: webhookStatus,
    /** When it was paused, and why where nobody did so: its address failed for three days, or returned 410. */
    paused: z.object({ at: timestamp, because: pausedBecause.optional() }).optional(),
    /** Since when nothing could be delivered. */
    failingSince: timestamp.optional(),
    /** Until when deliveries are signed with the secret before as well. */
    previousSecretUntil: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    urls: urls("location"),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;
export const Webhooks = listOf(Webhook);

/** The only responses that hold the secret. */
export const WithSecret = Webhook.extend({ secret: z.string() }).meta({ id: "WebhookWithSecret" });

/** https, or this machine, which the operator has to allow. */
const address = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((url) => /^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/i.test(url), {
    message: "must begin with https://",
  })
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), "must not hold credentials");
const types = z
  .array(webhookType)
  .min(1)
  .max(webhookType.options.length)
  .transform((types) => [...new Set(types)]);

const fields = { url: address, description: text(200), types };
export const List = z.object({ organizationId: id, ...paging });
export const Create = z.object({ organizationId: id, ...fields, description: text(200).default("") });
export const One = z.object({ organizationId: id, webhookId: id });
export const Update = One.extend({
  url: fields.url.optional(),
  description: fields.description.optional(),
  types: fields.types.optional(),
  status: webhookStatus.optional(),
});
const WEEK_H = 168;
export const RotateSecret = One.extend({
  /** Hours for which deliveries are signed with the secret before as well. */
  keepPreviousHours: z.number().int().min(0).max(WEEK_H).default(24),
});

export const deliveryStatus = z.enum(["waiting", "success", "failed", "held"]);
/** Of what happened in a time, what is sent again. */
export const Replay = One.extend({
  from: time,
  to: time,
  status: deliveryStatus.exclude(["waiting"]).optional(),
});
export const Replayed = z
  .object({
    replayed: z.number().int(),
    /** Where to go on, when there was too much for one call. */
    next: z.object({ from: timestamp }).optional(),
  })
  .meta({ id: "WebhookReplay" });
