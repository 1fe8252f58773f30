import type { Space } from "@octavo/shared/contracts/schemas/space";
import { refuse } from "@octavo/shared/errors";
import { allowStanding } from "../access/standing.js";
import { AT_ONCE } from "../content/content.js";
import type { Action } from "../permissions.js";
import type { Ctx } from "../trpc.js";

/** The spaces of an organization among `ids` that the caller may read, by id: one call for all of them. */
export async function readable(ctx: Ctx, organization: string, ids: string[]): Promise<Map<string, Space>> {
  const slices = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, slice) =>
    ids.slice(slice * AT_ONCE, (slice + 1) * AT_ONCE),
  );
  const results = await Promise.all(slices.map((slice) => ctx.content.lookup(ctx, slice)));
  const own = results.flat().filter((space) => space.organization === organization);
  return new Map(own.map((space) => [space.id, space]));
}

/**
 * The spaces that shall be shown on a site of the organization, in the order of `ids`: 404 for one that the caller may
 * not read or that lies elsewhere, 403 without the right to decide who sees it. Asked inside the transaction that shows
 * them, which holds their changes: what content reported before is in the response, what it reports later finds them shown.
 */
export async function spacesToShow(
  ctx: Ctx,
  organization: string,
  ids: string[],
  action: Action,
): Promise<Space[]> {
  const [spaces, standing] = await Promise.all([
    readable(ctx, organization, ids),
    ctx.content.standing(ctx, organization, ids),
  ]);
  allowStanding(standing, action);
  const undecided = new Set(standing.undecided.map(({ id }) => id));
  return ids.map((id) => {
    const space = spaces.get(id);
    if (!space) refuse("NOT_FOUND", "Space: not found");
    if (undecided.has(id)) refuse("FORBIDDEN", "Space: needs the role create");
    return space;
  });
}
