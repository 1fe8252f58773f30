import { type RawBuilder, sql } from "kysely";
import type { Column } from "./query-schema.js";

/** What a column stands for in SQL. */
export interface Expression {
  sql: RawBuilder<unknown>;
  type: "text" | "int" | "jsonb" | "timestamptz";
  /** Whether it is counted over the events of a group, `x`; other columns are read of one event, `e`. */
  isMeasure?: true;
  /** Whether events that have none of it are left out. */
  isRequired?: true;
}

const own = (name: string): Expression => ({ sql: sql`${sql.ref(`e.${name}`)}`, type: "text" });
/** A part of events that is of their type. */
const detail = (...path: string[]): Expression => ({ sql: sql`e.details #>> ${path}::text[]`, type: "text" });
const required = (expression: Expression): Expression => ({ ...expression, isRequired: true });
const counted = (what: RawBuilder<unknown>): Expression => ({
  sql: sql`count(${what})::int`,
  type: "int",
  isMeasure: true,
});
const isRated = (type: string, path: string[], value: string) =>
  sql`count(*) filter (where x.type = ${type} and x.details #>> ${path}::text[] = ${value})::int`;
const feedback = (value: string) => isRated("page_post_feedback", ["feedback", "rating"], value);
const responses = (value: string) => isRated("ask_rate_response", ["rating"], value);

const PLAIN: Record<Exclude<Column["column"], "datetime" | "visitorClaim">, Expression> = {
  url: own("url"),
  eventType: own("type"),
  eventsCount: counted(sql`*`),
  sessionsCount: counted(sql`distinct x.session`),
  visitorsCount: counted(sql`distinct x.visitor`),
  siteSection: own("site_section"),
  siteSpace: own("site_space"),
  siteShareKey: own("share_key"),
  page: {
    sql: sql`case when e.space is not null
      then jsonb_build_object('page', e.page, 'space', e.space) end`,
    type: "jsonb",
  },
  // Where visitors are is not looked up.
  visitorGeoCountry: { sql: sql`null::text`, type: "text" },
  visitorGeoPoint: { sql: sql`null::jsonb`, type: "jsonb" },
  visitorDevice: own("device"),
  visitorBrowser: own("browser"),
  visitorOS: own("os"),
  visitorBot: own("bot"),
  visitorLanguage: own("language"),
  eventLinkTargetValue: { sql: sql`e.details #> '{link,target}'`, type: "jsonb", isRequired: true },
  eventLinkTargetKind: required(detail("link", "target", "kind")),
  eventLinkTargetDomain: detail("linkDomain"),
  eventLinkPosition: required(detail("link", "position")),
  eventAPIOperationPath: detail("operation", "path"),
  eventAPIOperationMethod: detail("operation", "method"),
  eventSearchQuery: {
    sql: sql`case when e.type in ('search_type_query', 'search_open_result') then e.details ->> 'query' end`,
    type: "text",
    isRequired: true,
  },
  eventPageFeedbackRating: required(detail("feedback", "rating")),
  eventPageFeedbackComment: required(detail("feedback", "comment")),
  eventAskResponseRating: { sql: sql`(e.details ->> 'rating')::int`, type: "int", isRequired: true },
  pageFeedbackRating: {
    sql: sql`jsonb_build_object('ok', ${feedback("ok")}, 'good', ${feedback("good")}, 'bad', ${feedback("bad")})`,
    type: "jsonb",
    isMeasure: true,
  },
  askResponseRating: {
    sql: sql`jsonb_build_object('positive', ${responses("1")}, 'negative', ${responses("-1")})`,
    type: "jsonb",
    isMeasure: true,
  },
  referrer: own("referrer"),
  referrerDomain: own("referrer_domain"),
  utmSource: own("utm_source"),
  utmMedium: own("utm_medium"),
  utmCampaign: own("utm_campaign"),
  utmTerm: own("utm_term"),
  utmContent: own("utm_content"),
  /** Each claim that a visitor has counts by itself. */
  visitorClaimProperty: { sql: sql`property.name`, type: "text" },
  eventAdDomain: required(detail("ad", "domain")),
  eventAdPlacement: required(detail("ad", "placement")),
  eventTrademarkPlacement: required(detail("placement")),
};

/** What a column of a query stands for. */
export function expressionOf(column: Column): Expression {
  if (column.column === "datetime") {
    const { interval } = column;
    const at = interval ? sql`date_trunc(${interval}, e.occurred_at)` : sql`e.occurred_at`;
    return { sql: at, type: "timestamptz" };
  }
  if (column.column !== "visitorClaim") return PLAIN[column.column];
  return required({ sql: sql`e.claims #>> ${column.claim.split(".")}::text[]`, type: "text" });
}

/** Whether two columns are the same. */
export const keyOf = (column: Column): string =>
  JSON.stringify([
    column.column,
    "interval" in column ? column.interval : undefined,
    "claim" in column ? column.claim : undefined,
  ]);
