import { refuse, refuseAt } from "@octavo/shared/errors";
import { othersTurn } from "@octavo/shared/workers/yield";
import * as queries from "../store/redirects.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { pathOf } from "./destinations.js";
import { isCircular, leadsBack, sortedSteps } from "./paths.js";

/** Redirects of one site, at most. */
const MOST = 10_000;

/** 409 when a site cannot have so many more redirects. */
export async function refuseFull(ctx: Ctx, site: Site, more: number): Promise<void> {
  if ((await queries.count(ctx, site.id)) + more > MOST)
    refuse("CONFLICT", `Site: has at most ${MOST} redirects`, { reason: "too_many_redirects" });
}

type Changed = Pick<queries.Row, "id" | "source_key" | "kind" | "address">;

/**
 * 400 for a redirect onto itself, 409 when redirects that are added or changed would lead in a circle with others or with
 * each other. `placeOf` names the destination of each of them in the input.
 */
export async function refuseCircles(
  ctx: Ctx,
  site: Site,
  rows: Changed[],
  placeOf: (at: number) => string = () => "body.destination",
): Promise<void> {
  const stepOf = (one: Changed) => ({ id: one.id, from: one.source_key, to: pathOf(ctx, site, one) });
  const starts = rows.map(stepOf);
  for (const [at, start] of starts.entries())
    if (isCircular([], start))
      refuseAt(placeOf(at), "is what the redirect itself leads from", { reason: "redirect_onto_itself" });
  const leading = starts.filter(({ to }) => to !== undefined);
  if (leading.length === 0) return;
  const replaced = new Set(rows.map(({ id }) => id));
  const others = (await queries.toAddresses(ctx, site.id)).filter(({ id }) => !replaced.has(id));
  const all = sortedSteps([...others.map(stepOf), ...starts]);
  for (const [at, start] of leading.entries()) {
    if (leadsBack(all, start))
      refuse("CONFLICT", `Redirect: ${start.from} would lead in a circle with others`, {
        reason: "redirect_circle",
      });
    if (at % 20 === 19) await othersTurn();
  }
}
