import { OrganizationUpdated } from "@octavo/shared/contracts/events/orgs";
import { SiteChanged, SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { createListener } from "@octavo/shared/events/listen";
import { emit } from "@octavo/shared/events/outbox";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

const on = createListener<Ctx>();

export const listeners = [
  // Only a site that is for visitors with a token asks for one; where an integration signs it, it does so with its own key.
  on(
    SiteChanged,
    ({ ctx, payload: { site: id, organization, visibility, auth } }) => {
      const asks = visibility === "visitor-auth" && auth?.backend === "custom";
      return queries.keep(ctx, { id, organization, visitor_key: asks ? auth.privateKey : null });
    },
    { state: "site" },
  ),
  on(
    SiteDeleted,
    async ({ ctx, payload: { site } }) => {
      await queries.drop(ctx, site);
      for (const { id } of await queries.unname(ctx, site)) {
        await emit(ctx, OrganizationUpdated, id, { organization: id });
      }
    },
    { state: "site" },
  ),
];
