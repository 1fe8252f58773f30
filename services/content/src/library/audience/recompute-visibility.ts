import { SpaceVisibilityChanged } from "@octavo/shared/contracts/events/content";
import { emit } from "@octavo/shared/events/outbox";
import { sql } from "kysely";
import { openness, PUBLISHED } from "../../access/visibility.js";
import type { Visibility } from "../../db/tables/spaces.js";
import type { Ctx } from "../../trpc.js";

interface Changed {
  id: string;
  organization: string;
  previous: Visibility;
  visibility: Visibility;
}

/**
 * Locks spaces, in one order: who reads them afterwards sees what any other change to their audience or their owner has
 * committed.
 */
export async function lockSpaces({ db }: Ctx, ids: string[]): Promise<void> {
  await sql`select 1 from space where id = any(${ids}) order by id for update`.execute(db);
}

/**
 * Brings the visibility of spaces in line with the sites that show them and with where they lie, and emits an event for those
 * whose visibility really changed; what is published is locked against direct edits. Spaces in the trash are left alone until they come back.
 */
export async function recomputeVisibility(ctx: Ctx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await lockSpaces(ctx, ids);
  const { rows } = await sql<Changed>`
    update space set visibility = now.visibility,
      edit_mode = case when now.visibility = any(${PUBLISHED as readonly Visibility[]}) then 'locked' else space.edit_mode end
    from (
      select s.id, s.visibility as previous, coalesce(
        (select a.visibility from audience a where a.space = s.id order by ${openness} limit 1),
        case when s.parent is not null and s.default_level = 'inherit' then 'in-collection' else 'private' end
      ) as visibility
      from space s where s.id = any(${ids}) and s.deleted_at is null) now
    where space.id = now.id and now.previous <> now.visibility
    returning space.id, space.organization, now.previous, space.visibility`.execute(ctx.db);
  for (const { id, organization, previous, visibility } of rows.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    await emit(ctx, SpaceVisibilityChanged, id, { space: id, organization, previous, visibility });
  }
}
