import type { Row } from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import type { Installation } from "./schema.js";

/** An installation of the integration with this name. */
export function view({ urls: { api, app } }: Pick<Ctx, "urls">, name: string, row: Row): Installation {
  const { id, organization } = row;
  return {
    id,
    status: row.status,
    space_selection: row.space_selection,
    site_selection: row.site_selection,
    spaces: 0,
    configuration: row.configuration,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    urls: {
      location: api`/integrations/${name}/installations/${id}`,
      app: app`/o/${organization}/integrations/${name}`,
      publicEndpoint: api`/integrations/${name}/installations/${id}/public`,
    },
    externalIds: row.external_ids,
    target: { organization },
  };
}
