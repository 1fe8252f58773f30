import { get, post, router } from "../../trpc.js";
import { WebhookDelivery } from "../delivery-schema.js";
import * as rules from "./rules.js";
import { List, One, WebhookDeliveries } from "./schema.js";

const all = "/orgs/{organizationId}/webhooks/{webhookId}/deliveries";
const one = `${all}/{deliveryId}` as const;
const permission = "webhook.admin";

export const webhookDeliveries = router({
  list: get(all, {
    operationId: "listWebhookDeliveries",
    permission,
    summary: "List what was sent to a webhook, newest first",
  })
    .input(List)
    .output(WebhookDeliveries)
    .query(rules.list),
  get: get(one, {
    operationId: "getWebhookDelivery",
    permission,
    summary: "Get what was sent to a webhook, with every attempt",
  })
    .input(One)
    .output(WebhookDelivery)
    .query(rules.get),
  replay: post(`${one}/replay`, {
    status: 200,
    operationId: "replayWebhookDelivery",
    permission,
    summary: "Send again what was sent to a webhook once",
  })
    .input(One)
    .output(WebhookDelivery)
    .mutation(rules.replay),
});
