import { handDownEachSoon } from "../event-queue/scripts-soon.js";
import { policyText } from "../space-integrations/at-work.js";
import * as queries from "../store/injected-scripts.js";
import type { Ctx } from "../trpc.js";

// Profiles of published sites name the scripts that integrations put into pages. Sites, which are below integrations, are
// handed down what each installation adds, and on which sites it is by itself.

/** Sites that are handed down at a time, and installations that are looked at. */
const PAGE = 1_000;

interface Installation {
  installation: string;
  organization: string;
}

/** Hands down to sites what an installation puts into pages now, page by page; safe to run again. */
export async function handDown(ctx: Ctx, { installation, organization }: Installation): Promise<void> {
  const row = await queries.injectedBy(ctx, installation);
  const script = row && {
    integration: row.name,
    cookies: row.cookies,
    everywhere: row.everywhere,
    ...(row.policy && { contentSecurityPolicy: policyText(row.policy) }),
  };
  let above: string | undefined;
  do {
    const places = script ? await queries.placesOf(ctx, installation, above, PAGE) : [];
    const upTo = places.length === PAGE ? places.at(-1)!.site : undefined;
    await ctx.sites.handDownScript(ctx, { installation, organization, script, above, upTo, places });
    above = upTo;
  } while (above !== undefined);
}

/** Enqueues `handDown` for all installations of an integration. */
export async function handDownAll(ctx: Ctx, { integration }: { integration: string }): Promise<void> {
  let above = "";
  for (;;) {
    const rows = await queries.installationsOf(ctx, integration, above, PAGE);
    if (rows.length > 0) await handDownEachSoon(ctx, rows);
    if (rows.length < PAGE) return;
    above = rows.at(-1)!.id;
  }
}
