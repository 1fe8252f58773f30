import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import { loadVisible } from "../../integrations/access.js";
import { views as integrationViews } from "../../integrations/view.js";
import { allowIn } from "../../permissions.js";
import * as queries from "../../store/installations.js";
import { byIds } from "../../store/integrations.js";
import type { Call, Ctx } from "../../trpc.js";
import type { GetStatus, ListInOrganization } from "../schema.js";
import { views } from "../view.js";

/** Lists the installations of an organization beside their integrations; 403 for guests, 404 for strangers. */
export async function listInOrganization({ ctx, input }: Call<typeof ListInOrganization>) {
  return paginate({
    ...inOrganization(ctx, input),
    view: async (rows) => {
      const integrations = await integrationsOf(ctx, rows);
      const installed = await views(ctx, rows);
      return installed.map((installation, at) => ({ installation, integration: integrations[at]! }));
    },
  });
}

/** Lists the status of each integration of an organization; 403 for guests, 404 for strangers. */
export async function listInstallationsStatus({ ctx, input }: Call<typeof ListInOrganization>) {
  return paginate({
    ...inOrganization(ctx, input),
    view: async (rows) => {
      const integrations = await integrationsOf(ctx, rows);
      return rows.map(({ status }, at) => ({ status, integration: integrations[at]! }));
    },
  });
}

/** Returns the status of an integration in an organization; 403 for guests, 404 where it is not installed. */
export async function getInstallationStatus({ ctx, input }: Call<typeof GetStatus>) {
  allowIn(ctx, input.organizationId, "organization.listInstallations");
  const { id } = await loadVisible(ctx, input.integrationName);
  const { status } = found(await queries.ofOne(ctx, input.organizationId, id), "Installation");
  return { status };
}

function inOrganization(ctx: Ctx, input: z.output<typeof ListInOrganization>) {
  allowIn(ctx, input.organizationId, "organization.listInstallations");
  return {
    query: queries.ofOrganization(ctx, input.organizationId, input.search),
    key: "installation.id",
    input,
  };
}

/** The integrations of installations, in their order, by one query. */
async function integrationsOf(ctx: Ctx, rows: { integration: string }[]) {
  const found = await byIds(ctx, [...new Set(rows.map(({ integration }) => integration))]);
  const shown = await integrationViews(ctx, found);
  const known = new Map(found.map(({ id }, at) => [id, shown[at]!]));
  return rows.map(({ integration }) => known.get(integration)!);
}
