import { found } from "@octavo/shared/errors";
import type { About } from "../events/addressee.js";
import * as installations from "../installations/runtime.js";
import type { Integration } from "../integrations/schema.js";
import type { Scope } from "../schemas/manifest.js";
import * as storedContent from "../store/content-installations.js";
import * as storedInstallations from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";

/** What the path of a public address names. */
export type Named = Partial<
  Record<"integrationName" | "installationId" | "spaceId" | "siteId" | "rest", string>
>;

/** The deepest level that a public address names, and what its script receives about it. */
export interface Target {
  about: About;
  /** The ids of the level, as events name them. */
  ids: { installationId?: string; spaceId?: string; siteId?: string };
  contentSecurityPolicy: Integration["contentSecurityPolicy"] | null;
}

/**
 * What a public address leads to. Whoever knows it may ask, also before the installation is configured; 404 for what is
 * not there, is not what its address says, or was paused.
 */
export async function targetOf(ctx: Ctx, named: Named): Promise<Target> {
  const { integrationName = "", installationId, spaceId, siteId } = sound(named);
  const integration = found(await integrations.find(ctx, integrationName), "Integration");
  const { id, organization, content_security_policy: contentSecurityPolicy } = integration;
  const about = { integration: id, organization, installation: null, content_installation: null };
  if (installationId === undefined) return { about, ids: {}, contentSecurityPolicy };
  const row = active(await storedInstallations.find(ctx, integrationName, installationId));
  const ofInstallation = { ...about, organization: row.organization, installation: row.id };
  if (spaceId === undefined && siteId === undefined)
    return { about: ofInstallation, ids: { installationId: row.id }, contentSecurityPolicy };
  const kind = spaceId === undefined ? "site" : "space";
  const content = active(await storedContent.find(ctx, row.id, kind, (spaceId ?? siteId)!));
  return {
    about: { ...ofInstallation, content_installation: content.id },
    ids: { installationId: row.id, [`${kind}Id`]: content.content },
    contentSecurityPolicy,
  };
}

/** Who injects a script into the pages of a space or site: 404 unless the installation is at work there with the scope. */
export async function scriptTargetOf(ctx: Ctx, named: Named): Promise<Target> {
  const { integrationName = "", installationId = "", spaceId, siteId } = sound(named);
  const integration = found(await integrations.find(ctx, integrationName), "Integration");
  const row = found(await storedInstallations.find(ctx, integrationName, installationId), "Installation");
  const { organization } = row;
  const kind = spaceId === undefined ? "site" : "space";
  const content = (spaceId ?? siteId)!;
  const scope: Scope = `${kind}:script:inject`;
  const concerned = await installations.at(ctx, { kind, content, organization }, scope);
  const at = found(
    concerned.find(({ id }) => id === row.id),
    "Installation",
  );
  if (at.contentInstallation === null) await requireOwn(ctx, kind, organization, content);
  return {
    about: {
      integration: integration.id,
      organization,
      installation: row.id,
      content_installation: at.contentInstallation,
    },
    ids: { installationId: row.id, [`${kind}Id`]: content },
    contentSecurityPolicy: integration.content_security_policy,
  };
}

/** Who signs in visitors of a site: 404 unless an installation of its own is at work there with the scope. */
export async function visitorAuthTargetOf(ctx: Ctx, named: Named) {
  const { integrationName = "", installationId = "", siteId = "" } = sound(named);
  const integration = found(await integrations.find(ctx, integrationName), "Integration");
  const row = found(await storedInstallations.find(ctx, integrationName, installationId), "Installation");
  const place = { kind: "site" as const, content: siteId, organization: row.organization };
  const one = await storedInstallations.atWork(ctx, place, integration.id, "site:visitor:auth");
  const { contentInstallation } = found(one?.contentInstallation ? one : undefined, "Installation");
  const { organization, id: installation } = row;
  const about = { integration: integration.id, organization, installation };
  return {
    about: { ...about, content_installation: contentInstallation },
    ids: { installationId, siteId },
    contentSecurityPolicy: integration.content_security_policy,
  };
}

/** The public endpoint of a target, as its script receives it. */
export function endpointOf({ urls: { api } }: Pick<Ctx, "urls">, { ids }: Target, name: string): string {
  const { installationId, spaceId, siteId } = ids;
  if (installationId === undefined) return api`/integrations/${name}/public`;
  if (spaceId !== undefined)
    return api`/integrations/${name}/installations/${installationId}/spaces/${spaceId}/public`;
  if (siteId !== undefined)
    return api`/integrations/${name}/installations/${installationId}/sites/${siteId}/public`;
  return api`/integrations/${name}/installations/${installationId}/public`;
}

/** An installation that works in all spaces or sites of its organization works in no other. */
async function requireOwn(ctx: Ctx, kind: "space" | "site", organization: string, id: string) {
  if (kind === "site") return void (await ctx.sites.site(ctx, organization, id));
  const [space] = await ctx.content.spaces(ctx, [id]);
  found(space?.organization === organization ? space : undefined, "Space");
}

/** Refuses names and ids with NUL characters as not found (404); PostgreSQL takes none in a text. */
function sound(named: Named): Named {
  found(Object.values(named).some((value) => value.includes("\0")) ? undefined : true, "Integration");
  return named;
}

function active<Row extends { status: string }>(row: Row | undefined): Row {
  return found(row?.status === "paused" ? undefined : row, "Installation");
}
