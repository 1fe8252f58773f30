import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { view } from "./view.js";

/** Returns members as they are shown, all of one organization, each with their teams counted. */
export async function present(ctx: Ctx, organization: string, rows: queries.Row[]) {
  const people = rows.map(({ person }) => person);
  return rows.map(view(ctx, await queries.teamsOf(ctx, organization, people)));
}

/** Returns one member as they are shown. */
export async function presentOne(ctx: Ctx, row: queries.Row) {
  const teams = await queries.teamsOf(ctx, row.organization, [row.person]);
  return view(ctx, teams)(row);
}
