import { bearerHash, newBearer } from "@octavo/shared/bearer";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, asCaller, clock, gateway, launcher, emitted, end } = await startOrgs();
afterAll(end);
afterEach(() => {
  clock.now = () => new Date();
});

const resolve = (token: string) => gateway.call.tokens.resolve({ token });
const later = (ms: number) => {
  const time = Date.now() + ms;
  clock.now = () => new Date(time);
};
const countOf = async (person: string) =>
  (await db.selectFrom("token").select("id").where("person", "=", person).execute()).length;

test("POST /user/tokens shows the token once; it stands for its user, and only its hash is kept", async () => {
  const ada = await as();
  const made = await ada.send("POST", "/v1/user/tokens", { label: "CI" });
  expect(made.status).toBe(201);
  const { id, token } = made.body;
  expect(made.headers.get("location")).toBe(`http://octavo.test/v1/user/tokens/${id}`);
  expect(made.body).toEqual({
    object: "token",
    id,
    label: "CI",
    createdAt: expect.any(String),
    urls: { location: `http://octavo.test/v1/user/tokens/${id}` },
    token: expect.stringMatching(/^oct_[0-9A-Za-z]{36}$/),
  });
  expect((await resolve(token))?.caller.id).toBe(ada.id);
  const row = await db.selectFrom("token").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row.hash).toEqual(bearerHash(token));
  expect(JSON.stringify(row)).not.toContain(token.slice(4));
  const { token: _, ...listed } = made.body;
  const again = (await ada.send("GET", `/v1/user/tokens/${id}`)).body;
  expect(again).toEqual({ ...listed, lastUsedAt: expect.any(String) });
});

test("POST /user/tokens with bad input is 400 with all issues, and writes nothing", async () => {
  const ada = await as();
  const bad = { label: "x".repeat(51), scopes: ["content:read", "everything"], expiresAt: "tomorrow" };
  const { status, body } = await ada.send("POST", "/v1/user/tokens", bad);
  expect(status).toBe(400);
  expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "body.expiresAt",
    "body.label",
    "body.scopes.1",
  ]);
  for (const input of [{}, { label: "" }, { label: 7 }, { label: "x", scopes: [] }]) {
    expect((await ada.send("POST", "/v1/user/tokens", input)).status).toBe(400);
  }
  const past = await ada.send("POST", "/v1/user/tokens", { label: "x", expiresAt: "2020-01-01T00:00:00Z" });
  expect([past.status, past.body.error.issues[0].path]).toEqual([400, "body.expiresAt"]);
  expect(await countOf(ada.id)).toBe(1);
});

test("POST /user/tokens with a restricted token makes none that may do more", async () => {
  const ada = await as({}, { scopes: ["orgs:write", "content:read"] });
  const create = (scopes?: string[]) => ada.send("POST", "/v1/user/tokens", { label: "x", scopes });
  expect((await create()).status).toBe(403);
  expect((await create(["content:write"])).status).toBe(403);
  expect(await countOf(ada.id)).toBe(1);
  const less = await create(["orgs:read", "content:read"]);
  expect([less.status, less.body.scopes]).toEqual([201, ["orgs:read", "content:read"]]);
  expect((await resolve(less.body.token))?.caller.scopes).toEqual(["orgs:read", "content:read"]);
});

test("a token restricted to reading is refused every write, and what other services hold", async () => {
  const acme = await rows.organization();
  const reader = await as({ [acme]: "admin" }, { scopes: ["orgs:read"] });
  expect((await reader.send("GET", `/v1/orgs/${acme}`)).status).toBe(200);
  const { status, body } = await reader.send("PATCH", `/v1/orgs/${acme}`, { title: "Mine" });
  expect([status, body.error.reason]).toEqual([403, "insufficient_scope"]);
  expect((await reader.send("POST", "/v1/user/tokens", { label: "x", scopes: ["orgs:read"] })).status).toBe(
    403,
  );
  const elsewhere = await as({ [acme]: "admin" }, { scopes: ["content:write"] });
  expect((await elsewhere.send("GET", `/v1/orgs/${acme}`)).status).toBe(403);
});

test("GET /user/tokens lists the caller's own, the latest first, without the tokens", async () => {
  const ada = await as();
  await (await as()).send("POST", "/v1/user/tokens", { label: "another's" });
  for (const [day, label] of ["one", "two", "three"].entries()) {
    const { id } = (await ada.send("POST", "/v1/user/tokens", { label })).body;
    const created_at = `2026-01-0${day + 1}T00:00:00.000Z`;
    await db.updateTable("token").set({ created_at }).where("id", "=", id).execute();
  }
  const first = (await ada.send("GET", "/v1/user/tokens?limit=2")).body;
  const second = (await ada.send("GET", `/v1/user/tokens?limit=2&page=${first.next.page}`)).body;
  const items = [...first.items, ...second.items];
  expect(items.map(({ label }) => label)).toEqual(["In use", "three", "two", "one"]);
  expect([first.count, second.next]).toEqual([4, undefined]);
  for (const item of items) expect(Object.keys(item)).not.toContain("token");
  expect((await ada.send("GET", "/v1/user/tokens?limit=1001")).status).toBe(400);
});

test("GET /user/tokens/{tokenId} of another user is 404", async () => {
  const { id } = (await (await as()).send("POST", "/v1/user/tokens", { label: "x" })).body;
  const { status, body } = await (await as()).send("GET", `/v1/user/tokens/${id}`);
  expect([status, body.error.message]).toEqual([404, "Token: not found"]);
});

test("DELETE /user/tokens/{tokenId} revokes at once and notifies the gateways; twice is 204 too", async () => {
  const ada = await as();
  const { id, token } = (await ada.send("POST", "/v1/user/tokens", { label: "x" })).body;
  expect((await ada.send("DELETE", `/v1/user/tokens/${id}`)).status).toBe(204);
  expect(await resolve(token)).toBeNull();
  expect((await ada.send("DELETE", `/v1/user/tokens/${id}`)).status).toBe(204);
  expect(await emitted(ada.id)).toEqual([["token.revoked", { token: id, user: ada.id }]]);
});

test("DELETE /user/tokens/{tokenId} of another user leaves it alone", async () => {
  const ada = await as();
  const eve = await as();
  const { id, token } = (await ada.send("POST", "/v1/user/tokens", { label: "x" })).body;
  expect((await eve.send("DELETE", `/v1/user/tokens/${id}`)).status).toBe(204);
  expect((await resolve(token))?.caller.id).toBe(ada.id);
  expect([await emitted(ada.id), await emitted(eve.id)]).toEqual([[], []]);
});

test("the token operations are 403 for a service", async () => {
  expect((await launcher.send("GET", "/v1/user/tokens")).status).toBe(403);
  expect((await launcher.send("POST", "/v1/user/tokens", { label: "x" })).status).toBe(403);
  expect((await launcher.send("DELETE", "/v1/user/tokens/x")).status).toBe(403);
});

test("tokens.resolve returns the whole caller, without organizations that disabled them", async () => {
  const [acme, beta, gone] = [
    await rows.organization(),
    await rows.organization(),
    await rows.organization(),
  ];
  const person = await rows.person({
    display_name: "Ada",
    email: "ada@example.com",
    photo_url: "https://a.example/p",
  });
  await rows.member({ organization: acme, person, role: "review" });
  await rows.member({ organization: beta, person, role: null });
  await rows.member({ organization: gone, person, role: "admin", disabled: true });
  const team = await rows.team(acme, { [person]: "member" });
  await rows.team(gone, { [person]: "member" });
  const ada = await as({}, { id: person });
  const { id, token } = (await ada.send("POST", "/v1/user/tokens", { label: "x" })).body;
  expect(await resolve(token)).toEqual({
    caller: {
      kind: "user",
      id: person,
      name: "Ada",
      email: "ada@example.com",
      photo: "https://a.example/p",
      organizations: { [acme]: "review", [beta]: null },
      teams: [team],
      token: id,
    },
    expiresAt: null,
  });
});

test("tokens.resolve of somebody without any organization returns a caller with none", async () => {
  const { token } = (await (await as()).send("POST", "/v1/user/tokens", { label: "x" })).body;
  expect((await resolve(token))?.caller).toMatchObject({ organizations: {}, teams: [] });
});

test("tokens.resolve refuses malformed tokens without a query, unknown ones after one", async () => {
  const select = vi.spyOn(db, "selectFrom");
  const wrong = newBearer().replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  for (const token of ["", "oct_", "short", wrong, "a b".repeat(20), "x".repeat(10_000)]) {
    expect(await resolve(token)).toBeNull();
  }
  expect(select).not.toHaveBeenCalled();
  expect(await resolve(newBearer())).toBeNull();
  expect(select).toHaveBeenCalledOnce();
  select.mockRestore();
});

test("tokens.resolve is refused to users", async () => {
  const ada = await as();
  await expect(ada.call.tokens.resolve({ token: newBearer() })).rejects.toThrow("only services");
});

test("tokens.resolve refuses a token from the moment it expires", async () => {
  const ada = await as();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { token } = (await ada.send("POST", "/v1/user/tokens", { label: "x", expiresAt })).body;
  expect((await resolve(token))?.expiresAt).toBe(expiresAt);
  later(3_700_000);
  expect(await resolve(token)).toBeNull();
  expect((await ada.send("GET", "/v1/user/tokens")).body.items[0].expiresAt).toBe(expiresAt);
});

test("tokens.resolve notes the use once a minute", async () => {
  const ada = await as();
  const { id, token } = (await ada.send("POST", "/v1/user/tokens", { label: "x" })).body;
  const usedAt = async () => (await ada.send("GET", `/v1/user/tokens/${id}`)).body.lastUsedAt;
  expect(await usedAt()).toBeUndefined();
  await resolve(token);
  const first = await usedAt();
  later(30_000);
  await resolve(token);
  expect(await usedAt()).toBe(first);
  later(61_000);
  await Promise.all(Array.from({ length: 5 }, () => resolve(token)));
  expect(await usedAt()).toBe(clock.now().toISOString());
});

test("POST /user/tokens takes any time that can be stored as the end, and refuses others", async () => {
  const ada = await as();
  const create = (expiresAt: string) => ada.send("POST", "/v1/user/tokens", { label: "x", expiresAt });
  expect((await create("9999-12-31T23:59:59.9999999Z")).body.expiresAt).toBe("9999-12-31T23:59:59.999Z");
  expect((await create("2999-01-01T00:00:00-23:00")).body.expiresAt).toBe("2999-01-01T23:00:00.000Z");
  expect((await create("0000-01-01T00:00:00Z")).status).toBe(400);
  expect((await ada.send("GET", "/v1/user/tokens")).body.items).toHaveLength(3);
});

test("a token that ends makes none that outlives it", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { token } = (await ada.send("POST", "/v1/user/tokens", { label: "x", expiresAt })).body;
  const ending = asCaller((await resolve(token))!.caller);
  for (const path of ["/v1/user/tokens", `/v1/orgs/${acme}/members/${ada.id}/tokens`]) {
    expect((await ending.send("POST", path, { label: "x" })).body.expiresAt).toBe(expiresAt);
    const later = await ending.send("POST", path, { label: "x", expiresAt: "2999-01-01T00:00:00Z" });
    expect([later.status, later.body.error.reason]).toEqual([403, "outlives_maker"]);
  }
});
