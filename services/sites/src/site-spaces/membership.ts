import { slugify, uniqueSlug } from "@octavo/markdown/source/slug";
import type { Space } from "@octavo/shared/contracts/schemas/space";
import { refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { emitSiteAudience } from "../audience/audience.js";
import { setPublished } from "../audience/publication.js";
import { auditSiteSpace } from "../audit.js";
import * as queries from "../store/site-spaces.js";
import type { Row as SiteRow } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** Leaves room for the number that makes a path unique. */
const LONGEST_PATH = 90;

type Site = Pick<SiteRow, "id" | "organization">;

const positionOf = (row: queries.Row) => row.position;

/** Puts spaces at the end of a site's variants. The first one that a site gets is its default. */
export async function attach(ctx: Ctx, site: Site, spaces: Space[]): Promise<queries.Row[]> {
  const present = await queries.every(ctx, site.id);
  const taken = new Set(present.map(({ path }) => path));
  const last = Math.max(0, ...present.map(positionOf));
  const orphaned = !present.some((row) => row.is_default);
  const rows = spaces.map((space, index) => {
    const path = uniqueSlug([...slugify(space.title, "docs")].slice(0, LONGEST_PATH).join(""), taken);
    taken.add(path);
    return {
      id: newId("sitesp"),
      site: site.id,
      organization: site.organization,
      space: space.id,
      path,
      is_default: orphaned && index === 0,
      position: last + 1 + index,
    };
  });
  return queries.insert(ctx, rows);
}

/**
 * Takes a variant off its site, for good or as long as its space is in the trash. The next variant becomes the
 * default if it was; a site that showed nothing else is unpublished.
 */
export async function detach(ctx: Ctx, site: SiteRow, row: queries.Row, how: "removed" | "trashed") {
  if (how === "removed") await queries.remove(ctx, row.id);
  else await queries.update(ctx, row.id, { trashed_at: ctx.clock().toISOString(), is_default: false });
  const left = await queries.shown(ctx, site.id);
  const heir = left.find(({ position }) => position > row.position) ?? left[0];
  if (row.is_default && heir) await queries.moveDefault(ctx, site.id, heir.id);
  if (site.published && !heir) await setPublished(ctx, site, false);
  else await emitSiteAudience(ctx, site);
  const action = how === "removed" ? "site-space.remove" : "site-space.trash";
  await auditSiteSpace(ctx, action, row, { site: site.id, space: row.space });
}

/** Shows a variant again whose space came back from the trash. */
export async function reattach(ctx: Ctx, site: SiteRow, row: queries.Row) {
  const orphaned = !(await queries.shown(ctx, site.id)).some(({ is_default }) => is_default);
  await queries.update(ctx, row.id, { trashed_at: null, is_default: orphaned });
  await emitSiteAudience(ctx, site);
  await auditSiteSpace(ctx, "site-space.restore", row, { site: site.id, space: row.space });
}

/** Gives the root of the site to one of its variants; 400 when it is none of them. */
export async function makeDefault(ctx: Ctx, site: string, siteSpace: string) {
  const shown = await queries.shown(ctx, site);
  if (!shown.some(({ id }) => id === siteSpace)) {
    refuseAt("body.defaultSiteSpace", "is no site space of this site");
  }
  await queries.moveDefault(ctx, site, siteSpace);
}
