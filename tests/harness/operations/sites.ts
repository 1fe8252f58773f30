// Sites.

import { look } from "./look.js";
import {
  choice,
  flag,
  id,
  list,
  long,
  none,
  type Operation,
  object,
  or,
  paged,
  type Refused,
  text,
  url,
  words,
} from "./operation.js";

const siteFields = {
  title: text(128, 2),
  visibility: choice,
};
const schema = { type: "object", properties: {}, additionalProperties: false };
const enabled: Refused = [...object, { enabled: "yes" }, { enabled: 1 }];
const lookFields = {
  title: text(128, 2),
  styling: [...object, { theme: "nonsense" }, { primaryColor: { light: "red", dark: "#000" } }],
  internationalization: [...object, { locale: "nonsense" }],
  favicon: [...object, { icon: "x" }, { emoji: "rocket" }],
  header: [...object, { preset: "nonsense" }, { links: [{ title: "x", to: {}, links: [] }] }],
  footer: [...object, { groups: "x" }, { groups: [], copyright: long(301) }],
  announcement: [...object, { enabled: true, message: "x", style: "info" }],
  themes: [...object, { default: "nonsense" }],
  pdf: enabled,
  feedback: enabled,
  git: [...object, { showEditLink: "yes" }],
  externalLinks: [...object, { target: "nonsense" }],
  pagination: enabled,
  trademark: enabled,
  privacyPolicy: [...object, { url: "javascript:alert(1)" }],
  socialPreview: [...object, { url: "nowhere" }],
};
const elsewhere = { kind: "url", url: "https://example.com/new" };
const redirectFields = {
  source: [...text(512, 1), "old", "/", "/a//b", "/a/../b", "/a/*/b", "//example.com"],
  destination: [
    ...object,
    { kind: "nowhere" },
    { kind: "url", url: "javascript:alert(1)" },
    { kind: "path", path: "//example.com" },
    { kind: "site-page", siteSpaceId: "x" },
    { kind: "site-space", siteSpaceId: "x" },
  ],
};
const segment = [...text(100, 1), "a/b", "..", "~a", "a b"];
const condition = [...text(1024, 1), "(", "a b"];
const icon = or([...text(50, 1), "No Icon"]);
const place = [
  ...object,
  { before: 1 },
  { before: { type: "page", id: "x" } },
  { after: { type: "site-space" } },
];
const pageView = {
  type: "page_view",
  session: {
    visitorId: "v",
    sessionId: "s",
    cookies: {},
    userAgent: "Firefox/1",
    language: null,
    referrer: null,
  },
  location: {
    url: "https://docs.example.com/guide",
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space: null,
    revision: null,
    page: null,
  },
};
const server = { name: "Tickets", url: "https://mcp.example.com", headers: { authorization: "Bearer x" } };
const serverFields = {
  name: text(100, 1),
  url,
  headers: [...object, { "a b": "x" }, { a: "" }, { a: "x\ny" }, { a: long(513) }],
};
const font = {
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, sources: [{ url: "https://fonts.example.com/a.woff2" }] }],
};
const fontFields = {
  fontFamily: [...text(50, 1), 'x"; }'],
  fontFaces: [...list(1, {}, { weight: 0, sources: [] }, { weight: 400 }), []],
};
const oneSite = "/orgs/{organizationId}/sites/{siteId}";
const siteSpace = `${oneSite}/site-spaces/{siteSpaceId}`;
export const sites: Record<string, Operation> = {
  "GET /orgs/{organizationId}/sites": {
    ...paged,
    query: { published: words, type: ["nonsense"], title: [long(129)] },
  },
  "POST /orgs/{organizationId}/sites": {
    body: { ...siteFields, type: choice, spaces: [1, "nonsense", null, [1], ["a", "a"], [""]] },
  },
  [`GET ${oneSite}`]: {},
  [`PATCH ${oneSite}`]: {
    body: {
      ...siteFields,
      basename: [...text(100, 1), "has space", "-no-", "a--b", "a/b"],
      adaptiveContent: [...object, {}, { enabled: "yes" }],
      agentsContext: choice,
      defaultSiteSpace: id,
      defaultSiteSection: id,
      proxy: [1, "no proxy", "http://example.com/docs", "example.com:80/docs", {}],
      hostname: [
        1,
        {},
        "example.com",
        "Docs.example.com",
        "https://docs.example.com",
        "10.0.0.12",
        "a.b.c:80",
      ],
    },
  },
  [`DELETE ${oneSite}`]: {},
  [`POST ${oneSite}/publish`]: none,
  [`POST ${oneSite}/unpublish`]: none,
  [`GET ${oneSite}/publishing/auth`]: {},
  [`PATCH ${oneSite}/publishing/auth`]: {
    body: {
      backend: choice,
      fallbackURL: [...or(url), "https://login.example.com/?location=/docs"],
      integration: or(text(1024, 1)),
    },
    good: { backend: "custom" },
  },
  [`POST ${oneSite}/publishing/auth/regenerate`]: none,
  [`GET ${oneSite}/permissions/aggregate`]: paged,
  [`GET ${oneSite}/publishing/preview`]: {
    query: { siteSpace: [long(101)], claims: ["(open", "text", "!(a)", long(4097)] },
  },
  [`GET ${oneSite}/share-links`]: paged,
  [`POST ${oneSite}/share-links`]: { body: { name: text(50) }, good: { name: "Press" } },
  [`PATCH ${oneSite}/share-links/{shareLinkId}`]: { body: { active: flag, name: text(50) } },
  [`DELETE ${oneSite}/share-links/{shareLinkId}`]: {},
  [`GET ${oneSite}/releases`]: paged,
  [`POST ${oneSite}/releases`]: { body: { title: text(128, 2), pin: flag }, good: { title: "Spring" } },
  [`GET ${oneSite}/releases/{siteReleaseId}`]: {},
  [`PATCH ${oneSite}/releases/{siteReleaseId}`]: { body: { title: text(128, 2) } },
  [`DELETE ${oneSite}/releases/{siteReleaseId}`]: {},
  [`POST ${oneSite}/releases/{siteReleaseId}/pin`]: none,
  [`POST ${oneSite}/releases/unpin`]: none,
  [`POST ${oneSite}/releases/rollback`]: none,
  [`GET ${oneSite}/adaptive-schema`]: {},
  [`PUT ${oneSite}/adaptive-schema`]: {
    body: { jsonSchema: [...object, {}, { ...schema, type: "array" }, { ...schema, properties: { a: {} } }] },
    good: { jsonSchema: schema },
  },
  [`GET ${oneSite}/adaptive-schema/template-conditions`]: {},
  [`GET ${oneSite}/published`]: { query: { shareKey: [long(513)] } },
  [`GET ${oneSite}/site-spaces`]: { ...paged, query: { default: words, shareKey: [long(513)] } },
  "GET /custom-hostnames/{hostname}": {},
  "PATCH /custom-hostnames/{hostname}": none,
  "DELETE /custom-hostnames/{hostname}": {},
  "GET /urls/published": { query: { url: ["nowhere", "ftp://example.com"], redirectOnError: words } },
  "POST /urls/published": {
    body: {
      url: [1, null, "nowhere", "javascript:alert(1)", `http://example.com/${long(20_480)}`],
      redirectOnError: flag,
      visitor: [
        ...or(object),
        { jwtToken: long(4097) },
        { unsignedClaims: "x" },
        { unsignedClaims: { a: long(2048) } },
      ],
    },
    good: { url: "https://nowhere.example/" },
  },
  [`POST ${oneSite}/site-spaces`]: { body: { spaceId: id, sectionId: id }, good: { spaceId: "x" } },
  [`GET ${oneSite}/customization`]: { query: { unmasked: words } },
  [`PUT ${oneSite}/customization`]: {
    body: {
      ...lookFields,
      ai: [...object, { mode: "nonsense" }, { mode: "integration" }],
      advancedCustomization: enabled,
      pageActions: [...object, { externalAI: true }],
      insights: [...object, { trackingCookie: "yes" }],
    },
    good: look,
  },
  [`GET ${siteSpace}/customization`]: { query: { unmasked: words } },
  [`PATCH ${siteSpace}/customization`]: {
    body: {
      ...lookFields,
      title: or(lookFields.title),
      favicon: or(lookFields.favicon),
      announcement: or(lookFields.announcement),
    },
  },
  [`DELETE ${siteSpace}/customization`]: {},
  [`GET ${oneSite}/redirects`]: { ...paged, query: { search: [long(513)] } },
  [`POST ${oneSite}/redirects`]: { body: redirectFields, good: { source: "/old", destination: elsewhere } },
  [`POST ${oneSite}/redirects/import`]: {
    body: {
      redirects: [
        [],
        {},
        ["x"],
        [{ source: "/old" }],
        [{ source: "old", destination: elsewhere }],
        [{ source: "/old", destination: { kind: "site-space", siteSpaceId: "x" } }],
        [{ source: "/old", destination: { kind: "url", url: "javascript:alert(1)" } }],
      ],
    },
    good: { redirects: [{ source: "/old", destination: elsewhere }] },
  },
  [`PATCH ${oneSite}/redirects/{siteRedirectId}`]: { body: redirectFields },
  [`DELETE ${oneSite}/redirects/{siteRedirectId}`]: {},
  [`GET ${oneSite}/redirect`]: {
    query: { source: ["old", "/", "/a//b", "/a/../b", "/*", `/${long(512)}`], shareKey: [long(513)] },
  },
  [`POST ${oneSite}/search`]: {
    ...paged,
    body: {
      query: text(512, 1),
      scope: [...object, { mode: "nonsense" }, { mode: "specific" }, { mode: "specific", siteSpaceIds: [] }],
      mode: choice,
      siteSpaceIds: [...list(1, "", long(101)), []],
      siteSpaceId: id,
    },
    good: { query: "guides", scope: { mode: "all" } },
  },
  [`PATCH ${oneSite}/site-spaces/{siteSpaceId}`]: {
    body: { path: segment, condition: or(condition), spaceId: id },
  },
  [`DELETE ${oneSite}/site-spaces/{siteSpaceId}`]: {},
  [`POST ${oneSite}/site-spaces/{siteSpaceId}/move`]: { body: { position: place } },
  [`GET ${oneSite}/sections`]: { ...paged, query: { shareKey: [long(513)] } },
  [`POST ${oneSite}/sections`]: {
    body: { spaceId: id, title: or(text(128, 2)), icon },
    good: { spaceId: "x" },
  },
  [`PATCH ${oneSite}/sections/{siteSectionId}`]: {
    body: {
      title: text(128, 2),
      path: segment,
      defaultSiteSpace: id,
      condition: or(condition),
      icon,
      description: or(text(256)),
    },
  },
  [`DELETE ${oneSite}/sections/{siteSectionId}`]: {},
  [`POST ${oneSite}/sections/{siteSectionId}/move`]: { body: { position: place } },
  [`GET ${oneSite}/section-groups`]: paged,
  [`POST ${oneSite}/section-groups`]: {
    body: { title: text(100, 1), icon, sections: [...list(1, ""), ["a", "a"]], parent: or(id) },
    good: { title: "Group" },
  },
  [`PATCH ${oneSite}/section-groups/{siteSectionGroupId}`]: {
    body: { title: text(100, 1), icon, parent: or(id) },
  },
  [`DELETE ${oneSite}/section-groups/{siteSectionGroupId}`]: {},
  [`POST ${oneSite}/section-groups/{siteSectionGroupId}/move`]: { body: { position: place } },
  [`POST ${oneSite}/section-groups/{siteSectionGroupId}/sections`]: {
    body: { sectionId: id },
    good: { sectionId: "x" },
  },
  [`DELETE ${oneSite}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}`]: {},
  [`GET ${oneSite}/structure`]: { query: { shareKey: [long(513)] } },
  [`PATCH ${oneSite}/structure/sort`]: {
    body: { item: [...object, {}, { type: "page", id: "x" }, { type: "site-space" }], position: place },
    good: { item: { type: "site-section", id: "x" } },
  },
  [`POST ${oneSite}/insights/events`]: {
    body: { events: [...list(1, {}, { type: "stare" }), [], Array(501).fill(pageView)] },
    good: { events: [pageView] },
  },
  [`POST ${oneSite}/insights/events/aggregate`]: {
    body: {
      select: [...list(1, {}, { column: "nonsense" }), []],
      where: list(1, {}, { column: "url", values: [] }, { column: "url", operator: "like", values: ["x"] }),
      groupBy: [...list(1, {}, { column: "nonsense" }), [{ column: "eventsCount" }]],
      order: [...object, { by: { column: "url" } }, { by: { column: "nonsense" }, direction: "asc" }],
      range: [...object, "nonsense", { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }],
      limit: [0, 1001, 1.5, "5", null],
    },
    good: { range: "last7Days" },
  },
  [`GET ${oneSite}/insights/visitor-segments`]: {},
  [`POST ${oneSite}/ads`]: { body: { status: ["live", "pending", 7], topic: ["cars", null, 7] } },
  [`GET ${oneSite}/mcp-servers`]: paged,
  [`POST ${oneSite}/mcp-servers`]: { body: serverFields, good: server },
  [`GET ${oneSite}/mcp-servers/{siteMcpServerId}`]: {},
  [`PATCH ${oneSite}/mcp-servers/{siteMcpServerId}`]: { body: serverFields },
  [`DELETE ${oneSite}/mcp-servers/{siteMcpServerId}`]: {},
  "GET /orgs/{organizationId}/fonts": {},
  "PUT /orgs/{organizationId}/fonts": { body: fontFields, good: font },
  "GET /orgs/{organizationId}/fonts/{fontId}": {},
  "POST /orgs/{organizationId}/fonts/{fontId}": { body: fontFields },
  "DELETE /orgs/{organizationId}/fonts/{fontId}": {},
};
