import { transact } from "@octavo/shared/database/transact";
import { refuseAll } from "@octavo/shared/errors";
import { loadSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import * as queries from "../store/insights.js";
import type { Call } from "../trpc.js";
import { aggregate } from "./aggregate.js";
import { emitVisits } from "./emit-visits.js";
import type { TrackEvents } from "./event-schema.js";
import type { AggregateEvents, Range } from "./query-schema.js";
import { rowOf } from "./rows.js";

// What visitors of a site do is only ever added, and counted; after some time it is deleted.

const DAY_MS = 86_400_000;
/** How long an event may have been on its way. */
const LATEST_MS = 7 * DAY_MS;
const SEGMENTS = 100;
const SEGMENTS_OF_DAYS = 30;

/**
 * Records what visitors did; all events of a batch or none. 400 for an event of more than a week ago, 403 for guests,
 * 404 for strangers or an unknown site.
 */
export async function trackEvents({ ctx, input }: Call<typeof TrackEvents>) {
  const site = await loadSite(ctx, input, "site.trackEvents");
  const now = ctx.clock();
  const isLate = (at?: string) => at !== undefined && Date.parse(at) < now.getTime() - LATEST_MS;
  refuseAll(
    input.events.flatMap(({ timestamp }, index) =>
      isLate(timestamp)
        ? [{ path: `body.events.${index}.timestamp`, message: "lies more than a week back" }]
        : [],
    ),
  );
  await transact(ctx, async (ctx) => {
    await queries.insert(
      ctx,
      input.events.map((event) => rowOf(site.id, event, now)),
    );
    await emitVisits(ctx, site, input.events);
  });
}

/** Counts events of a site by columns; refuses like `aggregate`, 403 for who may not see the insights of the site. */
export async function aggregateEvents({ ctx, input }: Call<typeof AggregateEvents>) {
  const site = await loadSite(ctx, input, "site.viewInsights");
  return aggregate(ctx, { site: site.id, ...spanOf(input.range, ctx.clock()) }, input);
}

/**
 * Lists the claims that visitors of the last 30 days had, at most 100, those of most visitors first; 403 for who may
 * not edit in the organization, 404 for strangers or an unknown site.
 */
export async function listVisitorSegments({ ctx, input }: Call<typeof OneSite>) {
  const site = await loadSite(ctx, input, "site.viewInsights");
  const from = new Date(ctx.clock().getTime() - SEGMENTS_OF_DAYS * DAY_MS);
  const rows = await queries.segments(ctx, { site: site.id, from, limit: SEGMENTS });
  const items = rows.map((row) => ({ ...row, title: titleOf(row.claims) }));
  return { items, count: items.length };
}

const DAYS = { lastYear: 365, last3Months: 91, last30Days: 30, last7Days: 7, last24Hours: 1 };

function spanOf(range: Range, now: Date) {
  if (typeof range !== "string") return { from: new Date(range.from), to: new Date(range.to) };
  return { from: new Date(now.getTime() - DAYS[range] * DAY_MS), to: new Date(now.getTime() + 1) };
}

const titleOf = (claims: Record<string, unknown>): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")
    .slice(0, 200) || "No claims";
