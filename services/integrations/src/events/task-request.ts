import type { Runtime } from "../integrations/runtime.js";
import type { PlatformEvent } from "../schemas/event.js";
import { hmac } from "./tunnel.js";

/** A task as a signed request to the integration's own `/tasks`, the way older scripts take it. */
export function taskRequest(
  { view, signingSecret }: Runtime,
  { eventId, task }: Extract<PlatformEvent, { type: "task" }>,
): Record<string, string> {
  const body = JSON.stringify({ task });
  const headers = {
    "content-type": "application/json",
    "x-gitbook-integration-signature": hmac(signingSecret, body),
  };
  const request = { method: "post", url: `${view.urls.publicEndpoint}/tasks`, headers };
  return { event: JSON.stringify({ eventId, type: "fetch", request }), "fetch-body": body };
}
