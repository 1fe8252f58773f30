import { listOf } from "@octavo/shared/fields";
import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { IntegrationEvent, List, One, Traced } from "./schema.js";

export const events = router({
  list: get("/integrations/{integrationName}/events", {
    operationId: "listIntegrationEvents",
    scope: "integration:read",
  })
    .input(List)
    .output(listOf(IntegrationEvent))
    .query(rules.list),
  get: get("/integrations/{integrationName}/events/{eventId}", {
    operationId: "getIntegrationEvent",
    scope: "integration:read",
  })
    .input(One)
    .output(Traced)
    .query(rules.get),
});
