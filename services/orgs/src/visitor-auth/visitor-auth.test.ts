import { createHmac } from "node:crypto";
import type { Role } from "@octavo/shared/access";
import { SiteDeleted, SiteVisitorAuth } from "@octavo/shared/events/catalogue/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptions } from "../subscriptions.js";
import { startOrgs } from "../testing.js";
import type { Ctx } from "../trpc.js";

let t: Awaited<ReturnType<typeof startOrgs>>;
beforeAll(async () => {
  t = await startOrgs();
});
afterAll(() => t.end());

const hear = <Event extends typeof SiteVisitorAuth | typeof SiteDeleted>(event: Event, payload: object) =>
  deliver({ db: t.db } as Ctx, subscriptions, event, "site", payload as never);

/** An organization with a default site of its own that has this key. */
async function withSite(key = "first key") {
  const site = newId("site");
  const organization = await t.rows.organization({ default_site: site });
  await hear(SiteVisitorAuth, { site, organization, privateKey: t.vault.seal(key) });
  return { organization, site };
}

/** What the caller gets from a ping, when the key has signed it. */
async function claimsOf(caller: Awaited<ReturnType<typeof t.as>>, organization: string, key = "first key") {
  const { status, body } = await caller.send("POST", `/v1/orgs/${organization}/ping`);
  expect(status).toBe(200);
  if (body.serviceVisitorClaims === undefined) return undefined;
  const [header, claims, signature] = body.serviceVisitorClaims.split(".");
  expect(signature).toBe(createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url"));
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(header)).toEqual({ alg: "HS256", typ: "JWT" });
  return read(claims);
}

test("a ping answers a token for the default site, signed with its key, that says who the member is for an hour", async () => {
  const { organization, site } = await withSite();
  const ada = await t.as({ [organization]: "edit" });
  const claims = await claimsOf(ada, organization);
  expect(claims).toEqual({
    iss: `http://octavo.test/v1/orgs/${organization}`,
    aud: site,
    sub: ada.id,
    iat: expect.any(Number),
    exp: claims.iat + 3_600,
    organization,
    role: "edit",
    name: `Person ${ada.id}`,
    email: `${ada.id.toLowerCase()}@example.com`,
  });
  await t.db.updateTable("person").set({ email_verified: false }).where("id", "=", ada.id).execute();
  expect((await claimsOf(ada, organization)).email).toBeUndefined();
});

test("a key that was made anew signs from then on; without the site nothing is signed", async () => {
  const { organization, site } = await withSite();
  const ada = await t.as({ [organization]: "read" });
  await hear(SiteVisitorAuth, { site, organization, privateKey: t.vault.seal("second key") });
  expect(await claimsOf(ada, organization, "second key")).toMatchObject({ sub: ada.id });
  await hear(SiteDeleted, { site, organization });
  expect(await claimsOf(ada, organization)).toBeUndefined();
});

test.each<[string, Role | null, string[] | undefined, boolean]>([
  ["a reader", "read", undefined, true],
  ["a guest", null, undefined, false],
  ["a token that reaches sites", "read", ["orgs:write", "sites:read"], true],
  ["a token that does not", "admin", ["orgs:write"], false],
])("%s is introduced as far as it may be", async (_, role, scopes, expected) => {
  const { organization } = await withSite();
  const caller = await t.as({ [organization]: role }, { scopes });
  expect((await claimsOf(caller, organization)) !== undefined).toBe(expected);
});

test("no organization gets tokens for a site of another, or for one that it did not choose", async () => {
  const { organization, site } = await withSite();
  const thief = await t.rows.organization({ default_site: site });
  const undecided = await t.rows.organization();
  const own = newId("site");
  await hear(SiteVisitorAuth, { site: own, organization: undecided, privateKey: t.vault.seal("own key") });
  const eve = await t.as({ [thief]: "admin", [undecided]: "admin" });
  expect(await claimsOf(eve, thief)).toBeUndefined();
  expect(await claimsOf(eve, undecided)).toBeUndefined();
  expect((await eve.send("POST", `/v1/orgs/${organization}/ping`)).status).toBe(404);
});

test("a key that cannot be opened any more is no reason to refuse a ping", async () => {
  const { organization, site } = await withSite();
  await hear(SiteVisitorAuth, { site, organization, privateKey: "v1.00000000.aaaa" });
  expect(await claimsOf(await t.as({ [organization]: "read" }), organization)).toBeUndefined();
});
