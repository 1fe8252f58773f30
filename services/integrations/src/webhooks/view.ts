import type { Row } from "../store/webhooks.js";
import type { Ctx } from "../trpc.js";
import type { Webhook } from "./schema.js";

/** A webhook as administrators see it; its secrets are never shown again. */
export function view({ urls: { api }, clock }: Pick<Ctx, "urls" | "clock">, row: Row): Webhook {
  const { id, organization, url, description, types, status } = row;
  const { paused_at: at, paused_because: because, previous_until: until } = row;
  return {
    object: "webhook",
    id,
    organization,
    url,
    description,
    types,
    status,
    paused: status === "paused" && at !== null ? { at, because: because ?? undefined } : undefined,
    failingSince: row.failing_since ?? undefined,
    previousSecretUntil: until !== null && new Date(until) > clock() ? until : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    urls: { location: api`/orgs/${organization}/webhooks/${id}` },
  };
}
