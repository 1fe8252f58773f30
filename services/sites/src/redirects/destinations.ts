import { refuseAt } from "@octavo/shared/errors";
import { addressOf as addressesOf, siteSpaceUrl, siteUrl } from "../audience/addresses.js";
import { visibleStructure } from "../audience/visible.js";
import type { Claims } from "../claims/claims.js";
import { readable } from "../site-spaces/spaces.js";
import type { Row } from "../store/redirects.js";
import * as releases from "../store/releases.js";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import { isShown, type SiteSpace, type Tree, variantsOf } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { filled, keyOf, restOf } from "./paths.js";
import type { Destination, SiteRedirect } from "./schema.js";

type ToContent = Exclude<Destination, { kind: "path" | "url" }>;

/** Whether a redirect leads to content of the site. */
export const isContent = (destination: Destination): destination is ToContent =>
  destination.kind !== "path" && destination.kind !== "url";

/**
 * Where content lies that a redirect leads to, for the caller, or for a visitor of the site with these claims; undefined
 * when it is not there for them.
 */
export async function addressOf(
  given: Ctx,
  site: Site,
  destination: ToContent,
  claims?: Claims,
): Promise<string | undefined> {
  // Of a visitor sites decides: content is asked by the service itself.
  const ctx = claims ? { ...given, identity: undefined } : given;
  const tree = await structure.read(ctx, site);
  const row = siteSpaceOf(claims ? visibleStructure(tree, claims) : tree, destination);
  if (!row) return undefined;
  const root = siteSpaceUrl(addressesOf(ctx, site), tree, row);
  if (destination.kind !== "site-page")
    return (await readable(ctx, site.organization, [row.space])).has(row.space) ? root : undefined;
  const revision = claims && (await releases.revisionsIn(ctx, site.release, [row.space])).get(row.space);
  const path = await ctx.content.pagePath(ctx, { space: row.space, page: destination.pageId, revision });
  return path === undefined ? undefined : root + encodePath(path);
}

/** The site space that is shown where a redirect leads; of a section its default one. */
function siteSpaceOf(tree: Tree, destination: ToContent): SiteSpace | undefined {
  if (destination.kind !== "site-section")
    return tree.siteSpaces.find((row) => row.id === destination.siteSpaceId && isShown(row));
  return variantsOf(tree, destination.siteSectionId).find((row) => row.is_default);
}

/** A path of a page as it stands in an address. */
export const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/** The path below the root of a site that a redirect leads to, by its key; undefined where no redirect is looked for. */
export function pathOf(ctx: Ctx, site: Site, { kind, address }: Pick<Row, "kind" | "address">) {
  if (address === null) return undefined;
  if (kind === "path") return keyOf(address);
  const own = pathWithin(ctx, site, address);
  return own === undefined ? undefined : keyOf(own);
}

/** The path of an address below the root of a site; undefined for the root itself and for other addresses. */
export function pathWithin(ctx: Ctx, site: Site, address: string): string | undefined {
  const root = siteUrl(ctx, site);
  if (!address.toLowerCase().startsWith(root.toLowerCase())) return undefined;
  const path = address.slice(root.length).replace(/[?#].*$/, "");
  return path === "" ? undefined : `/${path}`;
}

/** The address that a redirect leads a path to, where `addressOf` knows it; undefined when it leads to nothing. */
export async function targetOf(
  ctx: Ctx,
  site: Site,
  { source, destination }: Pick<SiteRedirect, "source" | "destination">,
  path: string,
  claims?: Claims,
): Promise<string | undefined> {
  const rest = restOf(path, source);
  if (destination.kind === "path") return siteUrl(ctx, site) + filled(destination.path, rest).slice(1);
  if (destination.kind === "url") return filled(destination.url, rest);
  const address = await addressOf(ctx, site, destination, claims);
  return destination.kind === "site-page" || address === undefined ? address : address + rest.slice(1);
}

const MISSING = {
  "site-section": ["siteSectionId", "is no section of this site"],
  "site-space": ["siteSpaceId", "is no site space of this site"],
  "site-page": ["pageId", "is no page that this site shows"],
} as const;

/** 400 for a destination that is not there for the caller, or at which the source stands itself. */
export async function checkDestination(ctx: Ctx, site: Site, source: string, destination: Destination) {
  const at = "body.destination";
  if (!isContent(destination)) {
    const pattern = destination.kind === "path" ? destination.path : destination.url;
    if (pattern.endsWith("/*") && !source.endsWith("/*"))
      refuseAt(`${at}.${destination.kind}`, "ends with `/*`, which its source does not");
    return;
  }
  const address = await addressOf(ctx, site, destination);
  if (address === undefined) {
    const [field, message] = MISSING[destination.kind];
    refuseAt(`${at}.${field}`, message);
  }
  const path = pathWithin(ctx, site, address);
  if (path !== undefined && keyOf(path) === keyOf(source))
    refuseAt("body.source", "is where the destination is", { reason: "redirect_onto_itself" });
}
