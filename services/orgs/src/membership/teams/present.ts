import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { view } from "./view.js";

/** Returns teams as they are shown, each with the number of its people. */
export async function present(ctx: Ctx, rows: queries.Row[]) {
  const ids = rows.map(({ id }) => id);
  return rows.map(view(ctx, await queries.sizes(ctx, ids)));
}

/** Returns one team as it is shown, with the number of its people. */
export async function presentOne(ctx: Ctx, row: queries.Row) {
  return view(ctx, await queries.sizes(ctx, [row.id]))(row);
}
