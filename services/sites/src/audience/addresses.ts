import type { Urls } from "@octavo/shared/urls";
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
export type Address = (segments?: readonly string[]) => string;

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
 * else on the host of its name below the sites' domain, else below the base of all sites by its name.
 */
function rootOf({ urls }: Ctx, { id, basename, proxy, hostname, hostname_verified_at }: Named): string {
  if (proxy !== null) return `https://${proxy}/`;
  if (hostname !== null && hostname_verified_at !== null) return urls.onHost(hostname);
  const own = basename === null ? undefined : hostOfName(urls, basename);
  return own === undefined ? urls.site`/${basename ?? id}/` : urls.onHost(own);
}

/** Letters of the longest label of a name in the DNS. */
const LONGEST_LABEL = 63;

/**
 * The host of a site's name below the sites' domain; undefined where there is no such domain, for a name that the DNS
 * does not take, and for one that would be a host of the platform.
 */
function hostOfName(urls: Urls, basename: string): string | undefined {
  if (urls.sitesDomain === undefined || basename.length > LONGEST_LABEL) return undefined;
  const host = `${basename.toLowerCase()}.${urls.sitesDomain}`;
  return platformHosts(urls).includes(host) ? undefined : host;
}

/** The name of a site whose host below the sites' domain this is; undefined for all other hosts. */
export function nameOfHost(urls: Urls, hostname: string): string | undefined {
  const name = hostname.split(".", 1)[0]!;
  return hostOfName(urls, name) === hostname ? name : undefined;
}

/** The hosts that are the platform's. */
export const platformHosts = ({ api, app, site }: Urls): string[] =>
  [api`/`, app`/`, site`/`].map((address) => new URL(address).hostname);

/** The root of a published site. */
export const siteUrl = (ctx: Ctx, site: Named): string => addressOf(ctx, site)();

/** Where a foreign host forwards to: the root by id, which no change of the name breaks. */
export const proxyTarget = ({ urls }: Ctx, { id }: Pick<Named, "id">) => urls.site`/${id}/`;

/** The published address of a section. */
export const sectionUrl = (address: Address, section: Section): string => address(pathOfSection(section));

/** The published address of a site space. */
export const siteSpaceUrl = (address: Address, tree: Tree, row: SiteSpace): string =>
  address(pathOf(sectionOf(tree, row), row));
