import type { Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { afterAll, beforeEach, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

let collectionId: string;
let spaceId: string;
const admin = t.as({ acme: "admin" }, { id: "ada" });
const withRole = (role: Role | null, id = `the-${role}`, teams: string[] = []) =>
  t.as({ acme: role }, { id, teams });

beforeEach(async () => {
  t.directory.clear();
  const people = { ada: "admin", bob: "read", cat: "edit", gus: null } as const;
  for (const [user, role] of Object.entries(people)) t.directory.member("acme", { user, role, teams: [] });
  t.directory.member("beta", { user: "eve", role: "admin", teams: [] });
  t.directory.team("acme", "writers");
  t.directory.team("acme", "readers");
  t.directory.team("beta", "others");
  collectionId = (await admin.collections.create({ organizationId: "acme", title: "Shelf" })).id;
  spaceId = (await admin.spaces.create({ organizationId: "acme", parent: collectionId })).id;
});

const grantsOn = async (target: string) =>
  Object.fromEntries(
    (
      await t.db
        .selectFrom("content_grant")
        .select(["subject", "role"])
        .where("target", "=", target)
        .execute()
    ).map(({ subject, role }) => [subject, role]),
  );
const faultOf = async (call: Promise<unknown>) => {
  const { status, body } = errorBody(await call.then(() => undefined).catch((error: unknown) => error), "");
  return { status, ...body.error };
};

/** The same operations on both mounts. */
const mounts = (caller: typeof admin) => {
  const mount = (grants: typeof caller.spaceGrants, target: string, here: object) => {
    const on =
      <Input extends object, TestResponse>(call: (input: Input) => TestResponse) =>
      (input: Input) =>
        call({ ...input, ...here });
    return {
      target,
      invite: on(grants.invite),
      listUsers: on(grants.listUsers),
      listTeams: on(grants.listTeams),
      aggregate: on(grants.aggregate),
      updateUser: on(grants.updateUser),
      removeUser: on(grants.removeUser),
      updateTeam: on(grants.updateTeam),
      removeTeam: on(grants.removeTeam),
    };
  };
  return {
    space: mount(caller.spaceGrants, spaceId, { spaceId }),
    collection: mount(caller.collectionGrants, collectionId, { collectionId }),
  };
};

const both = [["space"], ["collection"]] as const;

test.each(both)(
  "POST /%ss/{id}/permissions grants users and teams a role, again another one",
  async (kind) => {
    const on = mounts(admin)[kind];
    expect(await on.invite({ users: ["bob", "gus", "bob"], role: "comment" })).toBeUndefined();
    await on.invite({ teams: ["writers"], role: "edit" });
    expect(await grantsOn(on.target)).toEqual({ bob: "comment", gus: "comment", writers: "edit" });
    await on.invite({ users: ["bob"], teams: ["writers"], role: "review" });
    expect(await grantsOn(on.target)).toEqual({ bob: "review", gus: "comment", writers: "review" });
    await on.invite({ users: ["gus"], role: null });
    expect(await grantsOn(on.target)).toEqual({ bob: "review", writers: "review" });
  },
);

test.each(both)(
  "POST /%ss/{id}/permissions of strangers is 404, names them, and grants nothing",
  async (kind) => {
    const on = mounts(admin)[kind];
    const users = await faultOf(on.invite({ users: ["bob", "eve", "nobody"], role: "read" }));
    expect(users).toMatchObject({ status: 404, reason: "unknown_member" });
    const message = "is no member in the organization";
    expect(users.issues).toEqual([
      { path: "body.users.1", message },
      { path: "body.users.2", message },
    ]);
    const teams = await faultOf(on.invite({ teams: ["writers", "others"], role: "read" }));
    expect(teams.status).toBe(404);
    expect(teams.issues).toEqual([{ path: "body.teams.1", message: "is no team in the organization" }]);
    // Neither is a team a user, nor a user a team.
    expect(await faultOf(on.invite({ users: ["writers"], role: "read" }))).toMatchObject({ status: 404 });
    expect(await faultOf(on.invite({ teams: ["bob"], role: "read" }))).toMatchObject({ status: 404 });
    expect(await grantsOn(on.target)).toEqual({});
  },
);

test.each(both)("POST /%ss/{id}/permissions with a bad body is 400", async (kind) => {
  const on = mounts(admin)[kind];
  const bad = [
    { role: "read" },
    { users: [], role: "read" },
    { users: ["bob"] },
    { users: ["bob"], role: "owner" },
    { users: ["bob"], role: "guest" },
    { users: "bob", role: "read" },
    { users: [1], role: "read" },
  ];
  for (const body of bad)
    expect(await faultOf(on.invite(body as never)), JSON.stringify(body)).toMatchObject({ status: 400 });
  const message = "takes `users` or `teams`";
  expect(await faultOf(on.invite({ role: "read" }))).toMatchObject({
    message: `body: ${message}`,
    issues: [
      { path: "body.users", message },
      { path: "body.teams", message },
    ],
  });
});

test.each(both)(
  "/%ss/{id}/permissions are managed from create on, seen from read on, by no guest",
  async (kind) => {
    await mounts(admin)[kind].invite({ users: ["bob"], teams: ["writers"], role: "edit" });
    const expected = { null: 404, read: 403, comment: 403, edit: 403, review: 403, create: 204, admin: 204 };
    for (const [role, status] of Object.entries(expected)) {
      const on = mounts(withRole(role === "null" ? null : (role as Role)))[kind];
      const writes = {
        invite: () => on.invite({ users: ["bob"], role: "read" }),
        updateUser: () => on.updateUser({ userId: "bob", role: "comment" }),
        updateTeam: () => on.updateTeam({ teamId: "writers", role: "comment" }),
        removeUser: () => on.removeUser({ userId: "bob" }),
        removeTeam: () => on.removeTeam({ teamId: "writers" }),
      };
      for (const [name, write] of Object.entries(writes)) {
        const outcome = await write().then(
          () => 204,
          (error) => errorBody(error, "").status,
        );
        expect(outcome, `${role} ${name}`).toBe(status);
      }
      await mounts(admin)[kind].invite({ users: ["bob"], teams: ["writers"], role: "edit" });
      if (role === "null") expect(await faultOf(on.listUsers({}))).toMatchObject({ status: 404 });
      else
        for (const read of [on.listUsers, on.listTeams, on.aggregate])
          expect((await read({})).items).not.toEqual([]);
    }
    const stranger = mounts(t.as({ beta: "admin" }, { id: "eve" }))[kind];
    expect(await faultOf(stranger.invite({ users: ["eve"], role: "read" }))).toMatchObject({ status: 404 });
    expect(await faultOf(stranger.listUsers({}))).toMatchObject({ status: 404 });

    await mounts(admin)[kind].invite({ users: ["gus"], role: "create" });
    const guest = mounts(withRole(null, "gus"))[kind];
    for (const read of [guest.listUsers, guest.listTeams, guest.aggregate])
      expect(await faultOf(read({}))).toMatchObject({ status: 403, message: "Members: needs the role read" });
    await guest.invite({ users: ["bob"], role: "create" });
    expect((await grantsOn(mounts(admin)[kind].target)).bob).toBe("create");
  },
);

test.each(both)("/%ss/{id}/permissions: nobody gives or takes a role above their own", async (kind) => {
  const creator = mounts(withRole("create", "cleo"))[kind];
  const above = {
    status: 403,
    reason: "role_above_own",
    message: "Permission: the role admin is above your own",
  };
  expect(await faultOf(creator.invite({ users: ["bob"], role: "admin" }))).toMatchObject(above);
  await mounts(admin)[kind].invite({ users: ["bob"], teams: ["writers"], role: "admin" });
  expect(await faultOf(creator.invite({ users: ["bob"], role: "read" }))).toMatchObject(above);
  expect(await faultOf(creator.invite({ users: ["bob"], role: null }))).toMatchObject(above);
  expect(await faultOf(creator.updateUser({ userId: "bob", role: "read" }))).toMatchObject(above);
  expect(await faultOf(creator.removeUser({ userId: "bob" }))).toMatchObject(above);
  expect(await faultOf(creator.removeTeam({ teamId: "writers" }))).toMatchObject(above);
  await creator.invite({ users: ["gus"], role: "create" });
  expect(await faultOf(creator.updateUser({ userId: "gus", role: "admin" }))).toMatchObject(above);
  expect(await grantsOn(creator.target)).toEqual({ bob: "admin", gus: "create", writers: "admin" });
  // Who is granted admin here may grant it on.
  await mounts(withRole("read", "bob"))[kind].invite({ users: ["cat"], role: "admin" });
  expect((await grantsOn(creator.target)).cat).toBe("admin");
});

test.each(both)(
  "PATCH and DELETE of a permission on a %s change what is granted directly, and no other",
  async (kind) => {
    const on = mounts(admin)[kind];
    await on.invite({ users: ["bob", "cat"], teams: ["writers"], role: "edit" });
    await on.updateUser({ userId: "bob", role: "read" });
    await on.updateUser({ userId: "cat" });
    await on.updateTeam({ teamId: "writers", role: "review" });
    expect(await grantsOn(on.target)).toEqual({ bob: "read", cat: "edit", writers: "review" });
    expect(await faultOf(on.updateUser({ userId: "writers", role: "read" }))).toMatchObject({ status: 404 });
    expect(await faultOf(on.updateTeam({ teamId: "bob", role: "read" }))).toMatchObject({ status: 404 });
    expect(await faultOf(on.updateUser({ userId: "gus", role: "read" }))).toMatchObject({
      status: 404,
      message: "Permission: not found",
    });
    expect(await faultOf(on.updateUser({ userId: "bob", role: "guest" as never }))).toMatchObject({
      status: 400,
    });
    await on.removeTeam({ teamId: "bob" });
    await on.removeUser({ userId: "writers" });
    expect(await grantsOn(on.target)).toEqual({ bob: "read", cat: "edit", writers: "review" });
    await on.updateTeam({ teamId: "writers", role: null });
    await on.removeUser({ userId: "cat" });
    await on.removeUser({ userId: "cat" });
    expect(await grantsOn(on.target)).toEqual({ bob: "read" });
  },
);

test.each(both)("GET /%ss/{id}/permissions/users and teams page through the grants", async (kind) => {
  const on = mounts(admin)[kind];
  await on.invite({ users: ["cat"], role: "read" });
  await on.invite({ users: ["bob"], teams: ["writers"], role: "edit" });
  const first = await on.listUsers({ limit: 1 });
  expect(first).toMatchObject({
    items: [{ permission: "read", user: { object: "user", id: "cat" } }],
    count: 2,
  });
  const second = await on.listUsers({ limit: 1, page: first.next?.page });
  expect(second).toMatchObject({ items: [{ permission: "edit", user: { id: "bob" } }] });
  expect(second.next).toBeUndefined();
  expect((await on.listTeams({})).items).toMatchObject([
    { permission: "edit", team: { object: "team", id: "writers" } },
  ]);
  expect(await faultOf(on.listUsers({ page: "x" }))).toMatchObject({ status: 400 });
  // Orgs may have removed somebody before the grant is gone here.
  t.directory.clear();
  expect((await on.listUsers({})).items).toMatchObject([{ user: { id: "cat" } }, { user: { id: "bob" } }]);
});

test("a grant on a collection reaches what lies in it, and one on the space comes first", async () => {
  const inner = await admin.collections.create({ organizationId: "acme", parent: collectionId });
  const nested = await admin.spaces.create({ organizationId: "acme", parent: inner.id });
  const bob = withRole("read", "bob", ["writers"]);
  const flags = async () => (await bob.spaces.get({ spaceId: nested.id })).permissions;
  expect(await flags()).toMatchObject({ view: true, edit: false });
  await admin.collectionGrants.invite({ collectionId, teams: ["writers"], role: "edit" } as never);
  expect(await flags()).toMatchObject({ edit: true, review: false });
  await admin.spaceGrants.invite({ spaceId: nested.id, users: ["bob"], role: "comment" } as never);
  expect(await flags()).toMatchObject({ comment: true, edit: false });
  await admin.spaceGrants.removeUser({ spaceId: nested.id, userId: "bob" } as never);
  expect(await flags()).toMatchObject({ edit: true });
});
