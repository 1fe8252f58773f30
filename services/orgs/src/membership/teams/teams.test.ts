import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, content, emitted, end } = await startOrgs();
afterAll(end);

const NEEDS_READ = "Organization: needs the role read";
const titlesOf = (body: { items: { title: string }[] }) => body.items.map(({ title }) => title);
const teamsIn = (organization: string) =>
  db.selectFrom("team").select("id").where("organization", "=", organization).execute();

test("PUT /orgs/{organizationId}/teams creates a team with its members, and publishes an event", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const people = [await rows.member({ organization: acme }), await rows.member({ organization: acme })];
  const members = [...people, people[0]];
  const made = await ada.send("PUT", `/v1/orgs/${acme}/teams`, { title: "Writers", members });
  expect(made.status).toBe(201);
  const { id } = made.body;
  expect(made.headers.get("location")).toBe(`http://octavo.test/v1/orgs/${acme}/teams/${id}`);
  expect(made.headers.get("x-octavo-identity-changed")).toBe(acme);
  expect(made.body).toEqual({
    object: "team",
    id,
    title: "Writers",
    members: 2,
    spaces: 0,
    createdAt: expect.any(String),
    permissions: { admin: true, view: true },
  });
  expect((await ada.send("GET", `/v1/orgs/${acme}/teams/${id}`)).body).toEqual(made.body);
  expect(await emitted(acme)).toEqual([["team.changed", { organization: acme, team: id }]]);
});

test("PUT /orgs/{organizationId}/teams with an unknown member is 400 and creates nothing", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const foreign = await rows.member({ organization: await rows.organization() });
  const members = [ada.id, foreign, "unknown"];
  const { status, body } = await ada.send("PUT", `/v1/orgs/${acme}/teams`, { title: "Writers", members });
  expect([status, body.error.issues.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ["body.members.1", "body.members.2"],
  ]);
  for (const bad of [{}, { title: "" }, { title: "x".repeat(65) }, { title: "x", members: "ada" }]) {
    expect((await ada.send("PUT", `/v1/orgs/${acme}/teams`, bad)).status).toBe(400);
  }
  expect([await teamsIn(acme), await emitted(acme)]).toEqual([[], []]);
});

test("PUT, PATCH and DELETE of teams below admin are 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const owner = await as({ [acme]: "create" });
  const team = await rows.team(acme, { [owner.id]: "owner" });
  const attempts = [
    ["PUT", `/v1/orgs/${acme}/teams`],
    ["PATCH", `/v1/orgs/${acme}/teams/${team}`],
    ["DELETE", `/v1/orgs/${acme}/teams/${team}`],
  ] as const;
  for (const [method, path] of attempts) {
    for (const person of [owner, await as({ [acme]: null })]) {
      expect((await person.send(method, path, { title: "Mine" })).status).toBe(403);
    }
    expect((await (await as()).send(method, path, { title: "Mine" })).status).toBe(404);
  }
  expect([await teamsIn(acme), await emitted(acme)]).toEqual([[{ id: team }], []]);
});

test("GET /orgs/{organizationId}/teams lists page by page, by a part of the title, and by the owner", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "read" });
  const other = await rows.member({ organization: acme });
  await rows.team(acme, { [ada.id]: "owner" }, "Écrivains");
  await rows.team(acme, { [ada.id]: "member", [other]: "owner" }, "Support 100%");
  await rows.team(acme, {}, "Sales");
  await rows.team(await rows.organization(), {}, "Elsewhere");
  const list = async (query = "") => (await ada.send("GET", `/v1/orgs/${acme}/teams?${query}`)).body;
  const all = await list();
  expect([new Set(titlesOf(all)), all.count]).toEqual([new Set(["Écrivains", "Support 100%", "Sales"]), 3]);
  const shown = all.items.map(({ title, members, permissions }: Record<string, unknown>) => [
    title,
    [members, permissions],
  ]);
  expect(Object.fromEntries(shown)).toEqual({
    Écrivains: [1, { admin: true, view: true }],
    "Support 100%": [2, { admin: false, view: true }],
    Sales: [0, { admin: false, view: true }],
  });
  const first = await list("limit=2");
  const second = await list(`limit=2&page=${first.next.page}`);
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect(titlesOf(await list(`title=${encodeURIComponent("éCRI")}`))).toEqual(["Écrivains"]);
  expect(titlesOf(await list(`title=${encodeURIComponent("0%")}`))).toEqual(["Support 100%"]);
  expect(titlesOf(await list(`title=${encodeURIComponent("s_l")}`))).toEqual([]);
  expect(titlesOf(await list(`owner=${ada.id}`))).toEqual(["Écrivains"]);
  expect(titlesOf(await list(`owner=${other}&title=sales`))).toEqual([]);
  expect((await ada.send("GET", `/v1/orgs/${acme}/teams?limit=-1&title=${"x".repeat(65)}`)).status).toBe(400);
});

test("GET /orgs/{organizationId}/teams by a guest is 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const refused = await (await as({ [acme]: null })).send("GET", `/v1/orgs/${acme}/teams`);
  expect([refused.status, refused.body.error.message]).toEqual([403, NEEDS_READ]);
  expect((await (await as()).send("GET", `/v1/orgs/${acme}/teams`)).status).toBe(404);
});

test("GET /orgs/{organizationId}/teams/{teamId} shows a guest only their own team", async () => {
  const acme = await rows.organization();
  const guest = await as({ [acme]: null });
  const own = await rows.team(acme, { [guest.id]: "member" });
  const other = await rows.team(acme);
  const path = `/v1/orgs/${acme}/teams`;
  const shown = await guest.send("GET", `${path}/${own}`);
  expect([shown.status, shown.body.permissions]).toEqual([200, { admin: false, view: true }]);
  const refused = await guest.send("GET", `${path}/${other}`);
  expect([refused.status, refused.body.error.message]).toEqual([403, NEEDS_READ]);
  expect((await (await as()).send("GET", `${path}/${own}`)).status).toBe(404);
  const reader = await as({ [acme]: "read" });
  const foreign = await rows.team(await rows.organization());
  const missing = await reader.send("GET", `${path}/${foreign}`);
  expect([missing.status, missing.body.error.message]).toEqual([404, "Team: not found"]);
});

test("PATCH /orgs/{organizationId}/teams/{teamId} changes the title and nothing else", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const team = await rows.team(acme, { [ada.id]: "member" });
  const path = `/v1/orgs/${acme}/teams/${team}`;
  const beta = await rows.organization();
  const more = { id: "mine", organization: beta, members: 7, spaces: 9, createdAt: "2020-01-01T00:00:00Z" };
  const changed = await ada.send("PATCH", path, { title: "Editors", ...more });
  expect([changed.status, changed.body.title]).toEqual([200, "Editors"]);
  expect((await ada.send("GET", path)).body).toMatchObject({
    id: team,
    title: "Editors",
    members: 1,
    spaces: 0,
  });
  expect(titlesOf((await ada.send("GET", `/v1/orgs/${acme}/teams?title=EDIT`)).body)).toEqual(["Editors"]);
  expect((await ada.send("PATCH", path, { title: "Editors" })).status).toBe(200);
  expect(await emitted(acme)).toEqual([["team.changed", { organization: acme, team }]]);
  expect((await ada.send("PATCH", path, {})).status).toBe(400);
  expect((await ada.send("PATCH", `/v1/orgs/${acme}/teams/unknown`, { title: "x" })).status).toBe(404);
});

test("DELETE /orgs/{organizationId}/teams/{teamId} leaves the people in the organization; twice is 204 too", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const team = await rows.team(acme, { [ada.id]: "owner" });
  const elsewhere = await rows.team(await rows.organization());
  for (const id of [team, team, elsewhere]) {
    expect((await ada.send("DELETE", `/v1/orgs/${acme}/teams/${id}`)).status).toBe(204);
  }
  expect(await teamsIn(acme)).toEqual([]);
  expect(await db.selectFrom("team").select("id").where("id", "=", elsewhere).execute()).toHaveLength(1);
  expect((await ada.send("GET", `/v1/orgs/${acme}/members/${ada.id}`)).body.teams).toBe(0);
  expect(await emitted(acme)).toEqual([["team.changed", { organization: acme, team, deleted: true }]]);
});

test("GET /orgs/{organizationId}/members/{userId}/teams shows the teams and the place in them", async () => {
  const acme = await rows.organization();
  const guest = await as({ [acme]: null });
  const own = await rows.team(acme, { [guest.id]: "owner" }, "Support");
  await rows.team(acme, { [guest.id]: "member" }, "Writers");
  await rows.team(acme);
  const path = `/v1/orgs/${acme}/members/${guest.id}/teams`;
  const { body } = await guest.send("GET", path);
  expect(body.count).toBe(2);
  expect(body.items[0]).toMatchObject({
    team: { id: own, title: "Support", members: 1 },
    member: { role: "owner" },
  });
  const reader = await as({ [acme]: "read" });
  const found = (await reader.send("GET", `${path}?title=wri`)).body.items;
  expect(found.map(({ member }: { member: unknown }) => member)).toEqual([{ role: "member" }]);
  expect((await reader.send("GET", `/v1/orgs/${acme}/members/${reader.id}/teams`)).body.items).toEqual([]);
  const refused = await guest.send("GET", `/v1/orgs/${acme}/members/${reader.id}/teams`);
  expect([refused.status, refused.body.error.message]).toEqual([403, NEEDS_READ]);
  const unknown = await reader.send("GET", `/v1/orgs/${acme}/members/unknown/teams`);
  expect([unknown.status, unknown.body.error.message]).toEqual([404, "Member: not found"]);
  expect((await (await as()).send("GET", path)).status).toBe(404);
});

test("teams.lookup returns those of the teams that the caller may see", async () => {
  const acme = await rows.organization();
  const beta = await rows.organization();
  const guest = await as({ [acme]: null });
  const own = await rows.team(acme, { [guest.id]: "member" });
  const ids = [own, await rows.team(acme), await rows.team(beta), "unknown"];
  const lookup = async ({ call }: typeof guest | typeof content) =>
    new Set((await call.teams.lookup({ ids })).map(({ id }) => id));
  expect(await lookup(guest)).toEqual(new Set([own]));
  expect(await lookup(await as({ [acme]: "read" }))).toEqual(new Set(ids.slice(0, 2)));
  expect(await lookup(content)).toEqual(new Set(ids.slice(0, 3)));
});
