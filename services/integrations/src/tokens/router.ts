import { One } from "../installations/schema.js";
import { post, router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Resolve, Resolved, TemporaryToken } from "./schema.js";

export const tokens = router({
  create: post("/integrations/{integrationName}/installations/{installationId}/tokens", {
    status: 200,
    operationId: "createIntegrationInstallationToken",
    permission: { none: "it is for the integration itself, with a token of its own" },
    summary: "Create a short-lived API token for an installation",
    scope: "integration:installation:read",
  })
    .input(One)
    .output(TemporaryToken)
    .mutation(rules.create),
  /** Not public: returns to the gateway what a bearer token of an integration stands for; null when it is none. */
  resolve: service("gateway").input(Resolve).output(Resolved).query(rules.resolve),
});
