import { paginate } from "@octavo/shared/paginate";
import { resolveTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { List } from "./schema.js";
import { view } from "./view.js";

/** Lists who edited a change request or commented on it, and how often; 404 when there is none. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { changeRequest } = await resolveTarget(ctx, input);
  return paginate({
    query: queries.ofChangeRequest(ctx, changeRequest!.id),
    by: [{ column: "contributor.person" }],
    key: "contributor.action",
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}
