import type { Row } from "../store/mcp-servers.js";
import type { Ctx } from "../trpc.js";
import { masked, openHeaders } from "./headers.js";
import type { SiteMcpServer } from "./schema.js";

export const view = (ctx: Ctx, row: Row): SiteMcpServer => ({
  object: "site-mcp-server",
  id: row.id,
  name: row.name,
  url: row.url,
  headers: masked(openHeaders(ctx, row)),
  urls: {
    location: ctx.urls.api`/orgs/${row.organization}/sites/${row.site}/mcp-servers/${row.id}`,
  },
});
