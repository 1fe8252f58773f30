import { id, listOf, paging } from "@octavo/shared/contracts/fields";
import { WebhookDelivery } from "../delivery-schema.js";
import { deliveryStatus, One as OneWebhook } from "../schema.js";

export const WebhookDeliveries = listOf(WebhookDelivery);

export const List = OneWebhook.extend({ status: deliveryStatus.optional(), ...paging });
export const One = OneWebhook.extend({ deliveryId: id });
