import { afterAll, afterEach, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";
import { signInTest } from "./testing-sign-in.js";

const orgs = await startOrgs();
const { db, rows, as, clock, gateway } = orgs;
const acme = await signInTest(orgs);
afterAll(orgs.end);
afterEach(() => {
  clock.now = () => new Date();
});

const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;
const codeOf = (location: string | null) => new URL(location!).searchParams.get("code")!;
const personOf = (email: string) =>
  db.selectFrom("person").selectAll().where("email", "=", email).executeTakeFirst();
const later = (ms: number) => {
  const time = Date.now() + ms;
  clock.now = () => new Date(time);
};

test("GET /sso/saml/{samlProviderId}/metadata describes the service that the provider names", async () => {
  const response = await acme.get(acme.provider.service.entityID);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/samlmetadata+xml; charset=utf-8",
  ]);
  const text = await response.text();
  expect(text).toContain(`entityID="${acme.provider.service.entityID}"`);
  expect(text).toContain(`Location="${acme.provider.service.acsURL}"`);
  expect(text).toContain('WantAssertionsSigned="true"');
  expect((await acme.get("http://octavo.test/v1/sso/saml/unknown/metadata")).status).toBe(404);
});

test("a newcomer signs in: request, assertion, code, token; with the role and the team of the provider", async () => {
  const team = await rows.team(acme.organization);
  const path = `/v1/orgs/${acme.organization}/saml/${acme.provider.id}`;
  expect((await acme.admin.send("PATCH", path, { defaultTeam: team })).status).toBe(200);
  const { status, location } = await acme.signIn({
    email: "Ada.Lovelace@Example.COM",
    firstName: "Ada",
    lastName: "Lovelace & Daughters",
  });
  expect(status).toBe(303);
  expect(location).toMatch(/^http:\/\/octavo\.test\/app\?code=[\w-]{43}$/);
  const { status: exchanged, body } = await acme.exchange(codeOf(location));
  expect(exchanged).toBe(200);
  expect(body).toMatchObject({
    object: "token",
    label: "Sign-in: Acme",
    token: expect.stringMatching(/^oct_/),
    expiresAt: expect.any(String),
  });
  const caller = await resolve(body.token!);
  expect(caller).toMatchObject({
    name: "Ada Lovelace & Daughters",
    email: "ada.lovelace@example.com",
    organizations: { [acme.organization]: "edit" },
    teams: [team],
  });
  const member = await acme.admin.send("GET", `/v1/orgs/${acme.organization}/members/${caller!.id}`);
  expect(member.body).toMatchObject({ role: "edit", sso: true, teams: 1 });
  const audit = await acme.admin.send("GET", `/v1/orgs/${acme.organization}/audit-events?limit=3`);
  expect(audit.body.items).toMatchObject([
    { action: "token.signIn", actor: { id: caller!.id } },
    { action: "team.members.add", target: { id: team }, details: { user: caller!.id } },
    { action: "member.add", target: { id: caller!.id } },
  ]);
  expect((await acme.admin.send("PATCH", path, { label: "Acme" })).body.defaultTeam).toMatchObject({
    object: "team",
    id: team,
    members: 1,
  });
});

test("who signed in once signs in again as the same person, in any case of the address", async () => {
  const first = await resolve(await acme.tokenOf({ email: "bea@example.com", firstName: "Bea" }));
  const second = await resolve(await acme.tokenOf({ email: "BEA@example.com", firstName: "Other" }));
  expect(second).toMatchObject({ id: first!.id, name: "Bea" });
});

test("POST /sso/exchange takes a code once, in time, and no other; only its hash is kept", async () => {
  const code = codeOf((await acme.signIn({ email: "cyd@example.com" })).location);
  const kept = await db.selectFrom("sso_code").select("hash").execute();
  expect(JSON.stringify(kept)).not.toContain(code);
  const both = await Promise.all([acme.exchange(code), acme.exchange(code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const late = codeOf((await acme.signIn({ email: "cyd@example.com" })).location);
  later(61_000);
  expect((await acme.exchange(late)).body).toMatchObject({ error: { reason: "invalid_code" } });
  for (const wrong of [undefined, null, 7, "", "x".repeat(43), [code], { code }])
    expect((await acme.exchange(wrong)).status).toBe(400);
});

test("GET …/start returns to allowed addresses alone", async () => {
  const end = await acme.signIn(
    { email: "dan@example.com" },
    "https://docs.example.com/signed-in/?state=a%26b",
  );
  expect(end.location).toMatch(/^https:\/\/docs\.example\.com\/signed-in\/\?state=a%26b&code=[\w-]{43}$/);
  for (const wrong of [
    "https://evil.example/",
    "https://docs.example.com.evil.example/signed-in",
    "https://docs.example.com@evil.example/signed-in",
    "https://user:pw@docs.example.com/signed-in",
    "https://docs.example.com/other",
    "https://docs.example.com/signed-in/../other",
    "https://docs.example.com/signed-in/..%2fother",
    "https://docs.example.com/signed-inside",
    "http://docs.example.com/signed-in",
    "https://docs.example.com:444/signed-in",
    "//docs.example.com/signed-in",
    "javascript:alert(1)",
    "/app",
    "",
    `https://docs.example.com/signed-in/${"x".repeat(3000)}`,
  ])
    await expect(acme.start(wrong), wrong).rejects.toThrow(/^400/);
});

test("GET …/start of an unknown provider is 404, of a pending one 409", async () => {
  expect((await acme.get("http://octavo.test/v1/sso/saml/unknown/start")).status).toBe(404);
  const { service } = (await acme.admin.send("POST", `/v1/orgs/${acme.organization}/saml`, { label: "Half" }))
    .body;
  const response = await acme.get(service.startURL);
  expect([response.status, (await response.json()).error.reason]).toEqual([409, "provider_pending"]);
});

test("the account of an address outside the organization's domains is not made", async () => {
  for (const email of ["eve@evil.example", "eve@sub.example.com", "eve@example.com.evil.example"]) {
    const { status, body } = await acme.signIn({ email });
    expect([status, body.error.reason], email).toEqual([403, "outside_email_domains"]);
    expect(JSON.stringify(body)).not.toContain(email);
    expect(await personOf(email)).toBeUndefined();
  }
});

test("a domain that the organization names and has not verified lets in nobody, members neither", async () => {
  const other = await signInTest(orgs);
  await db.deleteFrom("email_domain").where("organization", "=", other.organization).execute();
  const person = await rows.person({ email: "kay@example.com" });
  await rows.member({ organization: other.organization, person, sso: true });
  for (const email of ["kay@example.com", "new@example.com"]) {
    const { status, body } = await other.signIn({ email });
    expect([status, body.error.reason]).toEqual([403, "email_domain_not_verified"]);
  }
  expect(await personOf("new@example.com")).toBeUndefined();
});

test("an account that was there before is linked only when an administrator opened it", async () => {
  const person = await rows.person({ email: "fay@example.com" });
  expect((await acme.signIn({ email: "fay@example.com" })).body.error.reason).toBe("sso_not_linked");
  await rows.member({ organization: acme.organization, person, role: "review" });
  expect((await acme.signIn({ email: "fay@example.com" })).body.error.reason).toBe("sso_not_linked");
  await db.updateTable("member").set({ sso: true }).where("person", "=", person).execute();
  const caller = await resolve(await acme.tokenOf({ email: "fay@example.com", firstName: "Mallory" }));
  expect(caller).toMatchObject({ id: person, name: `Person ${person}` });
  expect(caller!.organizations).toEqual({ [acme.organization]: "review" });
});

test("who was invited for single sign-on accepts by signing in", async () => {
  const invite = { emails: ["gus@example.com"], role: "comment", sso: true };
  expect((await acme.admin.send("POST", `/v1/orgs/${acme.organization}/invites`, invite)).status).toBe(200);
  const caller = await resolve(await acme.tokenOf({ email: "gus@example.com" }));
  expect(caller!.organizations).toEqual({ [acme.organization]: "comment" });
  expect((await acme.signIn({ email: "gus@example.com" })).status).toBe(303);
});

test("a sign-in confirms the address, and other organizations still invite with a token", async () => {
  const person = await rows.person({ email: "zoe@example.com", email_verified: false });
  await rows.member({ organization: acme.organization, person, sso: true });
  for (const email of ["zoe@example.com", "yan@example.com"]) {
    await acme.tokenOf({ email });
    const { email_verified } = await db
      .selectFrom("person")
      .select("email_verified")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(email_verified).toBe(true);
    const beta = await rows.organization();
    const admin = await as({ [beta]: "admin" });
    const { body } = await admin.send("POST", `/v1/orgs/${beta}/invites`, { emails: [email] });
    expect(Object.keys(body.tokens)).toEqual([email]);
  }
});

test("a disabled member is refused", async () => {
  const person = await rows.person({ email: "hal@example.com" });
  await rows.member({ organization: acme.organization, person, sso: true, disabled: true });
  expect((await acme.signIn({ email: "hal@example.com" })).body.error.reason).toBe("member_disabled");
});
