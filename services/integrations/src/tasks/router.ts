import { noContent } from "@octavo/shared/contracts/fields";
import { post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create } from "./schema.js";

export const tasks = router({
  create: post("/integrations/{integrationName}/tasks", {
    status: 204,
    operationId: "queueIntegrationTask",
    permission: { none: "it is for the integration itself, with a token of its own" },
    summary: "Schedule a task of the integration, at once or later",
    scope: "integration:update",
  })
    .input(Create)
    .output(noContent)
    .mutation(rules.create),
});
