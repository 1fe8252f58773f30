import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, gateway, emitted, end } = await startOrgs();
afterAll(end);

type Sender = Pick<Awaited<ReturnType<typeof as>>, "send">;
const pathOf = (organization: string, person: string) => `/v1/orgs/${organization}/members/${person}/tokens`;
const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;
const make = async ({ send }: Sender, organization: string, person: string, more = {}) =>
  (await send("POST", pathOf(organization, person), { label: "CI", ...more })).body;

/** Somebody who sends with a token that exists, as the gateway would pass it on. */
async function bearer(token: string) {
  const caller = await resolve(token);
  return as({}, { ...caller });
}

test("POST …/members/{userId}/tokens makes a token that reaches this organization alone", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme, role: "edit" });
  await rows.member({ organization: beta, person: bob, role: "admin" });
  const team = await rows.team(acme, { [bob]: "member" });
  await rows.team(beta, { [bob]: "member" });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await ada.send("POST", pathOf(acme, bob), { label: "CI", scopes: ["orgs:read"], expiresAt });
  const { id, token } = made.body;
  const location = `http://octavo.test${pathOf(acme, bob)}/${id}`;
  expect([made.status, made.headers.get("location")]).toEqual([201, location]);
  const shown = { object: "token", id, label: "CI", organization: acme, scopes: ["orgs:read"], expiresAt };
  expect(made.body).toMatchObject({ ...shown, urls: { location }, token: expect.stringMatching(/^oct_/) });
  expect(await resolve(token)).toMatchObject({
    id: bob,
    organizations: { [acme]: "edit" },
    teams: [team],
    scopes: ["orgs:read"],
  });
  const used = (await ada.send("GET", `${pathOf(acme, bob)}/${id}`)).body;
  expect(used).toMatchObject({ ...shown, lastUsedAt: expect.any(String) });
  expect(used.token).toBeUndefined();
});

test("a token that is bound to an organization does not lead out of it", async () => {
  const [acme, beta] = [
    await rows.organization(),
    await rows.organization({ email_domains: ["example.com"] }),
  ];
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme, role: "read" });
  const friend = await rows.member({ organization: beta });
  await rows.member({ organization: beta, person: bob, role: "admin" });
  const open = await rows.organization({ email_domains: ["example.com"] });
  await rows.verifiedDomains(open, "example.com");
  const owner = await as({}, { id: bob });
  const personal = (await owner.send("POST", "/v1/user/tokens", { label: "My own" })).body;
  const { id, token } = await make(ada, acme, bob);
  const bound = await bearer(token);
  expect((await bound.send("GET", `/v1/orgs/${acme}`)).status).toBe(200);
  expect((await bound.send("GET", `/v1/orgs/${beta}`)).status).toBe(404);
  expect((await bound.send("GET", `/v1/users/${friend}`)).status).toBe(404);
  const organizations = (await bound.send("GET", "/v1/orgs")).body.items;
  expect(organizations.map((item: { id: string }) => item.id)).toEqual([acme]);
  const joinable = await bound.send("GET", "/v1/email-domains/example.com/orgs");
  expect(joinable.body.organizations).toEqual([]);
  for (const [method, path] of [
    ["POST", "/v1/orgs"],
    ["POST", `/v1/orgs/${open}/join`],
    ["PATCH", `/v1/users/${bob}`],
  ] as const) {
    const { status, body } = await bound.send(method, path, { title: "Mine", displayName: "Mine" });
    expect([path, status, body.error.reason]).toEqual([path, 403, "bound_token"]);
  }
  expect((await bound.accept(`/orgs/${open}/invites/x`)).body.error.reason).toBe("bound_token");
  const listed = (await bound.send("GET", "/v1/user/tokens")).body.items;
  expect(listed.map((item: { id: string }) => item.id)).toEqual([id]);
  expect((await bound.send("GET", `/v1/user/tokens/${personal.id}`)).status).toBe(404);
  expect((await bound.send("DELETE", `/v1/user/tokens/${personal.id}`)).status).toBe(204);
  expect((await resolve(personal.token))?.id).toBe(bob);
  const child = (await bound.send("POST", "/v1/user/tokens", { label: "Child" })).body;
  expect(child.organization).toBe(acme);
  expect((await resolve(child.token))?.organizations).toEqual({ [acme]: "read" });
});

test("the tokens that administrators see and revoke are those bound to their organization", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const [ada, eve] = [await as({ [acme]: "admin" }), await as({ [beta]: "admin" })];
  const bob = await rows.member({ organization: acme });
  await rows.member({ organization: beta, person: bob });
  const owner = await as({}, { id: bob });
  const personal = (await owner.send("POST", "/v1/user/tokens", { label: "My own" })).body;
  const bound = await make(ada, acme, bob);
  const list = async ({ send }: Sender, organization: string) =>
    (await send("GET", pathOf(organization, bob))).body.items.map(({ id }: { id: string }) => id);
  expect([await list(ada, acme), await list(eve, beta)]).toEqual([[bound.id], []]);
  for (const [sender, organization, id] of [
    [eve, beta, bound.id],
    [ada, acme, personal.id],
  ] as const) {
    expect((await sender.send("GET", `${pathOf(organization, bob)}/${id}`)).status).toBe(404);
    expect((await sender.send("DELETE", `${pathOf(organization, bob)}/${id}`)).status).toBe(204);
  }
  expect(
    await Promise.all([bound.token, personal.token].map(async (token) => (await resolve(token))?.id)),
  ).toEqual([bob, bob]);
  const removed = await ada.send("DELETE", `${pathOf(acme, bob)}/${bound.id}`);
  expect([removed.status, removed.headers.get("x-octavo-identity-changed")]).toEqual([204, bound.id]);
  expect(await resolve(bound.token)).toBeUndefined();
  expect(await emitted(bob)).toEqual([["token.revoked", { token: bound.id, user: bob }]]);
  const own = (await owner.send("GET", "/v1/user/tokens")).body.items;
  expect(own.map(({ label }: { label: string }) => label)).toEqual(["My own", "In use"]);
});

test("a token bound to an organization ends with the membership", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme });
  const { token } = await make(ada, acme, bob);
  const owner = await as({}, { id: bob });
  const personal = (await owner.send("POST", "/v1/user/tokens", { label: "My own" })).body;
  expect((await ada.send("DELETE", `/v1/orgs/${acme}/members/${bob}`)).status).toBe(204);
  expect(await resolve(token)).toBeUndefined();
  expect(await resolve(personal.token)).toMatchObject({ id: bob, organizations: {} });
  const left = await db.selectFrom("token").select("label").where("person", "=", bob).execute();
  expect(left.map(({ label }) => label).sort()).toEqual(["In use", "My own"]);
});

test("the tokens of members are 403 below admin, also one's own, and 404 to a stranger", async () => {
  const acme = await rows.organization();
  const creator = await as({ [acme]: "create" });
  const path = pathOf(acme, creator.id);
  for (const [person, status] of [
    [creator, 403],
    [await as({ [acme]: null }), 403],
    [await as(), 404],
  ] as const) {
    expect((await person.send("GET", path)).status).toBe(status);
    expect((await person.send("POST", path, { label: "x" })).status).toBe(status);
    expect((await person.send("GET", `${path}/x`)).status).toBe(status);
    expect((await person.send("DELETE", `${path}/x`)).status).toBe(status);
  }
  const left = await db.selectFrom("token").select("label").where("person", "=", creator.id).execute();
  expect(left).toEqual([{ label: "In use" }]);
});

test("POST …/members/{userId}/tokens with bad input is 400, of nobody 404, beyond one's own scopes 403", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme });
  const bad = { label: "", scopes: ["everything"], expiresAt: "tomorrow" };
  const { status, body } = await ada.send("POST", pathOf(acme, bob), bad);
  const issues = body.error.issues.map(({ path }: { path: string }) => path);
  expect([status, issues]).toEqual([400, ["body.label", "body.scopes.0", "body.expiresAt"]]);
  const past = { label: "x", expiresAt: "2020-01-01T00:00:00Z" };
  expect((await ada.send("POST", pathOf(acme, bob), past)).status).toBe(400);
  const foreign = await rows.member({ organization: await rows.organization() });
  for (const person of [foreign, "unknown"]) {
    expect((await ada.send("POST", pathOf(acme, person), { label: "x" })).status).toBe(404);
    expect((await ada.send("GET", pathOf(acme, person))).status).toBe(404);
  }
  const restricted = await as({ [acme]: "admin" }, { scopes: ["orgs:write"] });
  expect((await restricted.send("POST", pathOf(acme, bob), { label: "x" })).status).toBe(403);
  const less = await restricted.send("POST", pathOf(acme, bob), { label: "x", scopes: ["orgs:read"] });
  expect([less.status, less.body.scopes]).toEqual([201, ["orgs:read"]]);
});

test("a token for another person ends no later than the token it was made with; one of a service account may", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme });
  const path = `/v1/orgs/${acme}/service-accounts`;
  const robot = (await ada.send("POST", path, { title: "Deploys", role: "read" })).body.id;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const session = (await ada.send("POST", "/v1/user/tokens", { label: "Short", expiresAt })).body;
  const ending = await bearer(session.token);
  expect((await make(ending, acme, bob)).expiresAt).toBe(expiresAt);
  const later = { label: "x", expiresAt: "2999-01-01T00:00:00Z" };
  const refused = await ending.send("POST", pathOf(acme, bob), later);
  expect([refused.status, refused.body.error.reason]).toEqual([403, "outlives_maker"]);
  expect((await make(ending, acme, robot)).expiresAt).toBeUndefined();
  expect((await make(ending, acme, robot, later)).expiresAt).toBe("2999-01-01T00:00:00.000Z");
  expect((await make(ada, acme, bob)).expiresAt).toBeUndefined();
});

test.each<[string, string, object | undefined]>([
  ["loses the role", "PATCH", { role: "create" }],
  ["leaves", "DELETE", undefined],
])(
  "what an administrator made for other people ends when the administrator %s, with what came of it",
  async (_, method, body) => {
    const acme = await rows.organization();
    const [ada, eve] = [await as({ [acme]: "admin" }), await as({ [acme]: "admin" })];
    const bob = await rows.member({ organization: acme, role: "admin" });
    const carl = await rows.member({ organization: acme });
    const path = `/v1/orgs/${acme}/service-accounts`;
    const robot = (await ada.send("POST", path, { title: "Deploys", role: "read" })).body.id;
    const forBob = await make(eve, acme, bob);
    const asBob = await bearer(forBob.token);
    const ended = [
      forBob,
      (await asBob.send("POST", "/v1/user/tokens", { label: "Child" })).body,
      await make(asBob, acme, bob),
      await make(asBob, acme, carl),
    ];
    const kept = [await make(eve, acme, robot), await make(ada, acme, bob)];
    const changed = await ada.send(method, `/v1/orgs/${acme}/members/${eve.id}`, body);
    expect(changed.headers.get("x-octavo-identity-changed")?.split(",").toSorted()).toEqual(
      [eve.id, ...ended.map(({ id }) => id)].toSorted(),
    );
    for (const { token } of ended) expect(await resolve(token)).toBeUndefined();
    for (const { token } of kept) expect(await resolve(token)).toBeDefined();
    const revoked = (await emitted(bob)).filter(([name]) => name === "token.revoked");
    expect(revoked).toHaveLength(3);
  },
);

test("who was an administrator a moment ago makes no token for others", async () => {
  const acme = await rows.organization();
  const [ada, eve] = [await as({ [acme]: "admin" }), await as({ [acme]: "admin" })];
  const bob = await rows.member({ organization: acme });
  await ada.send("PATCH", `/v1/orgs/${acme}/members/${eve.id}`, { role: "read" });
  expect((await eve.send("POST", pathOf(acme, bob), { label: "x" })).status).toBe(403);
});
