// Integrations.

import lz from "lz-string";
import {
  choice,
  flag,
  id,
  list,
  long,
  none,
  type Operation,
  object,
  paged,
  text,
  url,
  words,
} from "./operation.js";

const oneIntegration = "/integrations/{integrationName}";
const oneInstallation = `${oneIntegration}/installations/{installationId}`;

/** What a block is rendered by. */
export const blockIn = (spaceId: string) => ({
  componentId: "furniture",
  props: {},
  context: { type: "document", theme: "light", spaceId, editable: false },
});
export const compressedBlock = (spaceId: string) =>
  lz.compressToEncodedURIComponent(JSON.stringify(blockIn(spaceId)));

const webhooks = "/orgs/{organizationId}/webhooks";
const oneWebhook = `${webhooks}/{webhookId}`;
const webhook = {
  url: [...url, "http://example.com/", "https://user:secret@example.com/"],
  description: text(200),
  types: [...list("nonsense", 1), []],
};

/** Renders whatever component it is asked for, and finds everything else in order. */
export const FURNITURE_SCRIPT = `
  const handle = async (request) => {
    const event = JSON.parse((await request.formData()).get("event"));
    if (event.type !== "ui_render") return new Response("OK");
    return Response.json({ type: "element", element: { type: "block", children: [] }, state: {}, props: {} });
  };
  addEventListener("fetch", (event) => event.respondWith(handle(event.request)));`;

const kept = [...object, { key: "a\0b" }];

/** What scripts return, by every verb; what follows the endpoint is up to the script. */
const publicEndpoints = Object.fromEntries(
  [
    oneIntegration,
    oneInstallation,
    `${oneInstallation}/spaces/{spaceId}`,
    `${oneInstallation}/sites/{siteId}`,
  ]
    .flatMap((base) => ["GET", "POST", "PUT", "DELETE"].map((verb) => `${verb} ${base}/public`))
    .flatMap((name): [string, Operation][] => [
      [name, { raw: true }],
      [`${name}/{rest*}`, { raw: true, creates: "rest", named: { rest: "integrationName" } }],
    ]),
);
const extended = { query: { extended: words } };

/** Installations on single spaces, or on sites. */
const onContent = (
  plural: "spaces" | "sites",
  parameter: string,
  field: string,
): Record<string, Operation> => ({
  [`GET ${oneIntegration}/${plural}`]: {
    ...paged,
    query: { externalId: ["", long(1001)], extended: words },
  },
  [`GET ${oneInstallation}/${plural}`]: { ...paged, ...extended },
  [`POST ${oneInstallation}/${plural}`]: { ...extended, body: { [field]: id }, good: { [field]: "x" } },
  [`GET ${oneInstallation}/${plural}/{${parameter}}`]: extended,
  [`PATCH ${oneInstallation}/${plural}/{${parameter}}`]: {
    ...extended,
    body: {
      externalIds: [...list("", 1, long(1001)), ["1", "2", "3", "4", "5", "6"]],
      configuration: [...object, { key: "a\0b" }],
    },
  },
  [`DELETE ${oneInstallation}/${plural}/{${parameter}}`]: {},
});

const filters = {
  search: [long(201)],
  category: ["nonsense"],
  blockDomain: ["has space", long(101)],
  blocks: words,
  contentSources: words,
  scope: ["nonsense"],
  target: ["nonsense"],
};
const searched = { ...paged, query: { search: [long(201)] } };
const oneSite = "/orgs/{organizationId}/sites/{siteId}";

export const integrations: Record<string, Operation> = {
  ...publicEndpoints,
  [`GET ${oneInstallation}/spaces/{spaceId}/script`]: {},
  [`GET ${oneInstallation}/sites/{siteId}/script`]: {},
  [`GET ${oneInstallation}/sites/{siteId}/visitor-auth`]: {},
  [`GET ${webhooks}`]: paged,
  [`POST ${webhooks}`]: {
    body: webhook,
    good: { url: "https://example.com/hook", types: ["site.deleted"] },
  },
  [`GET ${oneWebhook}`]: {},
  [`PATCH ${oneWebhook}`]: { body: { ...webhook, status: choice } },
  [`DELETE ${oneWebhook}`]: {},
  [`POST ${oneWebhook}/rotate-secret`]: { body: { keepPreviousHours: [-1, 169, 1.5, "1", null] } },
  [`POST ${oneWebhook}/test`]: none,
  [`POST ${oneWebhook}/replay`]: {
    body: { from: [1, "yesterday", null], to: [1, "tomorrow", null], status: [...choice, "waiting"] },
    good: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" },
  },
  [`GET ${oneWebhook}/deliveries`]: { ...paged, query: { status: ["nonsense"] } },
  [`GET ${oneWebhook}/deliveries/{deliveryId}`]: {},
  [`POST ${oneWebhook}/deliveries/{deliveryId}/replay`]: none,
  [`GET ${oneIntegration}/render`]: { query: { request: ["", "!", "N4IghiBc5rf2Al4GoIQF8g", long(8_001)] } },
  [`POST ${oneIntegration}/render`]: {
    body: {
      componentId: text(200, 1),
      props: kept,
      state: kept,
      context: [1, "x", null, {}, { ...blockIn("x").context, theme: "blue" }, { type: "document" }],
      action: [1, "x", null, {}, { action: 1 }],
    },
    good: blockIn("x"),
  },
  "GET /integrations": {
    ...paged,
    query: filters,
  },
  "GET /orgs/{organizationId}/integrations": { ...paged, query: filters },
  "GET /orgs/{organizationId}/installations": searched,
  "GET /orgs/{organizationId}/integrations/installations-status": searched,
  "GET /orgs/{organizationId}/integrations/{integrationName}/installation_status": {},
  "GET /spaces/{spaceId}/integrations": searched,
  "GET /spaces/{spaceId}/integration-blocks": {},
  "GET /spaces/{spaceId}/integration-scripts": {},
  [`GET ${oneSite}/integrations`]: searched,
  [`GET ${oneSite}/integration-scripts`]: {},
  ...onContent("spaces", "spaceId", "space"),
  ...onContent("sites", "siteId", "siteId"),
  [`POST ${oneIntegration}/tasks`]: {
    body: { task: [...object, { key: "a\0b" }], schedule: [-1, 86_401, "1", null] },
    good: { task: {} },
  },
  [`GET ${oneIntegration}`]: {},
  [`POST ${oneIntegration}`]: {
    creates: "integrationName",
    body: {
      organization: id,
      runtime: choice,
      script: [1, null, "", {}],
      title: text(30, 2),
      description: text(100),
      summary: text(2048),
      visibility: choice,
      target: choice,
      scopes: list("nonsense", 1),
      categories: list("nonsense", 1),
      blocks: list("x", { id: "x" }),
      contentSources: list("x", { id: "x" }),
      configurations: [1, "x", { account: {} }, { account: { properties: { x: { type: "nonsense" } } } }],
      externalLinks: list("x", { url: "nowhere", label: "x" }),
      contentSecurityPolicy: [1, "two\nlines", { "img-src": "two\nlines" }],
      icon: [1, "no picture", "aGVsbG8="],
      previewImages: [1, "x", ["no picture"]],
      secrets: [1, "x", { key: 1 }],
    },
    good: {
      title: "Witness",
      description: "",
      scopes: [],
      organization: "x",
      script: FURNITURE_SCRIPT,
    },
  },
  [`DELETE ${oneIntegration}`]: {},
  [`GET ${oneIntegration}/assets/{assetName}`]: {},
  [`PUT ${oneIntegration}/dev`]: {
    body: { tunnelUrl: [...url, `http://example.com/${long(256)}`], all: flag },
    good: { tunnelUrl: "http://127.0.0.1:9" },
  },
  [`DELETE ${oneIntegration}/dev`]: {},
  [`GET ${oneIntegration}/events`]: paged,
  [`GET ${oneIntegration}/events/{eventId}`]: {},
  [`GET ${oneIntegration}/installations`]: { ...paged, query: { externalId: ["", long(1001)] } },
  [`POST ${oneIntegration}/installations`]: { body: { organization: id }, good: { organization: "x" } },
  [`GET ${oneIntegration}/installations/{installationId}`]: {},
  [`PATCH ${oneIntegration}/installations/{installationId}`]: {
    body: {
      externalIds: [...list("", 1, long(1001)), ["1", "2", "3", "4", "5", "6"]],
      configuration: [...object, { key: "a\0b" }],
      space_selection: choice,
      site_selection: choice,
    },
  },
  [`DELETE ${oneIntegration}/installations/{installationId}`]: {},
  [`POST ${oneIntegration}/installations/{installationId}/tokens`]: none,
};
