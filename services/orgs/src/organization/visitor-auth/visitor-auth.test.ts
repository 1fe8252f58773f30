import { createHmac } from "node:crypto";
import { keyOfSite, SiteChanged, SiteDeleted } from "@octavo/shared/contracts/events/sites";
import type { Role } from "@octavo/shared/contracts/roles";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptions } from "../../subscriptions.js";
import { startOrgs } from "../../testing/orgs.js";
import type { Ctx } from "../../trpc.js";

let t: Awaited<ReturnType<typeof startOrgs>>;
beforeAll(async () => {
  t = await startOrgs();
});
afterAll(() => t.end());

const receive = <Event extends typeof SiteChanged | typeof SiteDeleted>(event: Event, payload: object) =>
  deliver({ db: t.db } as Ctx, subscriptions, event, "site", payload as never);

/** A site that requires of its visitors a token that is signed with the key. */
const settingsFor = (site: string, organization: string, privateKey: string) => ({
  site,
  organization,
  visibility: "visitor-auth",
  auth: { backend: "custom" as const, privateKey },
});

/** An organization with a default site of its own that has this key. */
async function withSite(key = "first key") {
  const site = newId("site");
  const organization = await t.rows.organization({ default_site: site });
  await receive(
    SiteChanged,
    settingsFor(site, organization, t.vault.seal(key, keyOfSite(site, organization))),
  );
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

test("a ping returns a token for the default site, signed with its key, that names the member for ten minutes", async () => {
  const { organization, site } = await withSite();
  const ada = await t.as({ [organization]: "edit" });
  const claims = await claimsOf(ada, organization);
  expect(claims).toEqual({
    iss: `http://octavo.test/v1/orgs/${organization}`,
    aud: site,
    sub: ada.id,
    iat: expect.any(Number),
    exp: claims.iat + 600,
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
  await receive(
    SiteChanged,
    settingsFor(site, organization, t.vault.seal("second key", keyOfSite(site, organization))),
  );
  expect(await claimsOf(ada, organization, "second key")).toMatchObject({ sub: ada.id });
  await receive(SiteDeleted, { site, organization });
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
  await receive(SiteChanged, settingsFor(own, undecided, t.vault.seal("own key", keyOfSite(own, undecided))));
  const eve = await t.as({ [thief]: "admin", [undecided]: "admin" });
  expect(await claimsOf(eve, thief)).toBeUndefined();
  expect(await claimsOf(eve, undecided)).toBeUndefined();
  expect((await eve.send("POST", `/v1/orgs/${organization}/ping`)).status).toBe(404);
});

test("a key that cannot be opened any more is no reason to refuse a ping", async () => {
  const { organization, site } = await withSite();
  await receive(SiteChanged, settingsFor(site, organization, "v1.00000000.aaaa"));
  expect(await claimsOf(await t.as({ [organization]: "read" }), organization)).toBeUndefined();
});

test.each([
  ["is open to everybody", { visibility: "public" }],
  ["is reached by share links", { visibility: "share-link" }],
  ["has an integration sign", { auth: { backend: "integration" as const, privateKey: "sealed" } }],
  ["has no key", { auth: undefined }],
])("nobody is introduced to a site that %s", async (_, over) => {
  const { organization, site } = await withSite();
  const ada = await t.as({ [organization]: "read" });
  const settled = settingsFor(site, organization, t.vault.seal("first key", keyOfSite(site, organization)));
  await receive(SiteChanged, { ...settled, ...over });
  expect(await claimsOf(ada, organization)).toBeUndefined();
  await receive(SiteChanged, settled);
  expect(await claimsOf(ada, organization)).toMatchObject({ sub: ada.id });
});

test("the default content is a site of the organization whose event was received, and none once the site is deleted", async () => {
  const organization = await t.rows.organization();
  const ada = await t.as({ [organization]: "admin" });
  const [own, foreign] = [newId("site"), newId("site")];
  const known = { visibility: "public" };
  await receive(SiteChanged, { site: foreign, organization: await t.rows.organization(), ...known });
  const choose = (site: string) =>
    ada.send("PATCH", `/v1/orgs/${organization}`, {
      title: "Changed",
      defaultContent: { type: "site", site },
    });
  const refusals = await Promise.all([choose(foreign), choose("unknown")]);
  for (const { status, body } of refusals) {
    expect([status, body.error.reason]).toEqual([400, "unknown_site"]);
    expect(body.error.issues[0].path).toBe("body.defaultContent.site");
  }
  expect((await ada.send("GET", `/v1/orgs/${organization}`)).body.title).toBe("Acme");
  // It is received while the request waits.
  const [chosen] = await Promise.all([
    choose(own),
    receive(SiteChanged, { site: own, organization, ...known }),
  ]);
  expect([chosen.status, chosen.body.defaultContent]).toEqual([200, { type: "site", site: own }]);
  await receive(SiteDeleted, { site: own, organization });
  expect((await ada.send("GET", `/v1/orgs/${organization}`)).body.defaultContent).toBeUndefined();
  expect((await t.emitted(organization)).map(([name]) => name)).toEqual([
    "organization.updated",
    "organization.updated",
  ]);
  const content = { type: "site", site: own };
  const made = await ada.send("POST", "/v1/orgs", { title: "New", defaultContent: content });
  expect(made.status).toBe(400);
});

test("the sealed key of one site signs nobody in at another", async () => {
  const { organization } = await withSite("rival's key");
  const rival = newId("site");
  const stolen = t.vault.seal("rival's key", keyOfSite(rival, organization));
  const { default_site: site } = await t.db
    .selectFrom("organization")
    .select("default_site")
    .where("id", "=", organization)
    .executeTakeFirstOrThrow();
  const ada = await t.as({ [organization]: "edit" });
  expect(await claimsOf(ada, organization, "rival's key")).toMatchObject({ aud: site });
  await receive(SiteChanged, settingsFor(site!, organization, stolen));
  expect(await claimsOf(ada, organization, "rival's key")).toBeUndefined();
});
