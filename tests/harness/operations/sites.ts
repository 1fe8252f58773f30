// Sites.

import {
  choice,
  flag,
  id,
  long,
  none,
  type Operation,
  object,
  or,
  paged,
  text,
  url,
  words,
} from "./operation.js";

const siteFields = {
  title: text(128, 2),
  visibility: choice,
};
const schema = { type: "object", properties: {}, additionalProperties: false };
const oneSite = "/orgs/{organizationId}/sites/{siteId}";
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
      proxy: [1, "no proxy", "http://example.com/docs", {}],
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
  [`GET ${oneSite}/adaptive-schema`]: {},
  [`PUT ${oneSite}/adaptive-schema`]: {
    body: { jsonSchema: [...object, {}, { ...schema, type: "array" }, { ...schema, properties: { a: {} } }] },
    good: { jsonSchema: schema },
  },
  [`GET ${oneSite}/adaptive-schema/template-conditions`]: {},
  [`GET ${oneSite}/published`]: { query: { shareKey: [long(513)] } },
  [`GET ${oneSite}/site-spaces`]: { ...paged, query: { default: words, shareKey: [long(513)] } },
  [`POST ${oneSite}/site-spaces`]: { body: { spaceId: id, sectionId: id }, good: { spaceId: "x" } },
};
