import { found, refuse } from "@octavo/shared/errors";
import { withStoredRole } from "../access/stored-role.js";
import { allowIn, roleFor } from "../permissions.js";
import type { Kind } from "../store/content-installations.js";
import type { Ctx } from "../trpc.js";

/** What content installations on spaces and on sites do differently. */
export interface ContentKind {
  kind: Kind;
  /** As refusals name it. */
  noun: "Space" | "Site";
  /** The scope with which integrations see what such content is called and looks like. */
  scope: string;
  /** Those of the spaces or sites that the caller may see; asked for all at once. */
  lookup(ctx: Ctx, ids: string[]): Promise<{ id: string }[]>;
  /** Refuses with 404 what the organization does not have, or the caller may not read. */
  requireVisible(ctx: Ctx, organization: string, id: string): Promise<void>;
  /** Refuses who may not install on it, by what is stored now: 404 for who may not read it, else 403. */
  requireRight(ctx: Ctx, organization: string, id: string): Promise<void>;
}

/** The right over a space is the caller's level on it, which content decides. */
export const SPACE: ContentKind = {
  kind: "space",
  noun: "Space",
  scope: "space:metadata:read",
  lookup: (ctx, ids) => ctx.content.spaces(ctx, ids),
  requireVisible: async (ctx, organization, id) => {
    const [space] = await ctx.content.spaces(ctx, [id]);
    found(space?.organization === organization ? space : undefined, "Space");
  },
  requireRight: async (ctx, organization, id) => {
    const { undecided } = await ctx.content.standing(ctx, organization, [id]);
    const missing = undecided.find((space) => space.id === id);
    if (!missing) return;
    if (!missing.readable) refuse("NOT_FOUND", "Space: not found");
    refuse("FORBIDDEN", `Space: needs the role ${roleFor("contentInstallation.admin")}`);
  },
};

/** The right over a site is the role in its organization. */
export const SITE: ContentKind = {
  kind: "site",
  noun: "Site",
  scope: "site:metadata:read",
  lookup: (ctx, ids) => ctx.sites.sites(ctx, ids),
  requireVisible: async (ctx, organization, id) => {
    allowIn(ctx, organization, "contentInstallation.view");
    await ctx.sites.site(ctx, organization, id);
  },
  requireRight: async (ctx, organization) =>
    allowIn(await withStoredRole(ctx, organization), organization, "contentInstallation.admin"),
};
