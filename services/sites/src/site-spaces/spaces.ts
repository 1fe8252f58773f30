import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import type { Space } from "@octavo/shared/schemas/space";
import type { Ctx } from "../trpc.js";
import { changesOf, unchanged } from "./changes.js";

const AT_ONCE = 1000;
const TRIES = 4;

/** The spaces of an organization among `ids` that the caller may read, by id: one call for all of them. */
export async function readable(ctx: Ctx, organization: string, ids: string[]): Promise<Map<string, Space>> {
  const slices = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, slice) =>
    ids.slice(slice * AT_ONCE, (slice + 1) * AT_ONCE),
  );
  const answers = await Promise.all(slices.map((slice) => ctx.content.lookup(ctx, slice)));
  const own = answers.flat().filter((space) => space.organization === organization);
  return new Map(own.map((space) => [space.id, space]));
}

/**
 * Runs `work` in a transaction, with the spaces that shall be shown on a site of the organization: 404 for one that
 * the caller may not read or that lies elsewhere, 403 without the right to decide who sees it. A transfer or deletion
 * that comes in between is not missed: content is asked again.
 */
export async function withSpaces<Result>(
  ctx: Ctx,
  organization: string,
  ids: string[],
  work: (ctx: Ctx, spaces: Space[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const before = await changesOf(ctx, ids);
    const spaces = await publishable(ctx, organization, ids);
    const done = await transact(ctx, async (ctx) =>
      (await unchanged(ctx, ids, before)) ? { result: await work(ctx, spaces) } : undefined,
    );
    if (done) return done.result;
  }
  refuse("CONFLICT", "Space: is being moved, try again");
}

async function publishable(ctx: Ctx, organization: string, ids: string[]): Promise<Space[]> {
  const spaces = await readable(ctx, organization, ids);
  return ids.map((id) => {
    const space = spaces.get(id);
    if (!space) refuse("NOT_FOUND", "Space: not found");
    if (!space.permissions.admin) refuse("FORBIDDEN", "Space: needs the role create");
    return space;
  });
}
