import { post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import { type Person, personKept, personOf } from "../../people/queries.js";
import type { Ctx } from "../../trpc.js";

/** What somebody did to a change request. */
export type Contribution = "edit" | "comment";

/** Counts an edit or a comment of the caller's, in the open transaction. A service is no contributor. */
export async function contribute(ctx: Ctx, changeRequest: string, action: Contribution): Promise<void> {
  const { caller, db, clock } = ctx;
  if (caller.kind !== "user") return;
  await post(db, contributed({ ...personOf(ctx), changeRequest, action, now: clock() }));
}

const contributed = prepareStatement(
  (arg: Argument<Person & { changeRequest: string; action: Contribution; now: Date }>) => sql`
    with kept as (${personKept(arg)})
    insert into contributor (change_request, person, action, updated_at)
    values (${arg("changeRequest")}, ${arg("id")}, ${arg("action")}, ${arg("now")})
    on conflict (change_request, person, action) do update
    set count = contributor.count + 1, updated_at = excluded.updated_at`,
);
