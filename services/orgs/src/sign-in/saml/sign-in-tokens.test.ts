import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";
import { signInTest } from "./testing-sign-in.js";

const orgs = await startOrgs();
const { rows, as, gateway } = orgs;
const acme = await signInTest(orgs);
afterAll(orgs.end);

const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;
const codeOf = (location: string | null) => new URL(location!).searchParams.get("code")!;

test("a token from a sign-in reaches its organization and no other, nor do the tokens made with it", async () => {
  const beta = await rows.organization();
  const person = await rows.person({ email: "ida@example.com" });
  await rows.member({ organization: acme.organization, person, role: "read", sso: true });
  await rows.member({ organization: beta, person, role: "admin" });
  const caller = (await resolve(await acme.tokenOf({ email: "ida@example.com" })))!;
  expect(caller.organizations).toEqual({ [acme.organization]: "read" });
  const ida = orgs.asCaller(caller);
  expect((await ida.send("GET", `/v1/orgs/${beta}`)).status).toBe(404);
  expect((await ida.send("GET", "/v1/orgs")).body.items.map(({ id }: { id: string }) => id)).toEqual([
    acme.organization,
  ]);
  const made = await ida.send("POST", "/v1/user/tokens", { label: "CI" });
  expect((await resolve(made.body.token))!.organizations).toEqual({ [acme.organization]: "read" });
});

test("an organization with sso on refuses other tokens than those of sign-ins, except to administrators", async () => {
  const other = await signInTest(orgs);
  const { organization } = other;
  const role = { reader: "read", guest: null, boss: "admin" } as const;
  const people = await Promise.all(
    Object.values(role).map(async (one) => {
      const person = await as({ [organization]: one });
      const { token } = (await person.send("POST", "/v1/user/tokens", { label: "x" })).body;
      return { ...person, token };
    }),
  );
  const [reader, guest, boss] = people as [never, never, never] as (typeof people)[number][];
  const reaches = async ({ token }: { token: string }) =>
    organization in (await resolve(token))!.organizations;
  expect(await Promise.all(people.map(reaches))).toEqual([true, true, true]);
  expect((await other.admin.send("PATCH", `/v1/orgs/${organization}`, { sso: true })).status).toBe(200);
  expect(await Promise.all(people.map(reaches))).toEqual([false, false, true]);
  const unknowing = orgs.asCaller({ ...reader!.caller, organizations: {} } as never);
  expect((await unknowing.send("GET", `/v1/orgs/${organization}`)).status).toBe(404);
  expect((await unknowing.send("GET", "/v1/orgs")).body.count).toBe(0);
  expect(guest!.id).not.toBe(boss!.id);
  const issued = await other.admin.send("POST", `/v1/orgs/${organization}/members/${reader!.id}/tokens`, {
    label: "x",
  });
  expect(issued.status).toBe(201);
  expect(await reaches({ token: issued.body.token })).toBe(false);
  const signedIn = await other.tokenOf({ email: "joy@example.com" });
  expect(await reaches({ token: signedIn })).toBe(true);
  const joy = orgs.asCaller({ ...(await resolve(signedIn))!, organizations: {} });
  expect((await joy.send("GET", `/v1/orgs/${organization}`)).status).toBe(200);
});

test("a token from a sign-in ends with the membership; administrators see and revoke it; a code is worth nothing after", async () => {
  const token = await acme.tokenOf({ email: "lea@example.com" });
  const { id } = (await resolve(token))!;
  const path = `/v1/orgs/${acme.organization}/members/${id}`;
  const seen = await acme.admin.send("GET", `${path}/tokens`);
  expect(seen.body.items).toMatchObject([{ label: "Sign-in: Acme", organization: acme.organization }]);
  expect((await acme.admin.send("DELETE", `${path}/tokens/${seen.body.items[0].id}`)).status).toBe(204);
  expect(await resolve(token)).toBeUndefined();
  const second = await acme.tokenOf({ email: "lea@example.com" });
  const code = codeOf((await acme.signIn({ email: "lea@example.com" })).location);
  expect((await acme.admin.send("DELETE", path)).status).toBe(204);
  expect(await resolve(second)).toBeUndefined();
  expect((await acme.exchange(code)).body).toMatchObject({ error: { code: 400, reason: "invalid_code" } });
});

test("DELETE /orgs/{organizationId}/saml/{samlProviderId} ends the tokens of its sign-ins at once", async () => {
  const other = await signInTest(orgs);
  const token = await other.tokenOf({ email: "kim@example.com" });
  expect(await resolve(token)).toBeDefined();
  const path = `/v1/orgs/${other.organization}/saml/${other.provider.id}`;
  expect((await other.admin.send("DELETE", path)).status).toBe(204);
  expect(await resolve(token)).toBeUndefined();
});

test("linking an account that nobody confirmed ends the tokens that were around before", async () => {
  const person = await rows.person({ email: "max@example.com", email_verified: false });
  const stranger = (await (await as({}, { id: person })).send("POST", "/v1/user/tokens", { label: "x" }))
    .body;
  const invite = { emails: ["max@example.com"], role: "admin", sso: true };
  const sent = await acme.admin.send("POST", `/v1/orgs/${acme.organization}/invites`, invite);
  const token = await acme.tokenOf({ email: "max@example.com" });
  expect((await resolve(token))!.organizations).toEqual({ [acme.organization]: "admin" });
  expect(await resolve(stranger.token)).toBeUndefined();
  expect(await resolve(sent.body.tokens["max@example.com"])).toBeUndefined();
});
