import { z } from "zod";

/** The types of events that a webhook can subscribe to. */
export const webhookType = z.enum([
  "space.created",
  "space.deleted",
  "space.restored",
  "space.transferred",
  "space.content.updated",
  "space.visibility.updated",
  "space.gitsync.started",
  "space.gitsync.completed",
  "site.published",
  "site.unpublished",
  "site.deleted",
]);
export type WebhookType = z.output<typeof webhookType>;
