import { post } from "@octavo/shared/database/posted";
import { keepPerson } from "../../people/queries.js";
import type { Ctx } from "../../trpc.js";

/** What somebody did to a change request. */
export type Contribution = "edit" | "comment";

/** Counts an edit or a comment of the caller's, in the open transaction. A service is no contributor. */
export async function contribute(ctx: Ctx, change_request: string, action: Contribution): Promise<void> {
  const { caller, db, clock } = ctx;
  if (caller.kind !== "user") return;
  await keepPerson(ctx);
  const counted = db
    .insertInto("contributor")
    .values({ change_request, person: caller.id, action, updated_at: clock() })
    .onConflict((conflict) =>
      conflict.columns(["change_request", "person", "action"]).doUpdateSet((of) => ({
        count: of("contributor.count", "+", 1),
        updated_at: clock(),
      })),
    );
  await post(db, counted);
}
