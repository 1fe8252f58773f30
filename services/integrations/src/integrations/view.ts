import { roleIn } from "@octavo/shared/contracts/callers";
import { found } from "@octavo/shared/errors";
import { organizationsOf } from "../access/organizations.js";
import { flagsOf } from "../permissions.js";
import type { Row } from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import type { Integration } from "./schema.js";

/** The integrations as the caller sees them; their owners are asked for all at once. */
export async function views(ctx: Ctx, rows: Row[]): Promise<Integration[]> {
  const owners = await organizationsOf(
    ctx,
    rows.map(({ organization }) => organization),
  );
  return rows.map((row) => viewOf(ctx, row, found(owners.get(row.organization), "Owner")));
}

export async function view(ctx: Ctx, row: Row): Promise<Integration> {
  const [integration] = await views(ctx, [row]);
  return integration!;
}

/** The integration with an owner who was asked for before. */
export const viewOf = (ctx: Ctx, row: Row, owner: Integration["owner"]): Integration => ({
  ...present(ctx, row),
  owner,
});

function present(ctx: Ctx, row: Row): Omit<Integration, "owner"> {
  const { api, app } = ctx.urls;
  const { name } = row;
  return {
    object: "integration",
    name,
    version: row.version,
    title: row.title,
    description: row.description,
    summary: row.summary ?? undefined,
    previewImages: row.preview_images.map((asset) => api`/integrations/${name}/assets/${asset}`),
    target: row.target,
    verified: row.verified,
    visibility: row.visibility,
    scopes: row.scopes,
    categories: row.categories,
    blocks: row.blocks ?? undefined,
    contentSources: row.content_sources ?? undefined,
    configurations: row.configurations ?? undefined,
    externalLinks: row.external_links,
    contentSecurityPolicy: row.content_security_policy ?? undefined,
    urls: {
      location: api`/integrations/${name}`,
      icon: row.icon === null ? undefined : api`/integrations/${name}/assets/${row.icon}`,
      app: app`/integrations/${name}`,
      assets: api`/integrations/${name}/assets`,
      publicEndpoint: api`/integrations/${name}/public`,
    },
    permissions: flagsOf(roleIn(ctx.caller, row.organization), "integration"),
  };
}
