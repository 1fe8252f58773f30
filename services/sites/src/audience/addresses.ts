import { pathOf, pathOfSection } from "../tree/paths.js";
import { type Section, type SiteSpace, sectionOf, type Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";

interface Named {
  id: string;
  basename: string | null;
  /** The key of a share link by which the site is addressed; it is not looked at whether it is one. */
  share_key?: string;
  proxy: string | null;
  hostname: string | null;
  hostname_verified_at: string | null;
}

/** An address of a published site: of its root without segments. It has a slash at its end. */
export type Address = (segments?: string[]) => string;

/** How published addresses of a site are made. */
export function addressOf(ctx: Ctx, site: Named): Address {
  const root = rootOf(ctx, site);
  const { share_key } = site;
  const key = share_key === undefined ? [] : [share_key];
  return (segments = []) =>
    root + [...key, ...segments].map((segment) => `${encodeURIComponent(segment)}/`).join("");
}

/**
 * The root of a site, with a slash at its end: on the foreign host that forwards to it, else on a hostname that is its own,
 * else below the base of all sites by its name.
 */
function rootOf({ urls }: Ctx, { id, basename, proxy, hostname, hostname_verified_at }: Named): string {
  if (proxy !== null) return `https://${proxy}/`;
  if (hostname !== null && hostname_verified_at !== null) return onHost(urls.site`/`, hostname);
  return urls.site`/${basename ?? id}/`;
}

/** The root of another host that is served like the base of all sites. */
function onHost(base: string, hostname: string): string {
  const { protocol, port } = new URL(base);
  return `${protocol}//${hostname}${port && `:${port}`}/`;
}

/** The root of a published site. */
export const siteUrl = (ctx: Ctx, site: Named): string => addressOf(ctx, site)();

/** Where a foreign host forwards to: the root by id, which no change of the name breaks. */
export const proxyTarget = ({ urls }: Ctx, { id }: Pick<Named, "id">) => urls.site`/${id}/`;

/** The published address of a section. */
export const sectionUrl = (address: Address, section: Section): string => address(pathOfSection(section));

/** The published address of a site space. */
export const siteSpaceUrl = (address: Address, tree: Tree, row: SiteSpace): string =>
  address(pathOf(sectionOf(tree, row), row));
