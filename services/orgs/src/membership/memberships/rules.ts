// Who belongs to an organization, for the services above, which decide by it what people may do there.

import { paginate } from "@octavo/shared/paginate";
import { view as userView } from "../../accounts/users/view.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Find, List, Teams } from "./schema.js";

/** Returns the memberships of people and of all people of teams in an organization, with their teams. */
export function find({ ctx, input }: Call<typeof Find>) {
  return queries.find(ctx, input);
}

/** Lists members of an organization by role or by name, who joined first first. */
export function list({ ctx, input }: Call<typeof List>) {
  const user = userView(ctx);
  return paginate({
    query: queries.list(ctx, input),
    by: [{ column: "member.joined_at" }],
    key: "member.person",
    input,
    view: (rows) => rows.map((row) => ({ user: user({ ...row, id: row.person }), role: row.role })),
  });
}

/** Returns the ids of those teams that belong to an organization. */
export async function teams({ ctx, input }: Call<typeof Teams>) {
  const rows = await queries.teams(ctx, input);
  return rows.map(({ id }) => id);
}
