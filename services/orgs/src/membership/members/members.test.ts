import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, content, launcher, emitted, end } = await startOrgs();
afterAll(end);

const { roleOf } = rows;
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const NEEDS_READ = "Organization: needs the role read";
const CHANGED = "x-octavo-identity-changed";
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

test("GET /orgs/{organizationId}/members/{userId} shows the member with the number of teams", async () => {
  const acme = await rows.organization();
  const emile = await rows.person({
    display_name: "Émile",
    email: "emile@example.com",
    photo_url: "https://e.example/p",
  });
  await rows.member({ organization: acme, person: emile, role: "review", joined_at: at(1) });
  await rows.team(acme, { [emile]: "member" });
  await rows.team(acme, { [emile]: "owner" });
  const ada = await as({ [acme]: "read" });
  const { status, body } = await ada.send("GET", `/v1/orgs/${acme}/members/${emile}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "member",
    id: emile,
    role: "review",
    user: {
      object: "user",
      id: emile,
      displayName: "Émile",
      email: "emile@example.com",
      photoURL: "https://e.example/p",
      urls: { location: `http://octavo.test/v1/users/${emile}` },
    },
    disabled: false,
    joinedAt: at(1),
    sso: false,
    spaces: 0,
    teams: 2,
  });
});

test("GET /orgs/{organizationId}/members/{userId} by a guest shows only the guest", async () => {
  const acme = await rows.organization();
  const guest = await as({ [acme]: null });
  const member = await rows.member({ organization: acme });
  const refused = await guest.send("GET", `/v1/orgs/${acme}/members/${member}`);
  expect([refused.status, refused.body.error.message]).toEqual([403, NEEDS_READ]);
  const own = await guest.send("GET", `/v1/orgs/${acme}/members/${guest.id}`);
  expect([own.status, own.body.role]).toEqual([200, null]);
});

test("GET /orgs/{organizationId}/members/{userId} of nobody, or by a stranger, is 404", async () => {
  const acme = await rows.organization();
  const beta = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const foreign = await rows.member({ organization: beta });
  const missing = await ada.send("GET", `/v1/orgs/${acme}/members/${foreign}`);
  expect([missing.status, missing.body.error.message]).toEqual([404, "Member: not found"]);
  expect((await ada.send("GET", `/v1/orgs/${beta}/members/${foreign}`)).status).toBe(404);
});

test("PATCH /orgs/{organizationId}/members/{userId} changes the role, and publishes an event", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const user = await rows.member({ organization: acme, role: "read" });
  const change = (body?: unknown) => ada.send("PATCH", `/v1/orgs/${acme}/members/${user}`, body);
  const changed = await change({ role: "edit" });
  expect([changed.status, changed.body.role, await roleOf(acme, user)]).toEqual([200, "edit", "edit"]);
  expect(changed.headers.get(CHANGED)).toBe(user);
  expect((await change({ role: null })).body.role).toBeNull();
  expect(await roleOf(acme, user)).toBeNull();
  expect((await change({ role: null })).status).toBe(200);
  expect((await change()).body.role).toBeNull();
  expect(await emitted(acme)).toEqual([
    ["member.changed", { organization: acme, user, role: "edit" }],
    ["member.changed", { organization: acme, user, role: null }],
  ]);
  const { body } = await ada.send("GET", `/v1/orgs/${acme}/audit-events?action=member.update`);
  expect(body.items.map(({ details }: { details: object }) => details)).toEqual([
    { role: { from: "edit", to: null } },
    { role: { from: "read", to: "edit" } },
  ]);
});

test("PATCH /orgs/{organizationId}/members/{userId} below admin is 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const user = await rows.member({ organization: acme, role: "read" });
  const path = `/v1/orgs/${acme}/members/${user}`;
  for (const role of ["create", null] as const) {
    const person = await as({ [acme]: role });
    expect((await person.send("PATCH", path, { role: "admin" })).status).toBe(403);
    expect(
      (await person.send("PATCH", `/v1/orgs/${acme}/members/${person.id}`, { role: "admin" })).status,
    ).toBe(403);
  }
  expect((await (await as()).send("PATCH", path, { role: "admin" })).status).toBe(404);
  expect(await roleOf(acme, user)).toBe("read");
  expect(await emitted(acme)).toEqual([]);
});

test("PATCH /orgs/{organizationId}/members/{userId} with a role that does not exist is 400, of nobody 404", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const user = await rows.member({ organization: acme, role: "read" });
  for (const role of ["owner", "guest", "inherit", 1, ""]) {
    const { status, body } = await ada.send("PATCH", `/v1/orgs/${acme}/members/${user}`, { role });
    expect([status, body.error.issues[0].path]).toEqual([400, "body.role"]);
  }
  expect((await ada.send("PATCH", `/v1/orgs/${acme}/members/unknown`, { role: "read" })).status).toBe(404);
  expect(await roleOf(acme, user)).toBe("read");
});

test("PATCH of the last administrator is 409, also when another one is disabled", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  await rows.member({ organization: acme, role: "admin", disabled: true });
  const { status, body } = await ada.send("PATCH", `/v1/orgs/${acme}/members/${ada.id}`, { role: "create" });
  expect([status, body.error.reason]).toEqual([409, "last_administrator"]);
  expect(body.error.message).toMatch(/^Member: .* needs an administrator/);
  expect(await roleOf(acme, ada.id)).toBe("admin");
  expect(await emitted(acme)).toEqual([]);
});

test("DELETE /orgs/{organizationId}/members/{userId} ends the membership with its teams, and publishes events", async () => {
  const acme = await rows.organization();
  const beta = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const user = await rows.member({ organization: acme });
  await rows.member({ organization: beta, person: user });
  await rows.team(acme, { [user]: "owner" });
  const elsewhere = await rows.team(beta, { [user]: "member" });
  const removed = await ada.send("DELETE", `/v1/orgs/${acme}/members/${user}`);
  expect([removed.status, removed.body]).toEqual([204, undefined]);
  expect(removed.headers.get(CHANGED)).toBe(user);
  expect(await roleOf(acme, user)).toBeUndefined();
  const teams = await db.selectFrom("team_member").select("team").where("person", "=", user).execute();
  expect(teams).toEqual([{ team: elsewhere }]);
  expect((await ada.send("DELETE", `/v1/orgs/${acme}/members/${user}`)).status).toBe(204);
  expect(await emitted(acme)).toEqual([
    ["member.removed", { organization: acme, user, joinedAt: expect.any(String) }],
  ]);
});

test("DELETE of one's own membership is leaving, which a guest may too", async () => {
  const acme = await rows.organization();
  await rows.member({ organization: acme, role: "admin" });
  for (const role of ["read", null] as const) {
    const person = await as({ [acme]: role });
    expect((await person.send("DELETE", `/v1/orgs/${acme}/members/${person.id}`)).status).toBe(204);
    expect(await roleOf(acme, person.id)).toBeUndefined();
  }
});

test("DELETE of another's membership below admin is 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const user = await rows.member({ organization: acme });
  const path = `/v1/orgs/${acme}/members/${user}`;
  expect((await (await as({ [acme]: "create" })).send("DELETE", path)).status).toBe(403);
  expect((await (await as({ [acme]: null })).send("DELETE", path)).status).toBe(403);
  expect((await (await as()).send("DELETE", path)).status).toBe(404);
  expect(await roleOf(acme, user)).toBe("read");
  expect(await emitted(acme)).toEqual([]);
});

test("DELETE of a member is 204 though the organization has no administrator", async () => {
  const acme = await rows.organization();
  const user = await rows.member({ organization: acme, role: "create" });
  expect((await launcher.send("DELETE", `/v1/orgs/${acme}/members/${user}`)).status).toBe(204);
  expect(await roleOf(acme, user)).toBeUndefined();
});

test("DELETE of the last administrator is 409", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  await rows.member({ organization: acme, role: "create" });
  expect((await ada.send("DELETE", `/v1/orgs/${acme}/members/${ada.id}`)).status).toBe(409);
  expect(await roleOf(acme, ada.id)).toBe("admin");
});

test("administrators who all leave or step down at once leave one behind", async () => {
  for (let round = 0; round < 5; round++) {
    const acme = await rows.organization();
    const admins = await Promise.all(Array.from({ length: 6 }, () => as({ [acme]: "admin" })));
    const responses = await Promise.all(
      admins.map(({ id, send }, index) =>
        index % 2
          ? send("DELETE", `/v1/orgs/${acme}/members/${id}`)
          : send("PATCH", `/v1/orgs/${acme}/members/${id}`, { role: "read" }),
      ),
    );
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(1);
    const { items } = (await launcher.send("GET", `/v1/orgs/${acme}/members?role=admin`)).body;
    expect(items).toHaveLength(1);
    expect(await emitted(acme)).toHaveLength(5);
  }
});

test("POST /orgs/{organizationId}/ping notes when the member was last seen", async () => {
  const acme = await rows.organization();
  const guest = await as({ [acme]: null });
  const other = await rows.member({ organization: acme });
  const before = new Date().toISOString();
  const pinged = await guest.send("POST", `/v1/orgs/${acme}/ping`, { lastSeenAt: "2020-01-01T00:00:00Z" });
  expect([pinged.status, pinged.body]).toEqual([200, {}]);
  const seen = (await guest.send("GET", `/v1/orgs/${acme}/members/${guest.id}`)).body.lastSeenAt;
  expect(seen >= before && seen <= new Date().toISOString()).toBe(true);
  expect((await launcher.send("GET", `/v1/orgs/${acme}/members/${other}`)).body.lastSeenAt).toBeUndefined();
  expect((await (await as()).send("POST", `/v1/orgs/${acme}/ping`)).status).toBe(404);
  expect((await launcher.send("POST", `/v1/orgs/${acme}/ping`)).status).toBe(403);
});

test("POST /orgs/{organizationId}/ping of who was a member a moment ago is 404", async () => {
  const acme = await rows.organization();
  const former = await as({ [acme]: "read" });
  await db.deleteFrom("member").where("person", "=", former.id).execute();
  const { status, body } = await former.send("POST", `/v1/orgs/${acme}/ping`);
  expect([status, body.error.message]).toEqual([404, "Organization: not found"]);
});

test("a removal and a lowered role are kept with the time and whoever decided it; what people do themselves is not", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const [removed, lowered] = [await as({ [acme]: "edit" }), await as({ [acme]: "admin" })];
  await ada.send("DELETE", `/v1/orgs/${acme}/members/${removed.id}`);
  await launcher.send("PATCH", `/v1/orgs/${acme}/members/${lowered.id}`, { role: "read" });
  await lowered.send("DELETE", `/v1/orgs/${acme}/members/${lowered.id}`);
  const left = await as({ [acme]: "edit" });
  await left.send("DELETE", `/v1/orgs/${acme}/members/${left.id}`);
  const kept = await db
    .selectFrom("departure")
    .select(["person", "by"])
    .where("organization", "=", acme)
    .execute();
  expect(Object.fromEntries(kept.map(({ person, by }) => [person, by]))).toEqual({
    [removed.id]: ada.id,
    [lowered.id]: "service",
  });
});

test("POST /orgs/{organizationId}/members/{userId}/sso trusts the member, whose role stays", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const path = `/v1/orgs/${acme}/members/${ada.id}/sso`;
  const changes: (string | null)[] = [];
  for (const _ of ["the last administrator too", "again"]) {
    const { status, body, headers } = await ada.send("POST", path, { sso: false, role: "read" });
    expect([status, body.sso, body.role]).toEqual([200, true, "admin"]);
    changes.push(headers.get(CHANGED));
  }
  expect(changes).toEqual([ada.id, null]);
  const { items } = (await ada.send("GET", `/v1/orgs/${acme}/audit-events?action=member.trust`)).body;
  expect(items.map(({ details }: { details: object }) => details)).toEqual([
    { sso: { from: false, to: true } },
  ]);
  const changed = { organization: acme, user: ada.id, role: "admin" };
  expect(await emitted(acme)).toEqual([["member.changed", changed]]);
  const missing = await ada.send("POST", `/v1/orgs/${acme}/members/unknown/sso`);
  expect([missing.status, missing.body.error.message]).toEqual([404, "Member: not found"]);
  const creator = await as({ [acme]: "create" });
  expect((await creator.send("POST", `/v1/orgs/${acme}/members/${creator.id}/sso`)).status).toBe(403);
  expect((await (await as()).send("POST", path)).status).toBe(404);
});

test("members.lookup returns those of the people who are members, page by page, to services alone", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  // Who joined first has the later id, so that the ids are not in the order of the list.
  const second = await rows.member({ organization: acme, role: null, joined_at: at(2) });
  const first = await rows.member({ organization: acme, joined_at: at(1) });
  await rows.member({ organization: acme });
  const elsewhere = await rows.member({ organization: beta });
  const users = [second, elsewhere, first, "nobody"];
  const { lookup } = content.call.members;
  const all = await lookup({ organizationId: acme, users });
  expect([idsOf(all), all.count]).toEqual([[first, second], 2]);
  expect(all.items[1]).toMatchObject({
    object: "member",
    role: null,
    user: { id: second },
    spaces: 0,
    teams: 0,
  });
  const { next } = await lookup({ organizationId: acme, users, limit: 1 });
  expect(idsOf(await lookup({ organizationId: acme, users, limit: 1, page: next!.page }))).toEqual([second]);
  expect(await lookup({ organizationId: acme, users: [] })).toEqual({ items: [], count: 0 });
  const ada = await as({ [acme]: "admin" });
  await expect(ada.call.members.lookup({ organizationId: acme, users })).rejects.toThrow("only services");
});
