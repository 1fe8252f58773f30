import type { Reach } from "@octavo/shared/contracts/callers";
import * as queries from "../store/tokens.js";
import type { Ctx } from "../trpc.js";

interface Installation extends Pick<queries.Found, "space_selection" | "site_selection"> {
  installation: string;
}

/** Returns the spaces and the sites that an installation works in; those that a request names are decided in any case. */
export async function reachesOf(
  ctx: Ctx,
  { installation, space_selection, site_selection }: Installation,
  named: { space?: string; site?: string },
) {
  const [spaces, sites] = await Promise.all([
    reachOf(ctx, { installation, kind: "space", all: space_selection === "all", named: named.space }),
    reachOf(ctx, { installation, kind: "site", all: site_selection === "all", named: named.site }),
  ]);
  return { spaces, sites };
}

/** As many spaces, and as many sites, travel with a request; what it names is among them. */
const MOST_NAMED = 100;

/**
 * Which spaces, or which sites: all but those where it is installed by itself and not at work, or those alone where it
 * is. Beyond a hundred, lists show the first of them, and what a request names is decided all the same.
 */
async function reachOf(ctx: Ctx, of: queries.ReachOf): Promise<Reach | undefined> {
  const { all, named } = of;
  const but = await queries.exceptions(ctx, of, MOST_NAMED + 1);
  if (but.length <= MOST_NAMED) return all && but.length === 0 ? undefined : { all, but };
  if (!all) return { all, but: but.slice(0, MOST_NAMED) };
  // Too many to be left out: then only what is named is decided, and there is nothing besides.
  return { all: false, but: named === undefined || but.includes(named) ? [] : [named] };
}
