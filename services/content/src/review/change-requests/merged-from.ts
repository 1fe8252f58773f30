import type { Ctx } from "../../trpc.js";
import { changeRequestsById } from "./queries.js";
import { view } from "./view.js";

/** The change request that a merge brought in. */
export async function mergedFrom(ctx: Ctx, id: string) {
  const [row] = await changeRequestsById(ctx, [id]);
  return row && view(ctx)(row);
}
