import { post } from "@octavo/shared/database/posted";
import { sql } from "kysely";
import { personKept } from "../../people/queries.js";
import type { Ctx } from "../../trpc.js";

/** What somebody did to a change request. */
export type Contribution = "edit" | "comment";

/** Counts an edit or a comment of the caller's, in the open transaction. A service is no contributor. */
export async function contribute(ctx: Ctx, changeRequest: string, action: Contribution): Promise<void> {
  const { caller, db, clock } = ctx;
  if (caller.kind !== "user") return;
  await post(
    db,
    sql`with kept as (${personKept(ctx)})
    insert into contributor (change_request, person, action, updated_at)
    values (${changeRequest}, ${caller.id}, ${action}, ${clock()})
    on conflict (change_request, person, action) do update
    set count = contributor.count + 1, updated_at = excluded.updated_at`,
  );
}
