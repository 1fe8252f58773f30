import { generateKeyPairSync } from "node:crypto";
import { createReaderTokens } from "@octavo/shared/reader-tokens";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Furniture, furnish } from "../harness/furnish.js";
import { makerOf, permissions } from "../harness/permissions.js";
import { requestOf } from "../harness/requests.js";
import { nameOf, routes } from "../harness/routes.js";
import { sharedStack } from "../harness/shared-stack.js";

// A renderer has an address and gets a token for it: that reads what the site shows, and nothing else.

const contentUnder = (base: string) =>
  [
    "",
    "/pages",
    "/page/{pageId}",
    "/page/{pageId}/document",
    "/path/{pagePath*}",
    "/files",
    "/files/{fileId}",
    "/reusable-contents/{reusableContentId}",
    "/reusable-contents/{reusableContentId}/document",
  ].map((path) => `GET ${base}${path}`);

/** All that a renderer does. */
const READS = [
  "GET /orgs/{organizationId}/sites/{siteId}",
  "GET /orgs/{organizationId}/sites/{siteId}/published",
  "GET /orgs/{organizationId}/sites/{siteId}/site-spaces",
  "GET /orgs/{organizationId}/sites/{siteId}/structure",
  "GET /orgs/{organizationId}/sites/{siteId}/sections",
  "GET /orgs/{organizationId}/sites/{siteId}/customization",
  "GET /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization",
  "GET /orgs/{organizationId}/sites/{siteId}/redirect",
  "POST /orgs/{organizationId}/sites/{siteId}/search",
  "POST /orgs/{organizationId}/sites/{siteId}/insights/events",
  "GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content",
  "GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content",
  "GET /spaces/{spaceId}",
  "GET /spaces/{spaceId}/search",
  "GET /spaces/{spaceId}/embed",
  "GET /integrations/{integrationName}/render",
  "POST /integrations/{integrationName}/render",
  ...contentUnder("/spaces/{spaceId}/content"),
  ...contentUnder("/spaces/{spaceId}/revisions/{revisionId}"),
];

interface Resolved {
  apiToken: string;
  space: string;
  revision: string;
}

const guarded = routes.filter(({ auth }) => auth !== "none");

let call: Client;
let at: Furniture;
let address: string;
let visitor: Client;

const site = () => `/orgs/${at.organizationId}/sites/${at.siteId}`;
const resolve = async (url = address) => (await call<Resolved>("POST", "/urls/published", { url })).body;
const reads = async (token: string) =>
  (await call.as(token)("GET", `/spaces/${at.spaceId}/content/pages`)).status;

beforeAll(async () => {
  call = createClient(await sharedStack());
  at = await furnish(call);
  at.revisionId = await showSpec(at);
  address = (await call<{ urls: { published: string } }>("GET", site())).body.urls.published;
  const { apiToken } = await resolve();
  visitor = call.as(apiToken);
  await eventually(async () => (await reads(apiToken)) === 200);
});

/** Has a page of the space show the specification: visitors read no other. Returns the revision that does. */
async function showSpec({ spaceId, specSlug }: Furniture): Promise<string> {
  const make = makerOf(call);
  const { id } = await make("POST", `/spaces/${spaceId}/change-requests`, { subject: "Show" });
  const block = `{% openapi-operation spec="${specSlug}" path="/a" method="get" %}\n{% endopenapi-operation %}`;
  const page = {
    operation: "insert_page",
    title: "Interface",
    document: { markdown: `# Interface\n\n${block}\n` },
  };
  await make("POST", `/spaces/${spaceId}/change-requests/${id}/content`, { changes: [page] });
  await make("POST", `/spaces/${spaceId}/change-requests/${id}/merge`);
  return (await call<{ revision: string }>("GET", `/spaces/${spaceId}`)).body.revision;
}

test("every read of a renderer is routed", () => {
  const known = new Set(guarded.map(nameOf));
  expect(READS.filter((name) => !known.has(name))).toEqual([]);
});

test.each(guarded.map((route) => [nameOf(route), route] as const))(
  "%s with a reader token does what renderers need, or is refused",
  async (name, route) => {
    const [path, body] = requestOf(route, permissions[name]!, at);
    const { status, body: result } = await visitor(route.method, path, body);
    const reason = (result as { error?: { reason?: string } } | undefined)?.error?.reason;
    const done = route.status ?? 200;
    expect([status, reason]).toEqual(READS.includes(name) ? [done, undefined] : [403, "reader_token"]);
  },
);

test.each(
  guarded.filter((route) => READS.includes(nameOf(route))).map((route) => [nameOf(route), route] as const),
)("%s of anything that the site does not show is 404", async (name, route) => {
  const make = makerOf(call);
  const spaceId = (await make("POST", `/orgs/${at.organizationId}/spaces`, { title: "Internal" })).id;
  const others = (
    await make("POST", `/orgs/${at.organizationId}/sites`, { title: "Other", spaces: [spaceId] })
  ).id;
  await make("POST", `/orgs/${at.organizationId}/sites/${others}/publish`);
  const specSlug = `unshown-${Date.now()}`;
  const source = {
    text: JSON.stringify({ openapi: "3.1.0", info: { title: "None", version: "1" }, paths: {} }),
  };
  await make("POST", `/orgs/${at.organizationId}/openapi`, { slug: specSlug, source });
  const [path, body] = requestOf(route, permissions[name]!, { ...at, spaceId, siteId: others, specSlug });
  expect((await visitor(route.method, path, body)).status).toBe(404);
});

test("a token that is altered, expired or made by others is 401", async () => {
  const { apiToken } = await resolve();
  const [header, payload, signature] = apiToken.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const key = { ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), kid: "sites" };
  const tokens = [
    `${header}.${encoded({ ...claims, exp: claims.exp + 3600 })}.${signature}`,
    `${header}.${payload}.`,
    `${encoded({ alg: "none", typ: "JWT" })}.${payload}.`,
    `${encoded({ alg: "none", kid: "sites", typ: "octavo-reader+jwt" })}.${payload}.`,
    await createReaderTokens(key).create(claims, new Date()),
  ];
  for (const token of tokens) expect(await reads(token)).toBe(401);
});

test("a space in the trash is gone for its readers, and comes back with a new token", async () => {
  const make = makerOf(call);
  const { apiToken } = await resolve();
  expect((await call("DELETE", `/spaces/${at.spaceId}`)).status).toBe(204);
  expect(await reads(apiToken)).toBe(404);
  await make("POST", `/spaces/${at.spaceId}/restore`);
  await eventually(async () => {
    await call("POST", `${site()}/publish`);
    const found = await call<Resolved>("POST", "/urls/published", { url: address });
    return found.status === 200 && (await reads(found.body.apiToken)) === 200;
  });
});

test("within two seconds of an unpublish or of a narrower audience a token reads nothing, at any service", async () => {
  const make = makerOf(call);
  const narrow = [
    () => make("PATCH", site(), { visibility: "unlisted" }),
    () => make("POST", `${site()}/unpublish`),
  ];
  for (const end of narrow) {
    const { apiToken } = await resolve();
    await eventually(async () => (await reads(apiToken)) === 200);
    await end();
    expect((await call.as(apiToken)("GET", `${site()}/published`)).status).toBe(401);
    await eventually(async () => [401, 404].includes(await reads(apiToken)));
  }
  expect((await call("POST", "/urls/published", { url: address })).status).toBe(404);
});
