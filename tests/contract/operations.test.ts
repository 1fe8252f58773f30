import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ApiResponse, type Client, createClient } from "../harness/client.js";
import { furnish } from "../harness/furnish.js";
import { operations } from "../harness/operations.js";
import { register } from "../harness/people.js";
import { specSource } from "../harness/permissions/content.js";
import { type Ids, type Make, makerOf, type Permission, permissions } from "../harness/permissions.js";
import { requestOf } from "../harness/requests.js";
import { sharedStack } from "../harness/shared-stack.js";
import { Failure } from "./basics.js";

// Every operation that the gateway routes is called once with success, and its response held to the OpenAPI document.
// What the interface itself requires is in answers.test.ts, typed by hand.

interface Route {
  method: string;
  path: string;
  status: number;
  auth?: "none";
}

const file = resolve(import.meta.dirname, "../../gateway/routes.json");
const routes: Route[] = JSON.parse(readFileSync(file, "utf8"));
const nameOf = ({ method, path }: Route) => `${method} ${path.replace(/^\/v1/, "")}`;

/** What the tables of permissions do not bring to success. */
interface Reach extends Partial<Permission> {
  /** Who calls, where it is not the administrator to whom everything belongs. */
  by?: "stranger" | "reviewer";
  /** The status of a stack that has no mail, no DNS and no identity provider; the services' tests have them. */
  refused?: number;
}

const newOrganization = async (make: Make) => (await make("POST", "/orgs", { title: "Elsewhere" })).id;
const transferred = async (make: Make, kind: "spaces" | "collections", name: string): Promise<Ids> => ({
  [name]: (await make("POST", `/orgs/${at.organizationId}/${kind}`, { title: "Leaving" })).id,
  elsewhere: await newOrganization(make),
});
const elsewhere = ({ elsewhere }: Ids) => ({ organization: elsewhere });

const REACH: Record<string, Reach> = {
  // No site shows a space of the furniture to everybody; its own test reaches what one shows.
  "GET /spaces/{spaceId}/files/{contentHash}/{fileName}": { refused: 404 },
  // It has no bytes; its own journey sends some.
  "PUT /orgs/{organizationId}/storage/uploads/{storageKey}/{signature}": { refused: 400 },
  "POST /spaces/{spaceId}/content/computed/revision": {
    body: ({ specSlug }) => ({ seed: "s", source: specSource(specSlug!, {}) }),
  },
  "POST /spaces/{spaceId}/content/computed/document": {
    body: ({ specSlug }) => ({
      seed: "s",
      source: specSource(specSlug!, { doc: "operations", page: "furniture" }),
    }),
  },
  "POST /spaces/{spaceId}/transfer": {
    fresh: (make) => transferred(make, "spaces", "spaceId"),
    body: elsewhere,
  },
  "POST /collections/{collectionId}/transfer": {
    fresh: (make) => transferred(make, "collections", "collectionId"),
    body: elsewhere,
  },
  "POST /orgs/{organizationId}/invites/{inviteId}": {
    ids: {},
    fresh: async (make) => {
      const organizationId = await newOrganization(make);
      const path = `/orgs/${organizationId}/link-invites`;
      return { organizationId, inviteId: (await make("POST", path, { role: "read" })).id };
    },
    by: "stranger",
  },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews": { by: "reviewer" },
  "GET /spaces/{spaceId}/search": { query: "query=guides" },
  "GET /orgs/{organizationId}/search": { query: "query=guides" },
  "GET /spaces/{spaceId}/content/page/{pageId}/links": { fresh: pageWithLinks },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links": {
    fresh: pageWithLinks,
  },
  "POST /orgs/{organizationId}/join": { refused: 409 },
  "POST /orgs/{organizationId}/email-domains/{emailDomain}/verify": { refused: 409 },
  "POST /user/email/verification": { refused: 501 },
  "POST /user/email/verification/confirm": { refused: 501 },
  "PATCH /custom-hostnames/{hostname}": { refused: 409 },
  "GET /urls/content": { refused: 404 },
  "GET /urls/published": { refused: 404 },
  "POST /integrations/{integrationName}/installations/{installationId}/tokens": { refused: 403 },
  // Of what lies at addresses the tests of the rules know more: there is nothing at this one.
  "POST /spaces/{spaceId}/content/import": { refused: 400 },
  "POST /spaces/{spaceId}/content/page/{pageId}/import": { refused: 400 },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/import": { refused: 400 },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import": { refused: 400 },
  "POST /integrations/{integrationName}/tasks": { refused: 403 },
  "POST /spaces/{spaceId}/git/webhook": { refused: 403 },
  "POST /sso/exchange": { refused: 400 },
  "POST /sso/saml/{samlProviderId}/acs": { refused: 415 },
  "GET /sso/saml/{samlProviderId}/start": { refused: 409 },
};

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>;
  components: { schemas: object };
}
type Content = Record<string, { schema: object }>;

let call: Client;
const others = {} as Record<NonNullable<Reach["by"]>, Client>;
let at: Ids;
let document: Document;

beforeAll(async () => {
  const stack = await sharedStack();
  call = createClient(stack);
  at = await furnish(call);
  others.stranger = call.as((await register(stack, "Stranger")).token);
  await fill(makerOf(call));
  document = (await call<Document>("GET", `${stack.base}/v1/openapi.json`)).body;
});

/** What the lists would lack: members of teams, grants, links, tokens of others, reviews, and a public integration. */
async function fill(make: Make) {
  const org = `/orgs/${at.organizationId}`;
  const account = { title: "Reviewer", role: "create" };
  const reviewer = (await make("POST", `${org}/service-accounts`, account)).id;
  const users = [at.serviceAccountId, reviewer];
  await make("PUT", `${org}/teams/${at.teamId}/members`, { add: [at.userId, ...users] });
  for (const one of [`/spaces/${at.spaceId}`, `/collections/${at.collectionId}`]) {
    await make("POST", `${one}/permissions`, { users, teams: [at.teamId], role: "create" });
  }
  await make("POST", `${org}/link-invites`, { role: "read" });
  await make("POST", `${org}/members/${at.userId}/tokens`, { label: "Filled" });
  const tokens = `${org}/members/${reviewer}/tokens`;
  const { token } = await make<{ token: string }>("POST", tokens, { label: "Reviews" });
  others.reviewer = call.as(token);
  const changeRequest = `/spaces/${at.spaceId}/change-requests/${at.changeRequestId}`;
  await makerOf(others.reviewer)("POST", `${changeRequest}/reviews`, { status: "approved" });
  await make("POST", `${changeRequest}/requested-reviewers`, { users: [at.serviceAccountId] });
  const words = { title: "Open", description: "Open", scopes: [], script: "1", visibility: "public" };
  const organization = at.organizationId;
  await make("POST", `/integrations/open-${at.integrationName}`, { ...words, organization });
}

async function pageWithLinks(make: Make): Promise<Ids> {
  interface Page {
    id: string;
    pages?: Page[];
  }
  const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
  const base = `/spaces/${at.spaceId}/content`;
  const { pages } = await make<{ pages: Page[] }>("GET", `${base}/pages`);
  for (const { id } of flat(pages)) {
    const { items } = await make<{ items: object[] }>("GET", `${base}/page/${id}/links`);
    if (items.length > 0) return { pageId: id };
  }
  throw new Error("No page of the furniture has a link");
}

/** The schema of a response, which has no fields besides those that it names. */
function schemaOf({ method, path, status }: Route): z.ZodType | undefined {
  const operation = document.paths[path.replace("/v1", "").replace("*}", "}")]?.[method.toLowerCase()];
  const schema = operation?.responses[status]?.content?.["application/json"]?.schema;
  if (!schema) return undefined;
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}

async function callOf(route: Route, reach: Reach): Promise<ApiResponse> {
  const permission = { ...permissions[nameOf(route)], ...reach };
  const fresh = await permission.fresh?.(makerOf(call));
  const [path, body] = requestOf(route, permission, { ...at, ...permission.ids, ...fresh });
  return (reach.by ? others[reach.by] : call)(route.method, path, body);
}

/** Reads come before writes, and what takes something away comes last. */
const ORDER = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const table = routes
  .toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method))
  .map((route): [string, Route] => [nameOf(route), route]);

test.each(table)("%s responds as it is documented", async (name, route) => {
  const reach = REACH[name] ?? {};
  const { status, body, headers } = await callOf(route, reach);
  expect([status, status === (reach.refused ?? route.status) ? "" : body]).toEqual([
    reach.refused ?? route.status,
    "",
  ]);
  const schema = reach.refused ? Failure : schemaOf(route);
  if (!schema) {
    // Pictures, files, XML, OpenAPI documents and what has no body at all.
    expect(headers.get("content-type") ?? "").not.toContain("application/json");
    return;
  }
  const { error } = schema.safeParse(body);
  expect(error ? z.prettifyError(error) : "").toBe("");
  // A list without items would prove nothing of theirs.
  if (operations[name]?.paged) expect(body).not.toMatchObject({ items: [] });
});
