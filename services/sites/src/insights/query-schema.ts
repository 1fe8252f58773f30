import { listOf, text, time } from "@octavo/shared/contracts/fields";
import { contentRef } from "@octavo/shared/contracts/schemas/content-ref";
import { z } from "zod";
import { OneSite } from "../access/schema.js";
import { adPlacement, eventType, linkPosition, rating, trademarkPlacement } from "./event-schema.js";

/** Columns, filters, and values of one filter. */
const MOST = 50;
const MOST_VALUES = 500;

const words = text(2048);
const maybeWords = words.nullable();
const number = z.number().int().min(-1_000_000_000).max(1_000_000_000);
const browser = z.enum(["chrome", "firefox", "safari", "edge", "ie", "opera", "unknown"]);
const device = z.enum(["desktop", "tablet", "mobile", "unknown"]);
const os = z.enum(["windows", "macos", "linux", "android", "ios", "unknown"]);
const bot = z
  .enum([
    ...(["", "unknown", "googlebot", "bingbot", "duckduckbot"] as const),
    ...(["facebookbot", "applebot", "chatgpt", "anthropic"] as const),
  ])
  .nullable();
const linkKind = z.enum(["url", "page", "file", "anchor", "space", "collection", "user", "reusable-content"]);

/** Columns that take no more than their name, with the values that filters on them take. */
export const VALUES = {
  url: words,
  eventType,
  eventsCount: number,
  sessionsCount: number,
  visitorsCount: number,
  siteSection: maybeWords,
  siteSpace: maybeWords,
  siteShareKey: maybeWords,
  page: z.object({ page: maybeWords, space: words }).nullable(),
  visitorGeoCountry: maybeWords,
  visitorDevice: device,
  visitorBrowser: browser,
  visitorOS: os,
  visitorBot: bot,
  visitorLanguage: maybeWords,
  eventLinkTargetValue: contentRef,
  eventLinkTargetKind: linkKind,
  eventLinkTargetDomain: maybeWords,
  eventLinkPosition: linkPosition,
  eventAPIOperationPath: maybeWords,
  eventAPIOperationMethod: maybeWords,
  eventSearchQuery: words,
  eventPageFeedbackRating: rating,
  eventPageFeedbackComment: words,
  eventAskResponseRating: number,
  pageFeedbackRating: z.object({ ok: number, good: number, bad: number }),
  askResponseRating: z.object({ positive: number, negative: number }),
  referrer: words,
  referrerDomain: words,
  utmSource: words,
  utmMedium: words,
  utmCampaign: words,
  utmTerm: words,
  utmContent: words,
  visitorClaimProperty: words,
  eventAdDomain: words,
  eventAdPlacement: adPlacement,
  eventTrademarkPlacement: trademarkPlacement,
} as const;
type Plain = keyof typeof VALUES;
const names = Object.keys(VALUES) as [Plain, ...Plain[]];

const claim = text(256, 1);
export const column = z.discriminatedUnion("column", [
  z.object({ column: z.literal("datetime"), interval: z.enum(["hour", "day", "week", "month"]).optional() }),
  z.object({ column: z.literal("visitorGeoPoint"), precision: z.number().int().min(0).max(15).optional() }),
  z.object({ column: z.literal("visitorClaim"), claim }),
  z.object({ column: z.enum(names) }),
]);
export type Column = z.output<typeof column>;

const operator = z
  .enum(["in", "notIn", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"])
  .default("in");
const some = (value: z.ZodType) => z.array(value).min(1).max(MOST_VALUES);
const point = z.object({ latitude: z.number(), longitude: z.number(), h3: text(32) });
const filter = z
  .discriminatedUnion("column", [
    z.object({ column: z.literal("datetime"), operator, values: some(time) }),
    z.object({ column: z.literal("visitorGeoPoint"), operator, values: some(point.nullable()) }),
    z.object({ column: z.literal("visitorClaim"), claim, operator, values: some(words) }),
    ...names.map((name) => z.object({ column: z.literal(name), operator, values: some(VALUES[name]) })),
  ])
  .superRefine(({ column, operator, values }, context) => {
    if (operator === "in" || operator === "notIn") return;
    const ordered = ["datetime", "eventsCount", "sessionsCount", "visitorsCount", "eventAskResponseRating"];
    if (!ordered.includes(column))
      context.addIssue({ code: "custom", path: ["operator"], message: `does not compare ${column}` });
    if (values.length !== 1)
      context.addIssue({ code: "custom", path: ["values"], message: "must be one value to compare with" });
  });
export type Filter = z.output<typeof filter>;

const LONGEST_RANGE_MS = 400 * 86_400_000;
const range = z.union([
  z.enum(["lastYear", "last3Months", "last30Days", "last7Days", "last24Hours"]),
  z
    .object({ from: time, to: time })
    .refine(({ from, to }) => from < to, { path: ["to"], message: "must lie after `from`" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= LONGEST_RANGE_MS, {
      path: ["to"],
      message: "must lie at most 400 days after `from`",
    }),
]);
export type Range = z.output<typeof range>;

export const AggregateEvents = OneSite.extend({
  select: z.array(column).min(1).max(MOST).optional(),
  where: z.array(filter).max(MOST).optional(),
  groupBy: z.array(column).max(MOST).optional(),
  order: z.object({ by: column, direction: z.enum(["asc", "desc"]) }).optional(),
  range,
  limit: z.number().int().min(1).max(1000).default(1000),
});
export type Aggregation = z.output<typeof AggregateEvents>;

/** One list of values for each column, all of the same length. */
export const Aggregated = z
  .object({
    columns: z.array(
      z.object({ column: z.string(), claim: z.string().optional(), values: z.array(z.unknown()) }),
    ),
  })
  .meta({ id: "SiteInsightsQueryEventsAggregationResult" });

export const VisitorSegments = listOf(
  z
    .object({
      title: z.string(),
      claims: z.record(z.string(), z.unknown()),
      events: z.number().int(),
      visitors: z.number().int(),
      sessions: z.number().int(),
    })
    .meta({ id: "SiteInsightsVisitorSegment" }),
);
