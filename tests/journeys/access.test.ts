import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { addPage } from "../harness/editing.js";
import { publishIntegration } from "../harness/integration.js";
import { type Person, register } from "../harness/people.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

let stack: SharedStack;
let database: Database;
let admin: Client;
let bea: Person;
let asBea: Client;
let organization: string;
let space: string;
let site: string;

/** What a revoked token or a lost membership may take to be felt. */
const FELT_WITHIN_MS = 2_000;
const ROLES = ["guest", "read", "comment", "edit", "review", "create", "admin"] as const;
type Role = (typeof ROLES)[number];

beforeAll(async () => {
  stack = await sharedStack();
  database = openDatabase(stack);
  admin = createClient(stack);
  organization = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  bea = await register(stack, "Bea");
  asBea = admin.as(bea.token);
  space = (await admin<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })).body
    .id;
  await addPage(admin, space, "First");
  // Everybody may view what is public.
  const wanted = { title: "Docs", visibility: "unlisted", spaces: [space] };
  site = (await admin<{ id: string }>("POST", `/orgs/${organization}/sites`, wanted)).body.id;
  await publishIntegration(admin, { name: "access-witness", organization, tunnelUrl: "http://127.0.0.1:9" });
});
afterAll(() => database?.close());

const admit = () =>
  database.query("insert into orgs.member (organization, person) values ($1, $2) on conflict do nothing", [
    organization,
    bea.id,
  ]);

const newToken = async (options: object = {}) => {
  const made = await admin<{ id: string; token: string }>("POST", "/user/tokens", {
    label: "Test",
    ...options,
  });
  expect(made.status).toBe(201);
  return made.body;
};

test.each([
  ["no token", undefined, "authentication_required", 'Bearer realm="octavo"'],
  ["another scheme", "Basic YTpi", "invalid_token", 'Bearer realm="octavo", error="invalid_token"'],
  ["no token behind the scheme", "Bearer", "invalid_token", 'Bearer realm="octavo", error="invalid_token"'],
  ["nonsense", "Bearer !!!", "invalid_token", 'Bearer realm="octavo", error="invalid_token"'],
  [
    "a wrong checksum",
    `Bearer oct_${"a".repeat(36)}`,
    "invalid_token",
    'Bearer realm="octavo", error="invalid_token"',
  ],
  [
    "an unknown one",
    `Bearer ${"b".repeat(40)}`,
    "invalid_token",
    'Bearer realm="octavo", error="invalid_token"',
  ],
])(
  "%s is 401 with a challenge that explains how to authenticate",
  async (_what, authorization, reason, challenge) => {
    for (const path of ["/user", `/spaces/${space}`, `/orgs/${organization}/sites`, "/integrations"]) {
      const headers = authorization === undefined ? undefined : { authorization };
      const response = await admin.as(undefined).send("GET", path, headers ?? {});
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ error: { code: 401, reason } });
      expect(response.headers.get("www-authenticate")).toBe(challenge);
    }
  },
);

test("a token is shown once, and listed with its label, scopes and expiry", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await admin<{ id: string; token: string }>("POST", "/user/tokens", {
    label: "Deploy",
    scopes: ["content:read"],
    expiresAt,
  });
  expect(made).toMatchObject({ status: 201, body: { object: "token", label: "Deploy", expiresAt } });
  expect(made.body.token).toMatch(/^oct_\w{30,}$/);
  const one = await admin("GET", `/user/tokens/${made.body.id}`);
  expect(one.body).toMatchObject({ label: "Deploy", scopes: ["content:read"], expiresAt });
  const list = await admin("GET", "/user/tokens");
  expect(JSON.stringify([one.body, list.body])).not.toContain(made.body.token);
  const [row] = await database.query<{ text: string }>(
    "select t::text as text from orgs.token t where id = $1",
    [made.body.id],
  );
  expect(row?.text).not.toContain(made.body.token);
});

test("a token of reading scopes reads what they name, and writes nothing", async () => {
  const { token } = await newToken({ scopes: ["content:read", "sites:read"] });
  const reader = admin.as(token);
  expect((await reader("GET", `/spaces/${space}`)).status).toBe(200);
  expect((await reader("GET", `/orgs/${organization}/sites/${site}`)).status).toBe(200);
  const refused = [
    await reader("PATCH", `/spaces/${space}`, { title: "Changed" }),
    await reader("POST", `/orgs/${organization}/spaces`, { title: "New" }),
    await reader("DELETE", `/spaces/${space}`),
    await reader("POST", `/orgs/${organization}/sites/${site}/publish`),
    await reader("GET", "/orgs"),
    await reader("POST", "/user/tokens", { label: "More" }),
    await reader("GET", "/integrations"),
  ];
  for (const { status, body } of refused) {
    expect([status, body]).toMatchObject([403, { error: { reason: "insufficient_scope" } }]);
  }
  expect((await admin("GET", `/spaces/${space}`)).body).toMatchObject({ title: "Handbook" });
});

test("a restricted token makes no token that may do more", async () => {
  const maker = admin.as((await newToken({ scopes: ["orgs:write", "content:read"] })).token);
  expect((await maker("POST", "/user/tokens", { label: "All" })).status).toBe(403);
  expect((await maker("POST", "/user/tokens", { label: "More", scopes: ["content:write"] })).status).toBe(
    403,
  );
  expect((await maker("POST", "/user/tokens", { label: "Less", scopes: ["content:read"] })).status).toBe(201);
});

test("an expired token is 401", async () => {
  const expiresAt = Date.now() + 5_000;
  const { token } = await newToken({ expiresAt: new Date(expiresAt).toISOString() });
  expect((await admin.as(token)("GET", `/spaces/${space}`)).status).toBe(200);
  await eventually(async () => Date.now() > expiresAt);
  expect((await admin.as(token)("GET", `/spaces/${space}`)).status).toBe(401);
});

test("a revoked token is 401 everywhere within two seconds, whoever revoked it", async () => {
  const paths = ["/user", `/spaces/${space}`, `/orgs/${organization}/sites`, "/integrations"];
  const allRefused = async (token: string) => {
    const responses = await Promise.all(paths.map((path) => admin.as(token)("GET", path)));
    return responses.every(({ status }) => status === 401);
  };
  const { id, token } = await newToken();
  expect((await admin.as(token)("GET", "/user")).status).toBe(200);
  expect((await admin("DELETE", `/user/tokens/${id}`)).status).toBe(204);
  expect(await allRefused(token)).toBe(true);
  expect((await admin("DELETE", `/user/tokens/${id}`)).status).toBe(204);

  // Past the gateway, as another gateway would see it: by the event alone.
  const other = await newToken();
  expect((await admin.as(other.token)("GET", "/user")).status).toBe(200);
  const user = (await admin("GET", "/user")).body.id;
  await database.query("delete from orgs.token where id = $1", [other.id]);
  const event = { id: "revokedByHand0000000000", name: "orgs.token.revoked", version: 1, aggregate: user };
  const body = { ...event, occurredAt: new Date().toISOString(), payload: { token: other.id, user } };
  await database.query("insert into orgs.outbox (id, name, aggregate, body) values ($1, $2, $3, $4)", [
    body.id,
    body.name,
    user,
    JSON.stringify(body),
  ]);
  await database.query("select pg_notify('octavo_orgs_outbox', '')");
  await eventually(() => allRefused(other.token), FELT_WITHIN_MS);
});

/** A handful of operations, and the role that each of them needs. */
const needs: [least: Role, what: string, ask: (call: Client) => Promise<{ status: number }>][] = [
  ["guest", "list spaces", (call) => call("GET", `/orgs/${organization}/spaces`)],
  ["guest", "read the organization", (call) => call("GET", `/orgs/${organization}`)],
  ["read", "list members", (call) => call("GET", `/orgs/${organization}/members`)],
  ["read", "read a space", (call) => call("GET", `/spaces/${space}`)],
  ["read", "read its pages", (call) => call("GET", `/spaces/${space}/content/pages`)],
  ["read", "search in it", (call) => call("GET", `/spaces/${space}/search?query=first`)],
  ["read", "read a site", (call) => call("GET", `/orgs/${organization}/sites/${site}`)],
  ["edit", "open a change request", (call) => call("POST", `/spaces/${space}/change-requests`, {})],
  ["review", "merge a change request", mergeNew],
  ["create", "rename a space", (call) => call("PATCH", `/spaces/${space}`, { title: "Handbook" })],
  ["create", "make a space", (call) => call("POST", `/orgs/${organization}/spaces`, { title: "New" })],
  ["create", "publish a site", (call) => call("POST", `/orgs/${organization}/sites/${site}/publish`)],
  [
    "create",
    "configure an integration",
    (call) => call("PUT", "/integrations/access-witness/dev", { tunnelUrl: "http://127.0.0.1:9" }),
  ],
  ["admin", "rename the organization", (call) => call("PATCH", `/orgs/${organization}`, { title: "Acme" })],
];

async function mergeNew(call: Client) {
  const opened = await admin<{ id: string }>("POST", `/spaces/${space}/change-requests`);
  return call("POST", `/spaces/${space}/change-requests/${opened.body.id}/merge`);
}

const reaches = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least);

test.each(ROLES)("a member with the role %s may do what the role permits, and no more", async (role) => {
  await admit();
  const path = `/orgs/${organization}/members/${bea.id}`;
  await admin("PATCH", path, { role: role === "guest" ? null : role });
  // The new role counts from the next request on.
  const outcomes = [];
  for (const [least, what, ask] of needs) {
    const { status } = await ask(asBea);
    const done = status >= 200 && status < 300;
    // 403 for who sees the thing and may too little, 404 for who may not even read.
    const refused = status === 403 || (role === "guest" && status === 404);
    outcomes.push([what, reaches(role, least) ? done : refused]);
  }
  expect(outcomes).toEqual(needs.map(([, what]) => [what, true]));
});

test("what a role shows in permissions is what it may do", async () => {
  await admin("PATCH", `/orgs/${organization}/members/${bea.id}`, { role: "edit" });
  const { body } = await asBea<{ permissions: Record<string, boolean> }>("GET", `/spaces/${space}`);
  expect(body.permissions).toMatchObject({
    view: true,
    comment: true,
    edit: true,
    review: false,
    merge: false,
    admin: false,
  });
});

test("a removed member is refused everywhere within two seconds", async () => {
  await admin("PATCH", `/orgs/${organization}/members/${bea.id}`, { role: "create" });
  await database.query(
    `insert into content.content_grant (target, subject, subject_kind, organization, role)
     values ($1, $2, 'user', $3, 'edit')`,
    [space, bea.id, organization],
  );
  const paths = [
    `/orgs/${organization}`,
    `/orgs/${organization}/members`,
    `/orgs/${organization}/spaces`,
    `/orgs/${organization}/search?query=first`,
    `/orgs/${organization}/sites`,
    `/orgs/${organization}/sites/${site}`,
    `/spaces/${space}`,
    `/spaces/${space}/content`,
    `/spaces/${space}/change-requests`,
  ];
  const statuses = async () =>
    new Set((await Promise.all(paths.map((path) => asBea("GET", path)))).map(({ status }) => status));
  expect(await statuses()).toEqual(new Set([200]));
  expect((await admin("DELETE", `/orgs/${organization}/members/${bea.id}`)).status).toBe(204);
  await eventually(async () => [...(await statuses())].join() === "404", FELT_WITHIN_MS);
  expect((await asBea("GET", "/user")).status).toBe(200);
  const install = await asBea("POST", "/integrations/access-witness/installations", { organization });
  expect(install.status).toBe(404);
  await eventually(async () => {
    const grants = await database.query("select target from content.content_grant where subject = $1", [
      bea.id,
    ]);
    return grants.length === 0;
  });
  const own = await asBea("GET", `/orgs/${bea.organization}`);
  expect(own).toMatchObject({ status: 200, body: { permissions: { admin: true } } });
});

test("a member is given a token that the visitor authentication of the default site verifies", async () => {
  const path = `/orgs/${organization}/sites/${site}/publishing/auth`;
  const { privateKey } = (await admin<{ privateKey: string }>("GET", path)).body;
  const ping = async () =>
    (await admin<{ serviceVisitorClaims?: string }>("POST", `/orgs/${organization}/ping`)).body
      .serviceVisitorClaims;
  const isSignedBy = (key: string, token: string) => {
    const [signed, signature] = [token.slice(0, token.lastIndexOf(".")), token.split(".")[2]];
    return createHmac("sha256", key).update(signed).digest("base64url") === signature;
  };
  expect(await ping()).toBeUndefined();
  const content = { defaultContent: { type: "site", site } };
  expect((await admin("PATCH", `/orgs/${organization}`, content)).status).toBe(200);
  expect(await ping()).toBeUndefined();
  await admin("PATCH", `/orgs/${organization}/sites/${site}`, { visibility: "visitor-auth" });
  await eventually(async () => isSignedBy(privateKey, (await ping()) ?? ""));
  const again = await admin<{ privateKey: string }>("POST", `${path}/regenerate`);
  await eventually(async () => isSignedBy(again.body.privateKey, (await ping()) ?? ""));
  expect(isSignedBy(privateKey, (await ping())!)).toBe(false);
  const stored = await database.query<{ text: string }>("select v::text as text from orgs.site v");
  expect(JSON.stringify(stored)).not.toContain(again.body.privateKey);
});

test("what belongs to another organization is as if it were not there, for every operation", async () => {
  const foreign = [
    asBea("GET", `/spaces/${space}`),
    asBea("PATCH", `/spaces/${space}`, { title: "Mine" }),
    asBea("POST", `/spaces/${space}/transfer`, { organization: bea.organization }),
    asBea("POST", `/orgs/${bea.organization}/sites`, { title: "Mine", spaces: [space] }),
    asBea("GET", `/orgs/${bea.organization}/sites/${site}`),
    admin("POST", `/spaces/${space}/transfer`, { organization: bea.organization }),
  ];
  for (const { status } of await Promise.all(foreign)) expect(status).toBe(404);
  // As of what was never there.
  expect((await asBea("DELETE", `/spaces/${space}`)).status).toBe(204);
  expect((await admin("GET", `/spaces/${space}`)).body).toMatchObject({ title: "Handbook", organization });
});
