import { SpaceDeleted } from "@octavo/shared/contracts/events/content";
import { atLeast, type Level, ROLES } from "@octavo/shared/contracts/roles";
import { emit } from "@octavo/shared/events/outbox";
import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";
import { countGrantsOn } from "../grants/count.js";

/** Moves a space to the trash; nothing happens when it is there already. */
export async function discard(ctx: Ctx, id: string): Promise<void> {
  const discarded = await ctx.db
    .updateTable("space")
    .set({ deleted_at: ctx.clock() })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .returning("organization")
    .executeTakeFirst();
  if (!discarded) return;
  await emit(ctx, SpaceDeleted, id, { space: id, organization: discarded.organization });
  await countGrantsOn(ctx, [id]);
}

/**
 * Takes the spaces out of collections that go away, and moves them to the trash: a restored one is at the top level, with
 * the default level that it inherited, so that what a collection closed stays closed. That is at most the level that the
 * caller had on the collections: grants that gave them less are gone.
 */
export async function discardIn(ctx: Ctx, collections: string[], own: Level): Promise<void> {
  const above = ROLES.filter((role) => !atLeast(own, role));
  const { rows } = await sql<{ id: string; organization: string; deleted_at: string | null }>`
    with inside as (select id, parent, deleted_at from space where parent = any(${collections}) for update)
    update space set parent = null, deleted_at = coalesce(space.deleted_at, ${ctx.clock()}),
      default_level = case when space.default_level = 'inherit' and decides.id is not null then
        case when decides.default_level = any(${above}) then ${own ?? null} else decides.default_level end
        else space.default_level end
    from inside left join lateral (
      select c.id, c.default_level from collection p join collection c on c.id = any(p.ancestors || p.id)
      where p.id = inside.parent and c.default_level is distinct from 'inherit'
      order by cardinality(c.ancestors) desc limit 1) decides on true
    where space.id = inside.id
    returning space.id, space.organization, inside.deleted_at`.execute(ctx.db);
  const discarded = rows
    .filter(({ deleted_at }) => deleted_at === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, organization } of discarded)
    await emit(ctx, SpaceDeleted, id, { space: id, organization });
  await countGrantsOn(
    ctx,
    discarded.map(({ id }) => id),
  );
}
