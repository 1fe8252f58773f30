import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import type { SiteInsightsEvent } from "./event-schema.js";
import { removeOldEvents } from "./retention.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36";
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 Version/17.5 Mobile/15E148 Safari/604.1";

interface Visit {
  visitor?: string;
  session?: string;
  url?: string;
  agent?: string;
  claims?: Record<string, unknown>;
  shareKey?: string;
  page?: string;
  referrer?: string | null;
  timestamp?: string;
}

/** An event of a visit, a view of a page by default. */
function event(visit: Visit = {}, details: object = { type: "page_view" }): SiteInsightsEvent {
  const { visitor = "v1", session = "s1", url = "https://docs.example.com/guide", agent = CHROME } = visit;
  return {
    session: {
      visitorId: visitor,
      sessionId: session,
      cookies: { secret: "cookie" },
      ip: "203.0.113.9",
      userAgent: agent,
      language: "en",
      referrer: visit.referrer ?? null,
      visitorAuthToken: "secret-token",
      ...(visit.claims && { visitorAuthClaims: visit.claims }),
    },
    location: {
      url,
      siteSection: null,
      siteSpace: "sitesp_1",
      siteShareKey: visit.shareKey ?? null,
      space: visit.page ? "space1" : null,
      revision: "r1",
      page: visit.page ?? null,
    },
    ...(visit.timestamp && { timestamp: visit.timestamp }),
    ...details,
  } as never;
}

async function newSite(events: SiteInsightsEvent[] = []) {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme" });
  const one = { organizationId: "acme", siteId };
  if (events.length > 0) await api.insights.trackEvents({ ...one, events });
  type Query = Omit<
    Parameters<typeof api.insights.aggregateEvents>[0],
    "organizationId" | "siteId" | "range"
  >;
  /** The rows of a table, each a list of values. */
  const table = async (query: Query, range: object | string = "last24Hours") => {
    const { columns } = await api.insights.aggregateEvents({ ...one, range, ...query } as never);
    return (columns[0]?.values ?? []).map((_, row) => columns.map(({ values }) => values[row]));
  };
  return { api, one, table };
}

const counts = [
  { column: "eventsCount" as const },
  { column: "sessionsCount" as const },
  { column: "visitorsCount" as const },
];

test("POST …/events/aggregate counts events, sessions and visitors, in all and by a column", async () => {
  const { table } = await newSite([
    event({ page: "p1" }),
    event({ page: "p2" }),
    event({ page: "p1", session: "s2" }),
    event({ page: "p1", visitor: "v2", session: "s3", agent: PHONE }),
  ]);
  expect(await table({ select: counts })).toEqual([[4, 3, 2]]);
  const page = { column: "page" as const };
  const by = { order: { by: counts[0]!, direction: "desc" as const } };
  expect(await table({ select: [page, ...counts], ...by })).toEqual([
    [{ space: "space1", page: "p1" }, 3, 3, 2],
    [{ space: "space1", page: "p2" }, 1, 1, 1],
  ]);
  expect(await table({ groupBy: [{ column: "visitorDevice" }] })).toEqual([
    ["desktop", 3],
    ["mobile", 1],
  ]);
  const visitor = ["visitorBrowser", "visitorOS", "visitorBot"].map((column) => ({ column })) as never[];
  expect(await table({ select: visitor, limit: 1 })).toEqual([["chrome", "windows", null]]);
});

test("every type of event is recorded, and returned by its columns", async () => {
  const query = "how to";
  const target = { kind: "url", url: "https://other.example/x" } as const;
  const operation = { path: "/pets", method: "get" };
  const ad = { domain: "ads.example", zoneId: "z", placement: "aside" };
  const { table } = await newSite(
    [
      { type: "page_view" },
      { type: "search_open" },
      { type: "search_type_query", query },
      { type: "search_open_result", query, result: { spaceId: "s", pageId: "p" } },
      { type: "page_post_feedback", feedback: { rating: "good" } },
      { type: "page_post_feedback_comment", feedback: { rating: "good", comment: "Nice" } },
      { type: "ask_question", query: "asked" },
      { type: "ask_view" },
      { type: "ask_rate_response", query: "asked", rating: -1, responseId: "r" },
      { type: "link_click", link: { target, position: "footer" } },
      { type: "api_client_open", operation },
      { type: "api_client_request", operation },
      { type: "trademark_click", placement: "pdf" },
      { type: "ad_click", ad },
      { type: "ad_display", ad },
    ].map((details) => event({}, details)),
  );
  expect(await table({ select: [{ column: "eventType" }] })).toHaveLength(15);
  const only = async (...columns: string[]) =>
    table({ select: columns.map((column) => ({ column })) as never, limit: 1 });
  expect(await only("eventSearchQuery", "eventsCount")).toEqual([["how to", 2]]);
  expect(await only("eventPageFeedbackRating", "eventPageFeedbackComment")).toEqual([["good", "Nice"]]);
  expect(await only("eventAskResponseRating")).toEqual([[-1]]);
  expect(
    await only("eventLinkTargetValue", "eventLinkTargetKind", "eventLinkTargetDomain", "eventLinkPosition"),
  ).toEqual([[target, "url", "other.example", "footer"]]);
  expect(await only("eventAPIOperationPath", "eventAPIOperationMethod", "eventsCount")).toEqual([
    ["/pets", "get", 2],
  ]);
  expect(await only("eventAdDomain", "eventAdPlacement", "eventsCount")).toEqual([
    ["ads.example", "aside", 2],
  ]);
  expect(await only("eventTrademarkPlacement")).toEqual([["pdf"]]);
  expect(await only("pageFeedbackRating", "askResponseRating")).toEqual([
    [
      { ok: 0, good: 1, bad: 0 },
      { positive: 0, negative: 1 },
    ],
  ]);
  expect(await only("visitorGeoCountry", "visitorGeoPoint", "siteSection")).toEqual([[null, null, null]]);
});

test("times are grouped by hours, days, weeks and months, in UTC, and events of the future are now", async () => {
  const hour = 3_600_000;
  const now = Date.now();
  const at = (ago: number) => new Date(now - ago).toISOString();
  const { table } = await newSite([
    event({ timestamp: at(0) }),
    event({ timestamp: at(26 * hour) }),
    event({ timestamp: at(-9 * hour) }),
  ]);
  const byDay = await table({ select: [{ column: "datetime", interval: "day" }, counts[0]!] }, "last7Days");
  expect(byDay.map(([day]) => String(day))).toEqual(
    [...new Set([at(26 * hour), at(0)])].map((time) => `${time.slice(0, 10)}T00:00:00.000Z`),
  );
  expect(byDay.at(-1)![1]).toBe(2);
  expect(await table({ select: counts.slice(0, 1) }, "last24Hours")).toEqual([[2]]);
  const range = { from: at(27 * hour), to: at(25 * hour) };
  expect(await table({ select: counts.slice(0, 1) }, range)).toEqual([[1]]);
  for (const interval of ["hour", "week", "month"] as const)
    expect(
      (await table({ groupBy: [{ column: "datetime", interval }] }, "last30Days")).length,
    ).toBeGreaterThan(0);
});

test("the key of a share link is stored with no address, whether the client names it or not", async () => {
  const url = `https://docs.example.com/${"0aF".repeat(13)}1/guide`;
  const { table } = await newSite([event({ url })]);
  const where = [{ column: "url", values: ["https://docs.example.com/~/guide"] }] as never;
  expect(await table({ select: counts.slice(0, 1), where })).toEqual([[1]]);
});

test("filters compare with values, with none at all, and with what was counted", async () => {
  const { table } = await newSite([
    event({ page: "p1" }),
    event({ page: "p2", visitor: "v2" }),
    event({
      page: "p2",
      visitor: "v3",
      shareKey: "the-secret-key",
      url: "https://docs.example.com/the-secret-key/guide",
    }),
    event({ visitor: "v4", agent: "GPTBot/1.0" }),
  ]);
  const visitors = async (...where: object[]) =>
    (await table({ select: counts.slice(2), where: where as never }))[0]![0];
  expect(await visitors({ column: "page", values: [{ space: "space1", page: "p2" }] })).toBe(2);
  expect(await visitors({ column: "page", values: [null, { space: "space1", page: "p1" }] })).toBe(2);
  expect(await visitors({ column: "page", operator: "notIn", values: [null] })).toBe(3);
  expect(await visitors({ column: "visitorBot", operator: "notIn", values: ["chatgpt"] })).toBe(3);
  expect(await visitors({ column: "visitorBot", values: [""] })).toBe(3);
  expect(await visitors({ column: "siteShareKey", values: ["the-secret-key"] })).toBe(1);
  expect(await visitors({ column: "siteShareKey", values: [null] })).toBe(3);
  expect(await visitors({ column: "url", values: ["https://docs.example.com/~/guide"] })).toBe(1);
  expect(await visitors({ column: "eventType", values: ["search_open"] })).toBe(0);
  const past = new Date(Date.now() - 60_000).toISOString();
  expect(await visitors({ column: "datetime", operator: "lessThan", values: [past] })).toBe(0);
  const often = [{ column: "eventsCount", operator: "greaterThan", values: [1] }];
  const page = { column: "page" as const };
  expect(await table({ select: [page], where: often as never })).toEqual([[{ space: "space1", page: "p2" }]]);
});

test("claims, campaigns and referrers are distinguished", async () => {
  const { api, one, table } = await newSite([
    event({
      claims: { plan: "pro", unsigned: { beta: true } },
      url: "https://e.com/?utm_source=mail&utm_term=a",
    }),
    event({ visitor: "v2", claims: { plan: "free" }, referrer: "https://search.example/?q=x" }),
    event({ visitor: "v3" }),
  ]);
  const claim = (name: string) => ({ column: "visitorClaim" as const, claim: name });
  const { columns } = await api.insights.aggregateEvents({
    ...one,
    range: "last24Hours",
    select: [claim("plan"), counts[2]!],
  });
  expect(columns).toEqual([
    { column: "visitorClaim", claim: "plan", values: ["free", "pro"] },
    { column: "visitorsCount", values: [1, 1] },
  ]);
  expect(await table({ select: [claim("unsigned.beta")] })).toEqual([["true"]]);
  expect(await table({ groupBy: [{ column: "visitorClaimProperty" }] })).toEqual([
    ["plan", 2],
    ["unsigned", 1],
  ]);
  const pro = [{ ...claim("plan"), values: ["pro"] }];
  expect(
    await table({ groupBy: [{ column: "utmSource" }, { column: "utmTerm" }], where: pro as never }),
  ).toEqual([["mail", "a", 1]]);
  expect(await table({ groupBy: [{ column: "referrerDomain" }] })).toEqual([
    ["", 2],
    ["search.example", 1],
  ]);
  expect(await api.insights.listVisitorSegments(one)).toEqual({
    items: expect.arrayContaining([
      { title: "No claims", claims: {}, events: 1, visitors: 1, sessions: 1 },
      { title: "plan: free", claims: { plan: "free" }, events: 1, visitors: 1, sessions: 1 },
      {
        title: 'plan: pro, unsigned: {"beta":true}',
        claims: { plan: "pro", unsigned: { beta: true } },
        events: 1,
        visitors: 1,
        sessions: 1,
      },
    ]),
    count: 3,
  });
});

test("keys, tokens and what identifies a visitor are not kept", async () => {
  const { one } = await newSite([
    event({ shareKey: "TheSecretKey", url: "https://e.com/thesecretkey/a?jwt_token=abc.def.ghi#x" }),
  ]);
  const rows = await service.db
    .selectFrom("insights_event")
    .selectAll()
    .where("site", "=", one.siteId)
    .execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/secret|jwt_token|abc\.def|203\.0\.113|Mozilla/i);
});

test("a site's events are counted for it alone, and go with it", async () => {
  const { api, one } = await newSite([event()]);
  const other = await newSite();
  expect(await other.table({ select: counts })).toEqual([[0, 0, 0]]);
  await api.sites.remove(one);
  expect(
    await service.db.selectFrom("insights_event").selectAll().where("site", "=", one.siteId).execute(),
  ).toEqual([]);
});

test("events are deleted when their time is over", async () => {
  const { one, table } = await newSite([event(), event()]);
  const rows = service.db.selectFrom("insights_event").where("site", "=", one.siteId);
  const [first] = await rows.selectAll().execute();
  const past = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await service.db
    .updateTable("insights_event")
    .set({ occurred_at: past })
    .where("id", "=", first!.id)
    .execute();
  await removeOldEvents(service.contextOf(service.self), 2);
  expect(await table({ select: counts.slice(0, 1) }, "last7Days")).toEqual([[1]]);
});

const refusal = async (promise: Promise<unknown>) => {
  const { code, details } = describe(await promise.catch((error: unknown) => error));
  return [code, details.issues?.[0]?.path];
};

test.each<[string, object[], string]>([
  ["no events", [], "events"],
  ["501 events", Array(501).fill(event()), "events"],
  ["an unknown type", [{ ...event(), type: "stare" }], "events.0.type"],
  ["a search without words", [event({}, { type: "search_type_query" })], "events.0.query"],
  [
    "a rating of three",
    [event({}, { type: "ask_rate_response", query: "", rating: 3, responseId: "x" })],
    "events.0.rating",
  ],
  ["an address that runs", [event({ url: "javascript:alert(1)" })], "events.0.location.url"],
  ["long claims", [event({ claims: { a: "x".repeat(5000) } })], "events.0.session.visitorAuthClaims"],
  ["claims with NUL", [event({ claims: { a: "\0" } })], "events.0.session.visitorAuthClaims"],
  [
    "an event of last month",
    [event(), event({ timestamp: new Date(Date.now() - 9 * 86_400_000).toISOString() })],
    "body.events.1.timestamp",
  ],
])("POST …/events with %s is 400, and nothing of the batch is kept", async (_, events, place) => {
  const { api, one, table } = await newSite();
  expect(await refusal(api.insights.trackEvents({ ...one, events } as never))).toEqual([
    "BAD_REQUEST",
    place,
  ]);
  expect(await table({ select: counts.slice(0, 1) })).toEqual([[0]]);
});

test.each<[string, object, string]>([
  ["an unknown column", { select: [{ column: "password" }] }, "select.0.column"],
  ["a column that is SQL", { select: [{ column: "url; drop table site" }] }, "select.0.column"],
  ["an unknown interval", { select: [{ column: "datetime", interval: "year" }] }, "select.0.interval"],
  ["groups of counts", { groupBy: [{ column: "eventsCount" }] }, "body.groupBy.0"],
  ["an order by what is not there", { order: { by: { column: "url" }, direction: "asc" } }, "body.order.by"],
  ["a filter without values", { where: [{ column: "url", values: [] }] }, "where.0.values"],
  ["a value of another type", { where: [{ column: "eventsCount", values: ["1"] }] }, "where.0.values.0"],
  [
    "a comparison of words",
    { where: [{ column: "url", operator: "lessThan", values: ["a"] }] },
    "where.0.operator",
  ],
  [
    "a comparison with two values",
    { where: [{ column: "eventsCount", operator: "lessThan", values: [1, 2] }] },
    "where.0.values",
  ],
  ["an unknown range", { range: "lastCentury" }, "range"],
  [
    "a range that ends before it begins",
    { range: { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } },
    "range.to",
  ],
  ["a range of years", { range: { from: "2020-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } }, "range.to"],
  ["a limit of nothing", { limit: 0 }, "limit"],
])("POST …/events/aggregate with %s is 400", async (_, query, place) => {
  const { api, one } = await newSite();
  const aggregating = api.insights.aggregateEvents({ ...one, range: "last24Hours", ...query } as never);
  expect(await refusal(aggregating)).toEqual(["BAD_REQUEST", place]);
});

test("values and names of claims never become SQL", async () => {
  const { table } = await newSite([event({ claims: { "a'b": "x" } })]);
  const claim = { column: "visitorClaim" as const, claim: "a'b" };
  expect(await table({ select: [claim] })).toEqual([["x"]]);
  const where = [{ column: "url" as const, values: ["'; delete from insights_event; --"] }];
  expect(await table({ select: counts.slice(0, 1), where: where as never })).toEqual([[0]]);
  expect(await table({ select: counts.slice(0, 1) })).toEqual([[1]]);
});

test("…/insights is 404 for strangers and unknown sites, 403 for guests, and insights for readers", async () => {
  const { api, one } = await newSite();
  const reads = (caller: typeof api, at = one) => [
    () => caller.insights.aggregateEvents({ ...at, range: "last7Days", limit: 1 }),
    () => caller.insights.listVisitorSegments(at),
  ];
  const track = (caller: typeof api, at = one) => caller.insights.trackEvents({ ...at, events: [event()] });
  for (const [roles, code] of [
    [{ beta: "admin" }, "NOT_FOUND"],
    [{ acme: null }, "FORBIDDEN"],
  ] as const) {
    const caller = await service.as(roles);
    for (const read of reads(caller)) await expect(read()).rejects.toMatchObject({ code });
    await expect(track(caller)).rejects.toMatchObject({ code });
  }
  const reader = await service.as({ acme: "read" });
  for (const read of reads(reader)) await expect(read()).rejects.toMatchObject({ code: "FORBIDDEN" });
  await track(reader);
  const unknown = { ...one, siteId: "site_x" };
  for (const read of reads(api, unknown)) await expect(read()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(track(api, unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
