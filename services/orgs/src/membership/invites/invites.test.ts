import { newId } from "@octavo/shared/ids";
import { afterAll, afterEach, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, asCaller, clock, gateway, launcher, emitted, end } = await startOrgs();
afterAll(end);
afterEach(() => {
  clock.now = () => new Date();
});

const address = (domain = "example.com") => `${newId().toLowerCase()}@${domain}`;
const pathOf = (organization: string) => `/v1/orgs/${organization}/invites`;
const memberOf = (organization: string, person: string) =>
  db
    .selectFrom("member")
    .select(["role", "sso"])
    .where("organization", "=", organization)
    .where("person", "=", person)
    .executeTakeFirst();
const invitesOf = (organization: string) =>
  db.selectFrom("invite").select(["email", "role"]).where("organization", "=", organization).execute();
const issuesOf = (body: { error: { issues: { path: string }[] } }) =>
  body.error.issues.map(({ path }) => path);

/** Somebody with an account at this address. */
async function owner(email: string, over: { email_verified?: boolean } = {}) {
  const id = await rows.person({ email, ...over });
  return { ...(await as({}, { id })), id };
}

test("POST /orgs/{organizationId}/invites invites old and new users, and returns where they accept", async () => {
  const acme = await rows.organization({ default_role: "comment" });
  const ada = await as({ [acme]: "admin" });
  const [known, fresh, other] = [await owner(address()), address(), address()];
  const email =
    (await db.selectFrom("person").select("email").where("id", "=", known.id).executeTakeFirst())?.email ??
    "";
  const { status, body } = await ada.send("POST", pathOf(acme), {
    emails: [email.toUpperCase(), { email: fresh, role: "edit" }, { email: other, role: null }],
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    users: [expect.any(String), expect.any(String)],
    invited: 3,
    urls: {
      [email]: expect.stringContaining(`http://octavo.test${pathOf(acme)}/`),
      [fresh]: expect.any(String),
      [other]: expect.any(String),
    },
    tokens: { [fresh]: expect.stringMatching(/^oct_/), [other]: expect.stringMatching(/^oct_/) },
  });
  const roles = Object.fromEntries((await invitesOf(acme)).map((row) => [row.email, row.role]));
  expect(roles).toEqual({ [email]: "comment", [fresh]: "edit", [other]: null });
  expect(await memberOf(acme, known.id)).toBeUndefined();
  expect(await emitted(acme)).toEqual([]);
});

test("POST …/invites/{inviteId} joins with the role of the invite, once", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const email = address();
  const bob = await owner(email);
  const { urls } = (await ada.send("POST", pathOf(acme), { emails: [email], role: "review", sso: false }))
    .body;
  const path = new URL(urls[email]).pathname;
  const joined = await bob.accept(path);
  expect([joined.status, joined.body]).toEqual([200, {}]);
  expect(await memberOf(acme, bob.id)).toEqual({ role: "review", sso: false });
  expect(await emitted(acme)).toEqual([
    ["member.added", { organization: acme, user: bob.id, role: "review" }],
  ]);
  expect((await bob.accept(path)).status).toBe(404);
  expect(await invitesOf(acme)).toEqual([]);
});

test("the token that comes with an invite to a new address signs in who accepts it", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" }, { scopes: ["orgs:write", "content:read"] });
  const email = address();
  const { urls, tokens, users } = (await ada.send("POST", pathOf(acme), { emails: [email], role: "edit" }))
    .body;
  const caller = (await gateway.call.tokens.resolve({ token: tokens[email] }))?.caller;
  expect(caller).toMatchObject({
    id: users[0],
    name: email.split("@")[0],
    email,
    organizations: {},
    scopes: ["orgs:write", "content:read"],
  });
  const bob = await as({}, { id: users[0] });
  expect((await bob.accept(new URL(urls[email]).pathname)).status).toBe(200);
  const after = await gateway.call.tokens.resolve({ token: tokens[email] });
  expect(after?.caller.organizations).toEqual({ [acme]: "edit" });
});

test("an invite to another's address is 404, an expired one 403", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const email = address();
  const [bob, eve] = [await owner(email), await owner(address())];
  const { urls } = (await ada.send("POST", pathOf(acme), { emails: [email] })).body;
  const path = new URL(urls[email]).pathname;
  expect((await eve.accept(path)).status).toBe(404);
  const beta = await rows.organization();
  expect((await bob.accept(path.replace(acme, beta))).status).toBe(404);
  clock.now = () => new Date(Date.now() + 15 * 24 * 3_600_000);
  const late = await bob.accept(path);
  expect([late.status, late.body.error.reason]).toEqual([403, "invite_expired"]);
  expect(await memberOf(acme, bob.id)).toBeUndefined();
  expect((await ada.send("POST", pathOf(acme), { emails: [email] })).status).toBe(200);
});

test("POST …/invites twice, or to a member, is 409 and invites nobody", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const [email, other] = [address(), address()];
  const invite = (...emails: string[]) => ada.send("POST", pathOf(acme), { emails });
  expect((await invite(email)).status).toBe(200);
  const again = await invite(other, email.toUpperCase());
  expect([again.status, again.body.error.reason, issuesOf(again.body)]).toEqual([
    409,
    "already_invited",
    ["body.emails.1"],
  ]);
  const member = address();
  await rows.member({ organization: acme, person: (await owner(member)).id });
  const joined = await invite(member);
  expect([joined.status, joined.body.error.reason]).toEqual([409, "already_member"]);
  expect(await invitesOf(acme)).toEqual([{ email, role: null }]);
});

test("POST …/invites outside the organization's domains is 400; for single sign-on they are listed as failed", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example"] });
  const ada = await as({ [acme]: "admin" });
  const [inside, outside] = [address("acme.example"), address("evil-acme.example")];
  const refused = await ada.send("POST", pathOf(acme), { emails: [inside, outside] });
  expect([refused.status, issuesOf(refused.body)]).toEqual([400, ["body.emails.1"]]);
  expect(await invitesOf(acme)).toEqual([]);
  const { status, body } = await ada.send("POST", pathOf(acme), { emails: [inside, outside], sso: true });
  expect([status, body.invited, body.failedSSOEmails]).toEqual([200, 1, [outside]]);
  const bob = await as({}, { id: body.users[0] });
  expect((await bob.accept(new URL(body.urls[inside]).pathname)).status).toBe(200);
  expect(await memberOf(acme, body.users[0])).toEqual({ role: null, sso: true });
  const beta = await rows.organization();
  const eve = await as({ [beta]: "admin" });
  const none = (await eve.send("POST", pathOf(beta), { emails: [inside], sso: true })).body;
  expect([none.invited, none.failedSSOEmails]).toEqual([0, [inside]]);
});

test("POST …/invites with bad input is 400 with its issues", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const email = address();
  for (const [body, paths] of [
    [{}, ["body.emails"]],
    [{ emails: [] }, ["body.emails"]],
    [{ emails: Array.from({ length: 101 }, () => address()) }, ["body.emails"]],
    [{ emails: ["nobody", { email }] }, ["body.emails.0", "body.emails.1"]],
    [{ emails: [email, email.toUpperCase()] }, ["body.emails.1"]],
    [
      { emails: [{ email, role: "owner" }], role: "owner", sso: "yes" },
      ["body.emails.0", "body.role", "body.sso"],
    ],
  ] as const) {
    const { status, body: refusal } = await ada.send("POST", pathOf(acme), body);
    expect([status, issuesOf(refusal)]).toEqual([400, paths]);
  }
  expect(await invitesOf(acme)).toEqual([]);
});

test("the invites of an organization are 403 below admin, 404 to a stranger", async () => {
  const acme = await rows.organization();
  for (const [person, status] of [
    [await as({ [acme]: "create" }), 403],
    [await as({ [acme]: null }), 403],
    [await as(), 404],
  ] as const) {
    expect((await person.send("POST", pathOf(acme), { emails: [address()] })).status).toBe(status);
    expect((await person.send("GET", pathOf(acme))).status).toBe(status);
    expect((await person.send("DELETE", `${pathOf(acme)}/unknown`)).status).toBe(status);
  }
  expect(await invitesOf(acme)).toEqual([]);
});

test("DELETE …/invites/{inviteId} revokes the invite and the token made with it", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const email = address();
  const { urls, tokens, users } = (await ada.send("POST", pathOf(acme), { emails: [email] })).body;
  const listed = (await ada.send("GET", pathOf(acme))).body;
  expect(listed).toMatchObject({ count: 1, items: [{ object: "invite", email, role: null, sso: false }] });
  expect(listed.items[0].urls.location).toBe(urls[email]);
  const path = `${pathOf(acme)}/${listed.items[0].id}`;
  expect((await ada.send("DELETE", path)).status).toBe(204);
  expect((await ada.send("DELETE", path)).status).toBe(204);
  expect(await gateway.call.tokens.resolve({ token: tokens[email] })).toBeNull();
  expect((await (await as({}, { id: users[0] })).accept(path)).status).toBe(404);
  expect((await ada.send("GET", pathOf(acme))).body.items).toEqual([]);
});

test("one invite used by many at once makes one member", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const email = address();
  const bob = await owner(email);
  const { urls } = (await ada.send("POST", pathOf(acme), { emails: [email] })).body;
  const path = new URL(urls[email]).pathname;
  const responses = await Promise.all(Array.from({ length: 5 }, () => bob.accept(path)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  expect(await emitted(acme)).toHaveLength(1);
});

test("POST /orgs/{organizationId}/join lets in as a guest who has a confirmed address of its domains", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example", "acme.test", "claimed.test"] });
  await rows.verifiedDomains(acme, "acme.example", "acme.test");
  const bob = await owner(address("acme.test"));
  const join = ({ send }: Pick<typeof bob, "send">, organization = acme) =>
    send("POST", `/v1/orgs/${organization}/join`, { role: "admin" });
  const joined = await join(bob);
  expect([joined.status, joined.body]).toEqual([204, undefined]);
  expect(await memberOf(acme, bob.id)).toEqual({ role: null, sso: false });
  expect(await emitted(acme)).toEqual([["member.added", { organization: acme, user: bob.id, role: null }]]);
  const again = await join(bob);
  expect([again.status, again.body.error.reason]).toEqual([409, "already_member"]);
  for (const person of [
    await owner(address("sub.acme.test")),
    await owner(address("claimed.test")),
    await owner(address("acme.test"), { email_verified: false }),
    await as(),
  ]) {
    const { status, body } = await join(person);
    expect([status, body.error.reason]).toEqual([404, "outside_email_domains"]);
    const { requestId, ...error } = body.error;
    const nowhere = await join(person, "unknown");
    expect(nowhere).toMatchObject({ status: 404, body: { error } });
  }
  expect((await join(bob, await rows.organization())).status).toBe(404);
  expect((await join(bob, "unknown")).status).toBe(404);
  expect((await join(launcher)).status).toBe(403);
});

test("organizations that invite the same new address at once share its account", async () => {
  for (let round = 0; round < 3; round++) {
    const email = address();
    const responses = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const organization = await rows.organization();
        const admin = await as({ [organization]: "admin" });
        return admin.send("POST", pathOf(organization), { emails: [email] });
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map(({ body }) => body.users[0])).size).toBe(1);
    expect(new Set(responses.flatMap(({ body }) => Object.values(body.tokens))).size).toBe(responses.length);
  }
});

test("the token that comes with an invite stays within the organization, with all that is made from it", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const [ada, eve] = [await as({ [acme]: "admin" }), await as({ [beta]: "admin" })];
  const email = address();
  const sent = async (admin: typeof ada, organization: string) =>
    (await admin.send("POST", pathOf(organization), { emails: [email], role: "read" })).body;
  const holding = async (token: string) => asCaller((await gateway.call.tokens.resolve({ token }))!.caller);
  const mallory = await sent(eve, beta);
  const stolen = await holding(mallory.tokens[email]);
  const minted = (await stolen.send("POST", "/v1/user/tokens", { label: "Kept" })).body;
  expect(minted.organization).toBe(beta);
  const invited = await sent(ada, acme);
  const path = new URL(invited.urls[email]).pathname;
  expect((await stolen.accept(path)).body.error.reason).toBe("bound_token");
  const own = await holding(invited.tokens[email]);
  expect((await own.accept(path)).status).toBe(200);
  const organizationsOf = async (token: string) =>
    (await gateway.call.tokens.resolve({ token }))?.caller.organizations;
  expect(await organizationsOf(invited.tokens[email])).toEqual({ [acme]: "read" });
  expect(await organizationsOf(minted.token)).toEqual({});
  expect((await stolen.send("GET", `/v1/orgs/${acme}`)).status).toBe(404);
  const { items } = (await eve.send("GET", pathOf(beta))).body;
  expect((await eve.send("DELETE", `${pathOf(beta)}/${items[0].id}`)).status).toBe(204);
  expect(await organizationsOf(minted.token)).toBeUndefined();
  expect(await organizationsOf(mallory.tokens[email])).toBeUndefined();
  expect(await organizationsOf(invited.tokens[email])).toEqual({ [acme]: "read" });
});
