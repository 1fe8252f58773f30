import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, gateway, emitted, end } = await startOrgs();
afterAll(end);

const pathOf = (organization: string) => `/v1/orgs/${organization}/service-accounts`;
const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;

async function administered() {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const create = async (title = "Deploys", role: string | null = "edit") =>
    (await ada.send("POST", pathOf(acme), { title, role })).body;
  return { acme, ada, create };
}

test("POST /orgs/{organizationId}/service-accounts makes a member that acts by tokens alone", async () => {
  const { acme, ada } = await administered();
  const made = await ada.send("POST", pathOf(acme), { title: "Deploys", role: "edit" });
  const { id } = made.body;
  const location = `http://octavo.test${pathOf(acme)}/${id}`;
  expect([made.status, made.headers.get("location")]).toEqual([201, location]);
  const tokens = `http://octavo.test/v1/orgs/${acme}/members/${id}/tokens`;
  expect(made.body).toEqual({
    object: "service-account",
    id,
    title: "Deploys",
    role: "edit",
    createdAt: expect.any(String),
    urls: { location, tokens },
  });
  expect(await emitted(acme)).toEqual([["member.added", { organization: acme, user: id, role: "edit" }]]);
  const token = (await ada.send("POST", new URL(tokens).pathname, { label: "CI" })).body;
  expect(await resolve(token.token)).toMatchObject({
    id,
    name: "Deploys",
    organizations: { [acme]: "edit" },
  });
  const listed = (await ada.send("GET", pathOf(acme))).body;
  expect(listed.items).toEqual([{ ...made.body, lastUsedAt: expect.any(String) }]);
  const member = (await ada.send("GET", `/v1/orgs/${acme}/members/${id}`)).body;
  expect(member).toMatchObject({ id, role: "edit", user: { displayName: "Deploys" } });
  expect(member.user.email).toBeUndefined();
});

test("a service account makes no organization and joins no other", async () => {
  const { acme, ada, create } = await administered();
  const { id } = await create();
  const { token } = (await ada.send("POST", `/v1/orgs/${acme}/members/${id}/tokens`, { label: "CI" })).body;
  const caller = await resolve(token);
  const account = await as({}, { ...caller });
  const beta = await rows.organization();
  const eve = await as({ [beta]: "admin" });
  const link = await eve.call.linkInvites.create({ organizationId: beta, role: "read" });
  for (const path of ["/v1/orgs", `/v1/orgs/${beta}/join`]) {
    expect((await account.send("POST", path, { title: "Mine" })).status).toBe(403);
  }
  expect((await account.accept(`/orgs/${beta}/invites/${link.id}`)).status).toBe(403);
  expect((await account.send("GET", "/v1/user")).body.id).toBe(id);
  expect((await account.send("POST", `/v1/orgs/${acme}/ping`)).status).toBe(200);
});

test("PATCH …/service-accounts/{serviceAccountId} changes title and role, and nothing else", async () => {
  const { acme, ada, create } = await administered();
  const account = await create();
  const path = `${pathOf(acme)}/${account.id}`;
  const more = { id: "mine", email: "root@example.com", organization: "beta" };
  const changed = await ada.send("PATCH", path, { title: "Releases", role: null, ...more });
  expect([changed.status, changed.body]).toEqual([200, { ...account, title: "Releases", role: null }]);
  expect((await ada.send("PATCH", path)).body).toEqual(changed.body);
  expect((await ada.send("GET", path)).body).toEqual(changed.body);
  expect((await emitted(acme)).map(([name]) => name)).toEqual(["member.added", "member.changed"]);
  expect(await emitted(account.id)).toEqual([
    ["user.updated", { user: account.id, displayName: "Releases" }],
  ]);
  expect((await ada.send("PATCH", `${pathOf(acme)}/${ada.id}`, { title: "x" })).status).toBe(404);
});

test("DELETE …/service-accounts/{serviceAccountId} ends it with its tokens, as removing the member does", async () => {
  const { acme, ada, create } = await administered();
  for (const pathTo of [
    (id: string) => `${pathOf(acme)}/${id}`,
    (id: string) => `/v1/orgs/${acme}/members/${id}`,
  ]) {
    const { id } = await create();
    const { token } = (await ada.send("POST", `/v1/orgs/${acme}/members/${id}/tokens`, { label: "CI" })).body;
    await rows.team(acme, { [id]: "member" });
    expect((await ada.send("DELETE", pathTo(id))).status).toBe(204);
    expect((await ada.send("DELETE", pathTo(id))).status).toBe(204);
    expect(await resolve(token)).toBeUndefined();
    expect(await db.selectFrom("person").select("id").where("id", "=", id).execute()).toEqual([]);
    const joinedAt = expect.any(String);
    expect((await emitted(acme)).at(-1)).toEqual([
      "member.removed",
      { organization: acme, user: id, joinedAt },
    ]);
  }
  const person = await rows.member({ organization: acme });
  expect((await ada.send("DELETE", `${pathOf(acme)}/${person}`)).status).toBe(204);
  expect((await ada.send("GET", `/v1/orgs/${acme}/members/${person}`)).status).toBe(200);
});

test("an administrator that is a service account does not stand in for the last person", async () => {
  const { acme, ada, create } = await administered();
  const { id } = await create("Root", "admin");
  const own = `/v1/orgs/${acme}/members/${ada.id}`;
  for (const response of [await ada.send("DELETE", own), await ada.send("PATCH", own, { role: "create" })]) {
    expect([response.status, response.body.error.reason]).toEqual([409, "last_administrator"]);
  }
  expect((await ada.send("DELETE", `${pathOf(acme)}/${id}`)).status).toBe(204);
});

test("service accounts with bad input are 400, below admin 403, to a stranger 404", async () => {
  const { acme, ada, create } = await administered();
  for (const body of [
    {},
    { title: "x" },
    { role: "edit" },
    { title: "", role: "edit" },
    { title: "x", role: "owner" },
  ]) {
    expect((await ada.send("POST", pathOf(acme), body)).status).toBe(400);
  }
  const { id } = await create();
  for (const [person, status] of [
    [await as({ [acme]: "create" }), 403],
    [await as({ [acme]: null }), 403],
    [await as(), 404],
  ] as const) {
    expect((await person.send("GET", pathOf(acme))).status).toBe(status);
    expect((await person.send("POST", pathOf(acme), { title: "x", role: "admin" })).status).toBe(status);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect(
        (await person.send(method, `${pathOf(acme)}/${id}`, method === "PATCH" ? {} : undefined)).status,
      ).toBe(status);
    }
  }
  expect((await ada.send("GET", pathOf(acme))).body.count).toBe(1);
});
