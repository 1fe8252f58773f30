import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import { auditSite } from "../audit.js";
import * as queries from "../store/mcp-servers.js";
import type { Call } from "../trpc.js";
import { openHeaders, sealHeaders, unmasked } from "./headers.js";
import type { Create, List, OneServer, Update } from "./schema.js";
import { view } from "./view.js";

// MCP servers are what the assistant of a site may call besides the site itself.

/** Servers of one site, at most. */
const MOST = 100;

/** Lists the MCP servers of a site; 403 for who may not change the site, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await loadSite(ctx, input, "site.manageMcpServers");
  const query = queries.ofSite(ctx, site.id);
  return paginate({ query, input, view: (rows) => rows.map((row) => view(ctx, row)) });
}

/** Returns an MCP server; 403 for who may not create in the organization, 404 when the site has no such server. */
export async function get({ ctx, input }: Call<typeof OneServer>) {
  const site = await loadSite(ctx, input, "site.manageMcpServers");
  return view(ctx, found(await queries.find(ctx, site.id, input.siteMcpServerId), "MCP server"));
}

/**
 * Adds an MCP server to a site; 403 for who may not create in the organization, 404 for strangers or an unknown site,
 * 409 when it has as many as there can be.
 */
export async function create({ ctx, input: { name, url, headers, ...one } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const { id: site, organization } = await lockSite(ctx, one, "site.manageMcpServers");
    if ((await queries.count(ctx, site)) >= MOST)
      refuse("CONFLICT", `Site: has ${MOST} MCP servers, which is as many as there can be`);
    const id = newId("sitemcp");
    const sealed = sealHeaders(ctx, { id, organization }, unmasked(headers, {}));
    const row = await queries.insert(ctx, { id, site, organization, name, url, headers: sealed });
    await auditSite(ctx, "site.mcp-server.create", { id: site, organization }, { server: id, name, url });
    const server = view(ctx, row);
    ctx.reply.headers.location = server.urls.location;
    return server;
  });
}

/**
 * Changes an MCP server; headers replace those before, but for values that are masked. 403 for who may not create in
 * the organization, 404 for an unknown one.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageMcpServers");
    const before = found(await queries.find(ctx, site.id, input.siteMcpServerId), "MCP server");
    const { name, url, headers } = input;
    const sealed = headers && sealHeaders(ctx, before, unmasked(headers, openHeaders(ctx, before)));
    const row = await queries.update(ctx, before.id, { name, url, headers: sealed });
    const details = {
      server: row.id,
      ...changed(before, { name, url }),
      ...(headers && { headers: "changed" }),
    };
    await auditSite(ctx, "site.mcp-server.update", site, details);
    return view(ctx, row);
  });
}

/** Removes an MCP server; 403 for who may not create in the organization. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof OneServer>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageMcpServers");
    const row = await queries.find(ctx, site.id, input.siteMcpServerId);
    if (!row) return;
    await queries.remove(ctx, row.id);
    await auditSite(ctx, "site.mcp-server.delete", site, { server: row.id, name: row.name });
  });
}
