import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Blocks, Integrations, List, OneSpace, Scripts } from "./schema.js";

const taken = { permission: "contentInstallation.view", also: "The right is the one on the space." } as const;

export const spaceIntegrations = router({
  list: get("/spaces/{spaceId}/integrations", {
    operationId: "listSpaceIntegrations",
    ...taken,
    summary: "List the integrations at work in a space",
  })
    .input(List)
    .output(Integrations)
    .query(rules.list),
  listIntegrationBlocks: get("/spaces/{spaceId}/integration-blocks", {
    operationId: "listSpaceIntegrationsBlocks",
    ...taken,
    summary: "List the blocks that integrations bring to a space",
  })
    .input(OneSpace)
    .output(Blocks)
    .query(rules.listIntegrationBlocks),
  listIntegrationScripts: get("/spaces/{spaceId}/integration-scripts", {
    operationId: "listSpaceIntegrationScripts",
    ...taken,
    summary: "List the scripts that integrations put into the pages of a space",
  })
    .input(OneSpace)
    .output(Scripts)
    .query(rules.listIntegrationScripts),
});
