import type { Space } from "@octavo/shared/contracts/schemas/space";
import { found } from "@octavo/shared/errors";
import { type Address, addressOf } from "../audience/addresses.js";
import { visibleStructure } from "../audience/visible.js";
import type { Claims } from "../claims/claims.js";
import * as releases from "../store/releases.js";
import type { Row } from "../store/sites.js";
import * as structure from "../store/structure.js";
import { isShown, type SiteSpace, sorted, type Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { asVisitorsSee } from "./previewed.js";
import { readable } from "./spaces.js";

/** A site, with the share key by which it is addressed. */
type Site = Row & { share_key?: string };

/** The structure of a site as a caller sees it: site spaces whose space the caller may not read are not there. */
export interface Seen {
  site: Site;
  tree: Tree;
  /** The spaces that the caller may read, by id. */
  spaces: Map<string, Space>;
  /** The site spaces of sections, and of the root by null, that the caller sees, in their order. */
  variants: Map<string | null, SiteSpace[]>;
  address: Address;
}

/** Reads the structure of a site, and its spaces in one call. */
export async function see(ctx: Ctx, site: Site): Promise<Seen> {
  const tree = await structure.read(ctx, site);
  if (ctx.caller.kind !== "reader") return seeTree(ctx, site, tree);
  const seen = ctx.caller.preview ? preview(ctx, site, tree, ctx.caller.claims) : seeTree(ctx, site, tree);
  return asReadersSee(ctx, await seen);
}

/** What visitors with these claims would see of a site that is not published, which content does not hold. */
async function preview(ctx: Ctx, site: Site, tree: Tree, claims: Claims = {}): Promise<Seen> {
  const visible = visibleStructure(tree, claims);
  const seen = await seeTree({ ...ctx, identity: undefined }, site, tree, visible.siteSpaces);
  const spaces = [...seen.spaces].map(([id, space]): [string, Space] => [id, asVisitorsSee(space)]);
  return { ...seen, spaces: new Map(spaces) };
}

/** What a caller sees of a site, with the spaces at the revisions that readers are shown while a release is pinned. */
export async function asReadersSee(ctx: Ctx, seen: Seen): Promise<Seen> {
  const { site, spaces } = seen;
  if (site.release === null) return seen;
  const pinned = await releases.revisionsIn(ctx, site.release);
  const shown = [...spaces].map(([id, space]): [string, Space] => [
    id,
    { ...space, revision: pinned.get(id) ?? space.revision },
  ]);
  return { ...seen, spaces: new Map(shown) };
}

/** What a caller sees of a structure that was read already, or of some of its site spaces; one call for their spaces. */
export async function seeTree(
  ctx: Ctx,
  site: Site,
  tree: Tree,
  rows: SiteSpace[] = tree.siteSpaces,
): Promise<Seen> {
  const ids = rows.filter(isShown).map(({ space }) => space);
  return seenOf(ctx, site, tree, await readable(ctx, site.organization, ids));
}

/** What a caller sees of a structure, with spaces that were read already. */
export const seenWith = (ctx: Ctx, site: Site, tree: Tree, spaces: Space[]): Seen =>
  seenOf(ctx, site, tree, new Map(spaces.map((space) => [space.id, space])));

function seenOf(ctx: Ctx, site: Site, tree: Tree, spaces: Map<string, Space>): Seen {
  const variants = new Map<string | null, SiteSpace[]>();
  for (const row of sorted(tree.siteSpaces)) {
    if (!isShown(row) || !spaces.has(row.space)) continue;
    const siblings = variants.get(row.section);
    if (siblings) siblings.push(row);
    else variants.set(row.section, [row]);
  }
  return { site, tree, spaces, variants, address: addressOf(ctx, site) };
}

/** The site spaces of a section or of the root that the caller sees, in their order. */
export const seenIn = ({ variants }: Seen, section: string | null): SiteSpace[] =>
  variants.get(section) ?? [];

/** A site space of a structure that the caller sees: 404 for what is not there or may not be read. */
export async function requireSeen(
  ctx: Ctx,
  site: Site,
  { siteSpaces }: Tree,
  id: string,
): Promise<SiteSpace> {
  const row = siteSpaces.find((row) => row.id === id && isShown(row));
  const spaces = row ? await readable(ctx, site.organization, [row.space]) : undefined;
  return found(row && spaces?.has(row.space) ? row : undefined, "Site space");
}

/** The site space of a structure that is known to be in it. */
export const rowOf = ({ siteSpaces }: Tree, id: string) => siteSpaces.find((row) => row.id === id)!;
