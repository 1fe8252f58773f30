import * as contentInstallations from "../store/content-installations.js";
import type { Row } from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import type { Installation } from "./schema.js";

/** Installations with the names of their integrations; their spaces are counted all at once. */
export async function views(ctx: Ctx, rows: (Row & { name: string })[]): Promise<Installation[]> {
  const spaces = await contentInstallations.countSpaces(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...present(ctx, row.name, row), spaces: spaces.get(row.id) ?? 0 }));
}

export async function view(ctx: Ctx, name: string, row: Row): Promise<Installation> {
  const [installation] = await views(ctx, [{ ...row, name }]);
  return installation!;
}

function present({ urls: { api, app } }: Ctx, name: string, row: Row): Omit<Installation, "spaces"> {
  const { id, organization } = row;
  return {
    id,
    status: row.status,
    space_selection: row.space_selection,
    site_selection: row.site_selection,
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
