import type { Row } from "../store/webhook-deliveries.js";
import type { Ctx } from "../trpc.js";
import type { WebhookDelivery } from "./delivery-schema.js";

/** A delivery of a webhook as administrators see it. */
export function view(
  { urls: { api } }: Pick<Ctx, "urls">,
  { id: webhook, organization }: { id: string; organization: string },
  row: Row,
): WebhookDelivery {
  const { id, message, type, status, attempts } = row;
  return {
    object: "webhook-delivery",
    id,
    webhook,
    message,
    type,
    status,
    attempts,
    payload: JSON.parse(row.body),
    nextAttemptAt: row.next_attempt_at ?? undefined,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
    urls: { location: api`/orgs/${organization}/webhooks/${webhook}/deliveries/${id}` },
  };
}
