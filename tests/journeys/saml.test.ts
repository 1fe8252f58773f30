import { startDns } from "@octavo/shared/testing/dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startIdentityProvider } from "../../services/orgs/src/sign-in/saml/testing-idp.js";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Stack, startStack } from "../harness/stack.js";

const RETURN = "https://docs.example.com/signed-in";
const idp = startIdentityProvider();

interface Provider {
  id: string;
  status: string;
  service: { acsURL: string; startURL: string; entityID: string };
}

let dns: Awaited<ReturnType<typeof startDns>>;
let stack: Stack;
let admin: Client;
let organization: string;
let provider: Provider;

beforeAll(async () => {
  dns = await startDns();
  stack = await startStack({
    OCTAVO_SSO_RETURN: `${RETURN},https://other.example.com`,
    OCTAVO_DNS_SERVERS: dns.server,
    OCTAVO_EMAIL_DOMAINS: "first.example",
  });
  admin = createClient(stack);
  organization = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});
afterAll(() => Promise.all([stack?.stop(), dns?.close()]));

const settings = () => ({
  label: "Acme",
  entityID: "https://idp.example.com/metadata",
  ssoURL: "https://idp.example.com/sso",
  certificate: idp.identity.certificate,
  defaultRole: "create",
});

const follow = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });

/** What a browser does: to the identity provider with our request, and back with its response. */
async function signIn(email: string, names: { firstName?: string; lastName?: string } = {}) {
  const { startURL, acsURL, entityID } = provider.service;
  const started = await follow(`${startURL}?returnTo=${encodeURIComponent(`${RETURN}/?state=s1`)}`);
  expect(started.status).toBe(302);
  const metadata = await (await follow(entityID)).text();
  const form = await idp.signIn(started.headers.get("location")!, metadata, { email, ...names });
  return { form, response: await follow(acsURL, { method: "POST", body: form }) };
}

async function tokenOf(location: string): Promise<string> {
  const code = new URL(location).searchParams.get("code");
  const { status, body } = await admin.as(undefined)<{ token: string }>("POST", "/sso/exchange", { code });
  expect(status).toBe(200);
  expect((await admin.as(undefined)("POST", "/sso/exchange", { code })).status).toBe(400);
  return body.token;
}

test("domains that the operator named are verified from the start", async () => {
  const { body } = await admin("GET", `/orgs/${organization}/email-domains`);
  expect(body).toMatchObject({ items: [{ domain: "first.example", status: "verified" }] });
});

test("an administrator connects the identity provider, and members see where to sign in", async () => {
  const emailDomains = ["example.com"];
  expect((await admin("PATCH", `/orgs/${organization}`, { emailDomains })).status).toBe(200);
  const team = await admin<{ id: string }>("PUT", `/orgs/${organization}/teams`, { title: "Writers" });
  const made = await admin<Provider>("POST", `/orgs/${organization}/saml`, { label: "Acme" });
  expect(made).toMatchObject({ status: 201, body: { status: "pending" } });
  expect((await follow(made.body.service.startURL)).status).toBe(409);
  const path = `/orgs/${organization}/saml/${made.body.id}`;
  provider = (await admin<Provider>("PATCH", path, { ...settings(), defaultTeam: team.body.id })).body;
  expect(provider).toMatchObject({ status: "active", defaultTeam: { id: team.body.id } });
  const { body } = await admin("GET", `/orgs/${organization}/sso`);
  expect(body).toEqual({
    items: [{ id: provider.id, label: "Acme", startURL: provider.service.startURL }],
  });
});

test("nobody signs in before the DNS proves that the domain is the organization's", async () => {
  const { response } = await signIn("ada@example.com");
  expect([response.status, (await response.json()).error.reason]).toEqual([403, "email_domain_not_verified"]);
  const domain = `/orgs/${organization}/email-domains/example.com`;
  expect((await admin("POST", `${domain}/verify`)).body).toMatchObject({
    error: { code: 409, reason: "record_not_found" },
  });
  const { record } = (await admin<{ record: { name: string; value: string } }>("GET", domain)).body;
  dns.records.set(record.name, [record.value]);
  const verified = await admin("POST", `${domain}/verify`);
  expect(verified).toMatchObject({ status: 200, body: { domain: "example.com", status: "verified" } });
});

test("somebody new signs in through the gateway, and works with the token of the code", async () => {
  const { form, response } = await signIn("Ada@Example.com", { firstName: "Ada", lastName: "Lovelace" });
  expect(response.status).toBe(303);
  const location = response.headers.get("location")!;
  expect(location).toMatch(/^https:\/\/docs\.example\.com\/signed-in\/\?state=s1&code=[\w-]{43}$/);
  const ada = admin.as(await tokenOf(location));
  const user = await ada<{ id: string }>("GET", "/user");
  expect(user).toMatchObject({
    status: 200,
    body: { displayName: "Ada Lovelace", email: "ada@example.com" },
  });
  const member = await admin("GET", `/orgs/${organization}/members/${user.body.id}`);
  expect(member.body).toMatchObject({ role: "create", sso: true, teams: 1 });
  expect((await ada("POST", `/orgs/${organization}/spaces`, { title: "Hers" })).status).toBe(201);
  const again = await follow(provider.service.acsURL, { method: "POST", body: form });
  expect(again.status).toBe(403);
});

test("a person outside the domains, or with a forged response, ends at a refusal", async () => {
  const outside = await signIn("eve@evil.example");
  expect([outside.response.status, (await outside.response.json()).error.reason]).toEqual([
    403,
    "outside_email_domains",
  ]);
  const { startURL, acsURL, entityID } = provider.service;
  const started = (await follow(startURL)).headers.get("location")!;
  const form = await idp.signIn(started, await (await follow(entityID)).text(), { email: "x@example.com" });
  const xml = Buffer.from(form.get("SAMLResponse")!, "base64").toString();
  form.set("SAMLResponse", Buffer.from(xml.replace("x@example.com", "y@example.com")).toString("base64"));
  expect((await follow(acsURL, { method: "POST", body: form })).status).toBe(403);
  expect((await follow(`${startURL}?returnTo=https://evil.example/`)).status).toBe(400);
  expect(await stack.logs()).not.toMatch(/eve@evil|[xy]@example\.com/);
});

test("with sso on, only tokens of sign-ins and of administrators reach the organization, at once", async () => {
  const { response } = await signIn("bea@example.com", { firstName: "Bea" });
  const signedIn = admin.as(await tokenOf(response.headers.get("location")!));
  const invited = await admin<{ tokens: Record<string, string>; urls: Record<string, string> }>(
    "POST",
    `/orgs/${organization}/invites`,
    { emails: ["cyd@example.com"], role: "read" },
  );
  const other = admin.as(invited.body.tokens["cyd@example.com"]);
  const invite = invited.body.urls["cyd@example.com"]!.split("/").at(-1);
  expect((await other("POST", `/orgs/${organization}/invites/${invite}`)).status).toBe(200);
  const reads = async (client: Client) => (await client("GET", `/orgs/${organization}/spaces`)).status;
  expect(await Promise.all([signedIn, other, admin].map(reads))).toEqual([200, 200, 200]);
  expect((await admin("PATCH", `/orgs/${organization}`, { sso: true })).status).toBe(200);
  await eventually(async () => (await reads(other)) === 404);
  expect((await other("GET", `/orgs/${organization}`)).status).toBe(404);
  expect((await other<{ count: number }>("GET", "/orgs")).body.count).toBe(0);
  expect(await Promise.all([signedIn, admin].map(reads))).toEqual([200, 200]);
});

test("with the provider end the tokens that it gave, within two seconds", async () => {
  const { response } = await signIn("dan@example.com");
  const dan = admin.as(await tokenOf(response.headers.get("location")!));
  expect((await dan("GET", "/user")).status).toBe(200);
  expect((await admin("DELETE", `/orgs/${organization}/saml/${provider.id}`)).status).toBe(204);
  await eventually(async () => (await dan("GET", "/user")).status === 401);
});
