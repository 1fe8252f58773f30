import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, put, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Disable, Enable } from "./schema.js";

export const devMode = router({
  enable: put("/integrations/{integrationName}/dev", {
    operationId: "setIntegrationDevelopmentMode",
    permission: "integration.admin",
    summary: "Send the events of an integration to your tunnel while you develop it",
    status: 204,
  })
    .input(Enable)
    .output(noContent)
    .mutation(rules.enable),
  disable: del("/integrations/{integrationName}/dev", {
    operationId: "disableIntegrationDevelopmentMode",
    permission: "integration.admin",
    summary: "End the development mode of an integration",
  })
    .input(Disable)
    .output(noContent)
    .mutation(removal(rules.disable)),
});
