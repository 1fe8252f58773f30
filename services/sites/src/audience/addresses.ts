import type { Ctx } from "../trpc.js";

interface Named {
  id: string;
  basename: string | null;
}

interface Variant {
  path: string;
  is_default: boolean;
}

/** The root of a published site, with a slash at its end. */
export const siteUrl = ({ urls }: Ctx, { id, basename }: Named) => urls.site`/${basename ?? id}/`;

/** Where a foreign host forwards to: the root by id, which no change of the name breaks. */
export const proxyTarget = ({ urls }: Ctx, { id }: Named) => urls.site`/${id}/`;

/** The published address of a variant: the default one is the root of its site, the others lie under their path. */
export function variantUrl(ctx: Ctx, site: Named, { path, is_default }: Variant): string {
  return is_default ? siteUrl(ctx, site) : ctx.urls.site`/${site.basename ?? site.id}/${path}/`;
}
