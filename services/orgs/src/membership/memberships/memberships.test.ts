import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { rows, as, content, end } = await startOrgs();
afterAll(end);

const { find, list, teams } = content.call.memberships;
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

test("memberships.find returns the people and the members of the teams, with all their teams", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const [ada, bob, eve, guest] = await Promise.all([
    rows.member({ organization: acme, role: "admin" }),
    rows.member({ organization: acme }),
    rows.member({ organization: beta }),
    rows.member({ organization: acme, role: null }),
  ]);
  const one = await rows.team(acme, { [bob]: "member" });
  const two = await rows.team(acme, { [bob]: "owner", [guest]: "member" });
  const found = await find({ organizationId: acme, users: [ada, eve, "nobody"], teams: [one] });
  const expected = [
    { user: ada, role: "admin", teams: [], joinedAt: expect.any(String) },
    { user: bob, role: "read", teams: [one, two].sort(), joinedAt: expect.any(String) },
  ];
  expect(found).toEqual(expected.sort((a, b) => (a.user < b.user ? -1 : 1)));
  expect(await find({ organizationId: acme, teams: [two] })).toHaveLength(2);
  expect(await find({ organizationId: acme })).toEqual([]);
  expect(await find({ organizationId: "unknown", users: [ada], teams: [one] })).toEqual([]);
});

test("memberships.list takes those with a role, and those named, but for the exceptions, page by page", async () => {
  const acme = await rows.organization();
  const people: string[] = [];
  const roles = ["admin", "edit", "edit", null, "read"] as const;
  for (const [index, role] of roles.entries())
    people.push(await rows.member({ organization: acme, role, joined_at: at(index) }));
  const [ada, bob, eve, guest, zoe] = people as [string, string, string, string, string];
  const idsOf = async (input: Omit<Parameters<typeof list>[0], "organizationId">) => {
    const { items, count } = await list({ organizationId: acme, ...input });
    expect(count).toBe(items.length);
    return items.map(({ user }) => user.id);
  };
  expect(await idsOf({ roles: ["edit", "admin"] })).toEqual([ada, bob, eve]);
  expect(await idsOf({ roles: ["edit", "guest"], except: [bob] })).toEqual([eve, guest]);
  expect(await idsOf({ roles: ["edit"], except: [eve, bob], users: [zoe, bob] })).toEqual([bob, zoe]);
  expect(await idsOf({ roles: [], users: ["nobody"] })).toEqual([]);
  const first = await list({ organizationId: acme, roles: ["edit", "admin"], limit: 2 });
  expect(first).toMatchObject({ items: [{ role: "admin" }, { role: "edit" }], count: 3 });
  const second = await list({ organizationId: acme, roles: ["edit", "admin"], page: first.next!.page });
  expect(second).toMatchObject({ items: [{ user: { id: eve } }], count: 3 });
});

test("memberships.teams returns those of the organization", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const [here, there] = [await rows.team(acme, {}), await rows.team(beta, {})];
  expect(await teams({ organizationId: acme, teams: [here, there, "unknown"] })).toEqual([here]);
});

test("memberships are for services alone", async () => {
  const acme = await rows.organization();
  const { call } = await as({ [acme]: "admin" });
  await expect(call.memberships.find({ organizationId: acme })).rejects.toThrow("only services");
  await expect(call.memberships.list({ organizationId: acme, roles: [] })).rejects.toThrow("only services");
  await expect(call.memberships.teams({ organizationId: acme, teams: [] })).rejects.toThrow("only services");
});
