import { newBearer } from "@octavo/shared/bearer";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, gateway, emitted, end } = await startOrgs();
afterAll(end);

const pathOf = (organization: string, team: string) => `/v1/orgs/${organization}/teams/${team}/members`;
async function rolesIn(team: string) {
  const people = await db
    .selectFrom("team_member")
    .select(["person", "role"])
    .where("team", "=", team)
    .execute();
  return Object.fromEntries(people.map(({ person, role }) => [person, role]));
}

test("GET /orgs/{organizationId}/teams/{teamId}/members shows the members with their places", async () => {
  const acme = await rows.organization();
  const reader = await as({ [acme]: "read" });
  const emile = await rows.member({ organization: acme, role: "review" });
  const team = await rows.team(acme, { [emile]: "owner", [reader.id]: "member" });
  const { status, body } = await reader.send("GET", pathOf(acme, team));
  expect([status, body.count]).toEqual([200, 2]);
  const shown = body.items.find(
    ({ organization }: { organization: { id: string } }) => organization.id === emile,
  );
  expect(shown).toMatchObject({
    organization: { object: "member", role: "review", teams: 1, user: { id: emile } },
    team: { role: "owner" },
    permissions: { view: true },
  });
  const first = (await reader.send("GET", `${pathOf(acme, team)}?limit=1`)).body;
  const second = (await reader.send("GET", `${pathOf(acme, team)}?limit=1&page=${first.next.page}`)).body;
  expect([...first.items, ...second.items]).toEqual(body.items);
});

test("GET …/members by a guest is 403 unless the guest owns the team, by a stranger 404", async () => {
  const acme = await rows.organization();
  const [owner, member, other] = [
    await as({ [acme]: null }),
    await as({ [acme]: null }),
    await as({ [acme]: null }),
  ];
  const team = await rows.team(acme, { [owner.id]: "owner", [member.id]: "member" });
  const list = async ({ send }: typeof owner) => (await send("GET", pathOf(acme, team))).status;
  expect([await list(owner), await list(member), await list(other), await list(await as())]).toEqual([
    200, 403, 403, 404,
  ]);
  const { body } = await member.send("GET", pathOf(acme, team));
  expect(body.error.message).toBe("Organization: needs the role read");
});

test("PUT …/members adds, sets places and removes in one, and publishes an event", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const [one, two, three, four, five] = await Promise.all(
    [1, 2, 3, 4, 5].map(() => rows.member({ organization: acme })),
  );
  const people = { [one!]: "owner", [two!]: "member", [three!]: "member", [five!]: "owner" } as const;
  const team = await rows.team(acme, people);
  const changed = await ada.send("PUT", pathOf(acme, team), {
    add: [one, four],
    memberships: { [two!]: { role: "owner" }, [five!]: { role: "member" } },
    remove: [three, "unknown"],
  });
  expect([changed.status, changed.body]).toEqual([204, undefined]);
  expect(changed.headers.get("x-octavo-identity-changed")).toBe(acme);
  expect(await rolesIn(team)).toEqual({
    [one!]: "owner",
    [two!]: "owner",
    [four!]: "member",
    [five!]: "member",
  });
  expect(await emitted(acme)).toEqual([["team.changed", { organization: acme, team }]]);
  const { body } = await ada.send("GET", `/v1/orgs/${acme}/audit-events?action=team.members.update`);
  expect(body.items.map(({ details }: { details: object }) => details)).toEqual([
    { add: [one, four], remove: [three, "unknown"], owner: [two], member: [five] },
  ]);
});

test("PUT …/members with an unknown member, or one who comes and goes, is 400 and changes nothing", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const foreign = await rows.member({ organization: await rows.organization() });
  const team = await rows.team(acme, { [ada.id]: "member" });
  for (const [body, path, message] of [
    [{ add: [foreign], remove: [ada.id] }, "body.add.0"],
    [{ memberships: { unknown: { role: "owner" } }, remove: [ada.id] }, "body.memberships.unknown"],
    [{ memberships: { [ada.id]: { role: "admin" } } }, `body.memberships.${ada.id}.role`],
    [{ add: [ada.id], remove: ["unknown", ada.id] }, "body.remove.1", "is to be added as well"],
    [{ memberships: { [ada.id]: { role: "owner" } }, remove: [ada.id] }, "body.remove.0"],
    [{ add: "everybody" }, "body.add"],
  ] as const) {
    const { status, body: refusal } = await ada.send("PUT", pathOf(acme, team), body);
    expect([status, refusal.error.issues[0].path]).toEqual([400, path]);
    if (message) expect(refusal.error.message).toBe(`${path}: ${message}`);
  }
  expect(await rolesIn(team)).toEqual({ [ada.id]: "member" });
  expect(await emitted(acme)).toEqual([]);
});

test("PUT …/members/{userId} adds somebody, or sets the place of who is there", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const user = await rows.member({ organization: acme, role: null });
  const team = await rows.team(acme);
  const put = async (body?: unknown) => (await ada.send("PUT", `${pathOf(acme, team)}/${user}`, body)).status;
  expect([await put(), await rolesIn(team)]).toEqual([204, { [user]: "member" }]);
  expect([await put({ role: "owner" }), await rolesIn(team)]).toEqual([204, { [user]: "owner" }]);
  expect([await put(), await rolesIn(team)]).toEqual([204, { [user]: "owner" }]);
  expect([await put({ role: "admin" }), await rolesIn(team)]).toEqual([400, { [user]: "owner" }]);
  const changed = ["team.changed", { organization: acme, team }];
  expect(await emitted(acme)).toEqual([changed, changed, changed]);
  const { body } = await ada.send("GET", `/v1/orgs/${acme}/audit-events?action=team.members.add`);
  expect(body.items.map(({ details }: { details: object }) => details)).toEqual([
    { user, role: null },
    { user, role: "owner" },
    { user, role: null },
  ]);
});

test("PUT …/members/{userId} of nobody in the organization, or into an unknown team, is 404", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const team = await rows.team(acme);
  const foreign = await rows.member({ organization: await rows.organization() });
  for (const path of [`${pathOf(acme, team)}/${foreign}`, `${pathOf(acme, "unknown")}/${ada.id}`]) {
    expect((await ada.send("PUT", path)).status).toBe(404);
  }
  const elsewhere = await rows.organization();
  const eve = await as({ [elsewhere]: "admin" });
  expect((await eve.send("PUT", `${pathOf(elsewhere, team)}/${eve.id}`)).status).toBe(404);
  expect(await rolesIn(team)).toEqual({});
});

test("DELETE …/members/{userId} takes somebody out of the team alone; twice is 204 too", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const user = await rows.member({ organization: acme });
  const team = await rows.team(acme, { [user]: "owner" });
  const remove = async () => (await ada.send("DELETE", `${pathOf(acme, team)}/${user}`)).status;
  expect([await remove(), await remove()]).toEqual([204, 204]);
  expect(await rolesIn(team)).toEqual({});
  expect((await ada.send("GET", `/v1/orgs/${acme}/members/${user}`)).status).toBe(200);
  expect(await emitted(acme)).toEqual([["team.changed", { organization: acme, team }]]);
});

test("a team's owner manages its members and no other team; its members may not even leave", async () => {
  const acme = await rows.organization();
  const [owner, member] = [await as({ [acme]: null }), await as({ [acme]: "create" })];
  const user = await rows.member({ organization: acme });
  const team = await rows.team(acme, { [owner.id]: "owner", [member.id]: "member" });
  const other = await rows.team(acme, { [member.id]: "member" });
  expect((await owner.send("PUT", `${pathOf(acme, team)}/${user}`)).status).toBe(204);
  expect((await owner.send("PUT", pathOf(acme, team), { remove: [user] })).status).toBe(204);
  expect((await owner.send("PUT", `${pathOf(acme, other)}/${user}`)).status).toBe(403);
  for (const [method, path] of [
    ["PUT", `${pathOf(acme, team)}/${user}`],
    ["PUT", pathOf(acme, team)],
    ["DELETE", `${pathOf(acme, team)}/${member.id}`],
  ] as const) {
    expect((await member.send(method, path, { role: "owner" })).status).toBe(403);
    expect((await (await as()).send(method, path, {})).status).toBe(404);
  }
  expect(await rolesIn(team)).toEqual({ [owner.id]: "owner", [member.id]: "member" });
});

test("whoever leaves the organization while joining a team ends in neither", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const team = await rows.team(acme);
  for (let round = 0; round < 10; round++) {
    const user = await rows.member({ organization: acme });
    const [added, removed] = await Promise.all([
      ada.send("PUT", `${pathOf(acme, team)}/${user}`),
      ada.send("DELETE", `/v1/orgs/${acme}/members/${user}`),
    ]);
    expect([[204, 404], [204]]).toEqual([expect.arrayContaining([added.status]), [removed.status]]);
  }
  expect(await rolesIn(team)).toEqual({});
});

test("a token stands for the teams of its user as they are now", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const team = await rows.team(acme);
  const { token } = (await ada.send("POST", "/v1/user/tokens", { label: "x" })).body;
  const teams = async () => (await gateway.call.tokens.resolve({ token }))?.caller.teams;
  expect(await teams()).toEqual([]);
  await ada.send("PUT", `${pathOf(acme, team)}/${ada.id}`);
  expect(await teams()).toEqual([team]);
  await ada.send("DELETE", `/v1/orgs/${acme}/teams/${team}`);
  expect(await teams()).toEqual([]);
  expect(await gateway.call.tokens.resolve({ token: newBearer() })).toBeNull();
});

test("a team that is deleted while somebody is added to it is 404", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme });
  for (let round = 0; round < 8; round++) {
    const team = await rows.team(acme);
    const [added, removed] = await Promise.all([
      ada.send("PUT", `/v1/orgs/${acme}/teams/${team}/members/${bob}`),
      ada.send("DELETE", `/v1/orgs/${acme}/teams/${team}`),
    ]);
    expect([204, 404]).toContain(added.status);
    expect(removed.status).toBe(204);
  }
});
