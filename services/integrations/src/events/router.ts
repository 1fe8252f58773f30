import { listOf } from "@octavo/shared/contracts/fields";
import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { IntegrationEvent, List, One, Traced } from "./schema.js";

export const events = router({
  list: get("/integrations/{integrationName}/events", {
    operationId: "listIntegrationEvents",
    permission: "event.view",
    also: "Who administers the integration may as well, and the integration itself.",
    summary: "List the events that an integration was sent, newest first",
    scope: "integration:read",
  })
    .input(List)
    .output(listOf(IntegrationEvent))
    .query(rules.list),
  get: get("/integrations/{integrationName}/events/{eventId}", {
    operationId: "getIntegrationEvent",
    permission: "event.view",
    also: "Who administers the integration may as well, and the integration itself.",
    summary: "Get an event that an integration was sent, with the log of its delivery",
    scope: "integration:read",
  })
    .input(One)
    .output(Traced)
    .query(rules.get),
});
