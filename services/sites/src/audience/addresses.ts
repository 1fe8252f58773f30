import type { Ctx } from "../trpc.js";

interface Named {
  id: string;
  basename: string | null;
  /** The key of a share link by which the site is addressed; it is not looked at whether it is one. */
  share_key?: string;
}

interface Variant {
  path: string;
  is_default: boolean;
}

/** The root of a published site, with a slash at its end. */
export function siteUrl({ urls }: Ctx, { id, basename, share_key }: Named): string {
  const root = urls.site`/${basename ?? id}/`;
  return share_key === undefined ? root : `${root}${encodeURIComponent(share_key)}/`;
}

/** Where a foreign host forwards to: the root by id, which no change of the name breaks. */
export const proxyTarget = ({ urls }: Ctx, { id }: Named) => urls.site`/${id}/`;

/** The published address of a variant: the default one is the root of its site, the others lie under their path. */
export function variantUrl(ctx: Ctx, site: Named, { path, is_default }: Variant): string {
  const root = siteUrl(ctx, site);
  return is_default ? root : `${root}${encodeURIComponent(path)}/`;
}
