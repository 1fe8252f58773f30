import { httpUrl, id, text, time, uri } from "@octavo/shared/contracts/fields";
import { contentRef } from "@octavo/shared/contracts/schemas/content-ref";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

/** What is accepted of one batch; its body is bounded as every other. */
const MOST_EVENTS = 500;
/** Claims of a visitor, as JSON. */
const LONGEST_CLAIMS = 4096;

const opaque = text(256, 1);
const session = z.object({
  visitorId: opaque,
  sessionId: opaque,
  cookies: z.record(text(256), text(4096)),
  ip: text(64).optional(),
  userAgent: text(1024),
  language: text(64).nullable(),
  referrer: z.union([z.literal(""), uri]).nullable(),
  visitorAuthToken: text(8192).nullish(),
  visitorAuthClaims: z
    .record(text(256), z.unknown())
    .refine(
      (claims) => JSON.stringify(claims).length <= LONGEST_CLAIMS,
      `must have at most ${LONGEST_CLAIMS} characters as JSON`,
    )
    .refine(
      (claims) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(claims)),
      "must be text that can be stored",
    )
    .optional(),
});
const location = z.object({
  url: httpUrl,
  siteSection: id.nullable(),
  siteSpace: id.nullable(),
  siteShareKey: text(512).nullable(),
  space: id.nullable(),
  revision: id.nullable(),
  page: id.nullable(),
});
const base = { session, location, timestamp: time.optional() };

export const rating = z.enum(["bad", "ok", "good"]);
export const linkPosition = z.enum(["announcement", "header", "footer", "sidebar", "content"]);
export const adPlacement = z.literal("aside");
export const trademarkPlacement = z.enum(["sidebar", "ad", "footer", "pdf"]);
const query = text(512);
const operation = z.object({ path: text(2048), method: text(16) });
const ad = z.object({ domain: text(253), zoneId: text(256), placement: adPlacement });

const of = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...base, ...shape });

/** What visitors of a site do. */
export const SiteInsightsEvent = z
  .discriminatedUnion("type", [
    of("page_view", {}),
    of("search_open", {}),
    of("search_type_query", { query }),
    of("search_open_result", { query, result: z.object({ spaceId: id, pageId: id }) }),
    of("page_post_feedback", { feedback: z.object({ rating }) }),
    of("page_post_feedback_comment", { feedback: z.object({ rating, comment: text(512, 1) }) }),
    of("ask_question", { query }),
    of("ask_view", {}),
    of("ask_rate_response", {
      query,
      rating: z.union([z.literal(1), z.literal(-1)]),
      responseId: opaque,
    }),
    of("link_click", { link: z.object({ target: contentRef, position: linkPosition }) }),
    of("api_client_open", { operation }),
    of("api_client_request", { operation }),
    of("trademark_click", { placement: trademarkPlacement }),
    of("ad_click", { ad }),
    of("ad_display", { ad }),
  ])
  .meta({ id: "SiteInsightsEvent" });
export type SiteInsightsEvent = z.output<typeof SiteInsightsEvent>;
export const eventType = z.enum(
  SiteInsightsEvent.options.map(({ shape }) => shape.type.value) as [SiteInsightsEvent["type"]],
);

export const TrackEvents = OneSite.extend({ events: z.array(SiteInsightsEvent).min(1).max(MOST_EVENTS) });
