import { blockIn, compressedBlock } from "../operations/integrations.js";
import {
  newContentInstallation,
  newInstallation,
  newIntegration,
  newSite,
  newSpace,
  newWebhook,
} from "./fresh.js";
import { anybody, here, type Ids, on, one, org, ownOrganization, silent, type Table } from "./permission.js";

const webhooks = `${org}/webhooks`;
const oneWebhook = `${webhooks}/{webhookId}`;

/** On a space the level on it counts, on a site the role in the organization, which a guest sees. */
const onContent = (kind: "spaces" | "sites", parameter: string, body: (ids: Ids) => object): Table => {
  const fresh = newContentInstallation(kind);
  const all = `${one.installation}/${kind}`;
  return {
    [`GET ${one.integration}/${kind}`]: on("read"),
    [`GET ${all}`]: on("create"),
    [`POST ${all}`]: {
      ...on("create"),
      fresh: async (make) => ({
        ...(await newInstallation(make)),
        ...(await (kind === "spaces" ? newSpace(make) : newSite(make))),
      }),
      body,
    },
    [`GET ${all}/{${parameter}}`]: { ...on("read"), fresh },
    [`PATCH ${all}/{${parameter}}`]: { ...on("create"), fresh },
    [`DELETE ${all}/{${parameter}}`]: { ...on("create"), ...silent, fresh },
  };
};

export const integrations: Table = {
  "GET /integrations": anybody,
  [`GET ${org}/integrations`]: here("read"),
  [`GET ${org}/installations`]: here("read"),
  [`GET ${org}/integrations/installations-status`]: here("read"),
  [`GET ${org}/integrations/{integrationName}/installation_status`]: here("read"),
  [`GET ${one.space}/integrations`]: on("read"),
  [`GET ${one.space}/integration-blocks`]: on("read"),
  [`GET ${one.space}/integration-scripts`]: on("read"),
  [`GET ${one.site}/integrations`]: here("read"),
  [`GET ${one.site}/integration-scripts`]: here("read"),
  ...onContent("spaces", "spaceId", ({ spaceId }) => ({ space: spaceId })),
  ...onContent("sites", "siteId", ({ siteId }) => ({ siteId })),
  [`GET ${webhooks}`]: here("admin"),
  [`POST ${webhooks}`]: here("admin"),
  [`GET ${oneWebhook}`]: here("admin"),
  [`PATCH ${oneWebhook}`]: here("admin"),
  [`DELETE ${oneWebhook}`]: { ...here("admin"), stranger: 204, fresh: newWebhook },
  [`POST ${oneWebhook}/rotate-secret`]: here("admin"),
  [`POST ${oneWebhook}/test`]: here("admin"),
  [`POST ${oneWebhook}/replay`]: here("admin"),
  [`GET ${oneWebhook}/deliveries`]: here("admin"),
  [`GET ${oneWebhook}/deliveries/{deliveryId}`]: here("admin"),
  [`POST ${oneWebhook}/deliveries/{deliveryId}/replay`]: here("admin"),
  // Rendered is a block, for who may read the space that it is in.
  [`GET ${one.integration}/render`]: {
    ...on("read"),
    query: ({ spaceId = "" }) => `request=${compressedBlock(spaceId)}`,
  },
  [`POST ${one.integration}/render`]: { ...on("read"), body: ({ spaceId = "" }) => blockIn(spaceId) },
  // For the integration itself, and for nobody.
  [`POST ${one.integration}/tasks`]: { needs: "themselves" },
  [`GET ${one.integration}`]: on("read"),
  [`POST ${one.integration}`]: { ...here("create"), body: ownOrganization },
  [`DELETE ${one.integration}`]: { ...on("create"), ...silent, fresh: newIntegration },
  [`PUT ${one.integration}/dev`]: { ...on("create"), fresh: newIntegration },
  [`DELETE ${one.integration}/dev`]: { ...on("create"), ...silent, fresh: newIntegration },
  [`GET ${one.integration}/events`]: on("create"),
  [`GET ${one.integration}/events/{eventId}`]: on("create"),
  [`GET ${one.integration}/installations`]: on("read"),
  [`POST ${one.integration}/installations`]: {
    ...on("create"),
    fresh: newIntegration,
    body: ownOrganization,
  },
  [`GET ${one.installation}`]: on("read"),
  [`PATCH ${one.installation}`]: on("create"),
  [`DELETE ${one.installation}`]: { ...on("create"), ...silent, fresh: newInstallation },
  // For the integration itself, and for nobody.
  [`POST ${one.installation}/tokens`]: { needs: "themselves" },
};
