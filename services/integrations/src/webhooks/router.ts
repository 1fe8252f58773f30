import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../trpc.js";
import { WebhookDelivery } from "./delivery-schema.js";
import { replay, test } from "./rules/sending.js";
import * as rules from "./rules.js";
import {
  Create,
  List,
  One,
  Replay,
  Replayed,
  RotateSecret,
  Update,
  Webhook,
  Webhooks,
  WithSecret,
} from "./schema.js";

const all = "/orgs/{organizationId}/webhooks";
const one = `${all}/{webhookId}` as const;
const permission = "webhook.admin";

export const webhooks = router({
  list: get(all, { operationId: "listWebhooks", permission, summary: "List the webhooks of an organization" })
    .input(List)
    .output(Webhooks)
    .query(rules.list),
  create: post(all, {
    operationId: "createWebhook",
    permission,
    summary: "Subscribe an address to the events of an organization",
  })
    .input(Create)
    .output(WithSecret)
    .mutation(rules.create),
  get: get(one, { operationId: "getWebhook", permission, summary: "Get a webhook" })
    .input(One)
    .output(Webhook)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateWebhook",
    permission,
    summary: "Change, pause or resume a webhook",
  })
    .input(Update)
    .output(Webhook)
    .mutation(rules.update),
  remove: del(one, { operationId: "deleteWebhook", permission, summary: "Delete a webhook and its log" })
    .input(One)
    .output(noContent)
    .mutation(removal(rules.remove)),
  rotateSecret: post(`${one}/rotate-secret`, {
    status: 200,
    operationId: "rotateWebhookSecret",
    permission,
    summary: "Give a webhook a new secret; the one before holds for a while",
  })
    .input(RotateSecret)
    .output(WithSecret)
    .mutation(rules.rotateSecret),
  test: post(`${one}/test`, {
    status: 200,
    operationId: "testWebhook",
    permission,
    summary: "Send an event of the type test to a webhook",
  })
    .input(One)
    .output(WebhookDelivery)
    .mutation(test),
  replay: post(`${one}/replay`, {
    status: 200,
    operationId: "replayWebhook",
    permission,
    summary: "Send again what was sent to a webhook in a time",
  })
    .input(Replay)
    .output(Replayed)
    .mutation(replay),
});
