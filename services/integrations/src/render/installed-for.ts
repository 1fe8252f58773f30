import { found, refuse } from "@octavo/shared/errors";
import { withStoredRole } from "../access/stored-role.js";
import { SITE, SPACE } from "../content-installations/kinds.js";
import type { About } from "../events/addressee.js";
import { allowIn } from "../permissions.js";
import * as contentInstallations from "../store/content-installations.js";
import * as installations from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import type { RenderContext } from "./schema.js";

/** By which installation a component is rendered. */
interface InstalledFor {
  about: About;
  ids: { installationId: string; spaceId?: string; siteId?: string };
  /** What components that configure something receive of the current configuration. */
  props: Record<string, unknown>;
}

/**
 * The installation by which a component is rendered at a place. 404 where the caller may not see the place, or the
 * integration is not installed for it; 403 for who may not configure there, or not edit.
 */
export async function installedFor(ctx: Ctx, name: string, context: RenderContext): Promise<InstalledFor> {
  switch (context.type) {
    case "configuration_account":
    case "configuration_contentsource":
      return forAccount(
        ctx,
        name,
        context.organizationId,
        "spaceId" in context ? context.spaceId : undefined,
      );
    case "configuration_space":
      return forSpace(ctx, name, context.spaceId);
    case "configuration_site":
      return forSite(ctx, name, context.siteId);
    case "document":
      return forDocument(ctx, name, context);
  }
}

async function forAccount(
  ctx: Ctx,
  name: string,
  organization: string,
  space?: string,
): Promise<InstalledFor> {
  allowIn(await withStoredRole(ctx, organization), organization, "installation.admin", "Organization");
  if (space !== undefined) await SPACE.requireVisible(ctx, organization, space);
  const one = await installed(ctx, name, organization);
  const props = { installation: { configuration: one.configuration } };
  return { about: aboutOf(one), ids: { installationId: one.id }, props };
}

async function forSpace(ctx: Ctx, name: string, id: string): Promise<InstalledFor> {
  const { organization } = found((await ctx.content.spaces(ctx, [id]))[0], "Space");
  await SPACE.requireRight(ctx, organization, id);
  const one = await installed(ctx, name, organization);
  const content = found(await contentInstallations.find(ctx, one.id, "space", id), "Installation");
  const props = {
    installation: { configuration: one.configuration },
    spaceInstallation: { configuration: content.configuration },
  };
  return { about: aboutOf(one, content.id), ids: { installationId: one.id, spaceId: id }, props };
}

/** The organization of a site, from its installation. */
async function forSite(ctx: Ctx, name: string, id: string): Promise<InstalledFor> {
  const content = found(await contentInstallations.ofIntegration(ctx, name, "site", id), "Installation");
  const { organization } = content;
  await SITE.requireVisible(ctx, organization, id);
  await SITE.requireRight(ctx, organization, id);
  const one = await installed(ctx, name, organization);
  const props = {
    installation: { configuration: one.configuration },
    siteInstallation: { configuration: content.configuration },
  };
  return { about: aboutOf(one, content.id), ids: { installationId: one.id, siteId: id }, props };
}

async function forDocument(
  ctx: Ctx,
  name: string,
  { spaceId, editable }: Extract<RenderContext, { type: "document" }>,
): Promise<InstalledFor> {
  const space = found((await ctx.content.spaces(ctx, [spaceId]))[0], "Space");
  if (editable && !space.permissions.edit) refuse("FORBIDDEN", "Space: needs the right to edit it");
  const place = { kind: "space" as const, content: spaceId, organization: space.organization };
  const integration = found(await integrations.find(ctx, name), "Integration");
  const one = found(await installations.atWork(ctx, place, integration.id), "Integration");
  return {
    about: { ...aboutOf(one), content_installation: one.contentInstallation },
    ids: { installationId: one.id, spaceId },
    props: {},
  };
}

/** What is not installed may be anybody's integration: nothing is platformEvent of it. */
async function installed(ctx: Ctx, name: string, organization: string): Promise<installations.Row> {
  const integration = found(await integrations.find(ctx, name), "Integration");
  return found(await installations.liveOf(ctx, organization, integration.id), "Integration");
}

const aboutOf = (
  { id, integration, organization }: Pick<installations.Row, "id" | "integration" | "organization">,
  content: string | null = null,
): About => ({ integration, organization, installation: id, content_installation: content });
