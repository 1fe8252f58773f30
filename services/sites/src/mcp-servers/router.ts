import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Create, List, OneServer, SiteMcpServer, SiteMcpServerList, Update } from "./schema.js";

const all = "/orgs/{organizationId}/sites/{siteId}/mcp-servers" as const;
const one = `${all}/{siteMcpServerId}` as const;

export const mcpServers = router({
  list: get(all, {
    operationId: "listSiteMcpServers",
    permission: "site.manageMcpServers",
    summary: "List the MCP servers of a site",
  })
    .input(List)
    .output(SiteMcpServerList)
    .query(rules.list),
  create: post(all, {
    operationId: "createSiteMcpServer",
    permission: "site.manageMcpServers",
    summary: "Add an MCP server to a site",
  })
    .input(Create)
    .output(SiteMcpServer)
    .mutation(rules.create),
  get: get(one, {
    operationId: "getSiteMcpServerById",
    permission: "site.manageMcpServers",
    summary: "Get an MCP server of a site",
  })
    .input(OneServer)
    .output(SiteMcpServer)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateSiteMcpServerById",
    permission: "site.manageMcpServers",
    summary: "Change an MCP server of a site",
  })
    .input(Update)
    .output(SiteMcpServer)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "deleteSiteMcpServerById",
    permission: "site.manageMcpServers",
    summary: "Remove an MCP server from a site",
  })
    .input(OneServer)
    .output(noContent)
    .mutation(rules.remove),
});
