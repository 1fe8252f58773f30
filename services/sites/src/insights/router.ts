import { noContent } from "@octavo/shared/contracts/fields";
import { OneSite } from "../access/schema.js";
import { get, post, router } from "../trpc.js";
import { TrackEvents } from "./event-schema.js";
import { Aggregated, AggregateEvents, VisitorSegments } from "./query-schema.js";
import * as rules from "./rules.js";

const one = "/orgs/{organizationId}/sites/{siteId}/insights" as const;

export const insights = router({
  trackEvents: post(`${one}/events`, {
    status: 204,
    operationId: "trackEventsInSiteById",
    permission: "site.trackEvents",
    summary: "Record what visitors of a site did",
    reader: true,
  })
    .input(TrackEvents)
    .output(noContent)
    .mutation(rules.trackEvents),
  aggregateEvents: post(`${one}/events/aggregate`, {
    status: 200,
    operationId: "aggregateSiteEvents",
    permission: "site.viewInsights",
    summary: "Count what visitors of a site did",
  })
    .input(AggregateEvents)
    .output(Aggregated)
    .query(rules.aggregateEvents),
  listVisitorSegments: get(`${one}/visitor-segments`, {
    operationId: "listSiteVisitorSegments",
    permission: "site.viewInsights",
    summary: "List the claims that visitors of a site have",
  })
    .input(OneSite)
    .output(VisitorSegments)
    .query(rules.listVisitorSegments),
});
