import { paginate } from "@octavo/shared/paginate";
import { scopeOf } from "../../revisions/scope.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { List } from "./schema.js";
import { view } from "./view.js";

/** Lists who edited a change request or commented on it, and how often. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { changeRequest } = await scopeOf(ctx, input);
  return paginate({
    query: queries.ofChangeRequest(ctx, changeRequest!.id),
    by: [{ column: "contributor.person" }],
    key: "contributor.action",
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}
