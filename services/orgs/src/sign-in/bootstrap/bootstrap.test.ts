import { newBearer } from "@octavo/shared/bearer";
import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, content, gateway, launcher, emitted, end } = await startOrgs();
afterAll(end);

const input = (token: string) => ({
  token,
  organization: { title: "My organization" },
  user: { displayName: "Administrator", email: `${newId()}@localhost` },
});
const ensure = launcher.call.bootstrap.ensure;

test("bootstrap.ensure makes an organization, its administrator and the token as given", async () => {
  const first = input("the-operators-own-token");
  const made = await ensure(first);
  expect(made).toEqual({ organization: expect.any(String), user: expect.any(String), created: true });
  const [organization] = await content.call.organizations.lookup({ ids: [made.organization] });
  expect(organization).toMatchObject({ title: "My organization", type: "business" });
  const [user] = await content.call.users.lookup({ ids: [made.user] });
  expect(user).toMatchObject({ displayName: "Administrator", email: first.user.email.toLowerCase() });
  const resolved = await gateway.call.tokens.resolve({ token: first.token });
  expect(resolved?.caller).toMatchObject({ id: made.user, organizations: { [made.organization]: "admin" } });
  expect((await emitted(made.organization)).map(([name]) => name)).toEqual([
    "organization.created",
    "member.added",
  ]);
});

test("bootstrap.ensure finds again what it made, by the token or by the address", async () => {
  const first = input(newBearer());
  const made = await ensure(first);
  const again = { ...made, created: false };
  expect(await ensure(first)).toEqual(again);
  expect(await ensure({ ...first, user: { displayName: "Other", email: "other@localhost" } })).toEqual(again);
  const token = newBearer();
  expect(await ensure({ ...first, token, organization: { title: "Other" } })).toEqual(again);
  expect((await gateway.call.tokens.resolve({ token }))?.caller.id).toBe(made.user);
});

test("bootstrap.vouch verifies e-mail domains for the operator, beside those that are named already", async () => {
  const first = input(newBearer());
  const { organization } = await ensure(first);
  const admin = await as({ [organization]: "admin" });
  const named = { emailDomains: ["claimed.example"] };
  expect((await admin.send("PATCH", `/v1/orgs/${organization}`, named)).status).toBe(200);
  const vouched = { organization, emailDomains: ["Acme.example", "acme.test"] };
  for (const _ of [1, 2]) await launcher.call.bootstrap.vouch(vouched);
  await expect(launcher.call.bootstrap.vouch({ ...vouched, emailDomains: ["nonsense"] })).rejects.toThrow();
  await expect(launcher.call.bootstrap.vouch({ ...vouched, organization: "unknown" })).rejects.toThrow();
  await expect(admin.call.bootstrap.vouch(vouched)).rejects.toThrow("only services");
  const { items } = (await admin.send("GET", `/v1/orgs/${organization}/email-domains`)).body;
  expect(items.map(({ domain, status }: Record<string, string>) => [domain, status])).toEqual([
    ["acme.example", "verified"],
    ["acme.test", "verified"],
    ["claimed.example", "pending"],
  ]);
  const path = `/v1/orgs/${organization}/audit-events?action=email-domain.verify`;
  const events = (await admin.send("GET", path)).body.items;
  expect(events.map(({ details }: { details: unknown }) => details)).toEqual(
    Array(2).fill({ by: "operator" }),
  );
});

test("bootstrap.ensure by many at once makes everything once", async () => {
  const first = input(newBearer());
  const responses = await Promise.all(Array.from({ length: 8 }, () => ensure(first)));
  expect(new Set(responses.map(({ organization }) => organization)).size).toBe(1);
  expect(responses.filter(({ created }) => created)).toHaveLength(1);
});

test("bootstrap.ensure with a token that cannot be one is refused and writes nothing", async () => {
  const mistyped = newBearer().replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  for (const token of ["", "short", "with a space in between it", mistyped]) {
    const bad = input(token);
    await expect(ensure(bad)).rejects.toThrow("token: must be at least 20 characters");
    const email = bad.user.email.toLowerCase();
    expect(await db.selectFrom("person").selectAll().where("email", "=", email).execute()).toEqual([]);
  }
});

test("bootstrap.ensure is refused to users", async () => {
  const ada = await as({ [await rows.organization()]: "admin" });
  await expect(ada.call.bootstrap.ensure(input(newBearer()))).rejects.toThrow("only services");
});
