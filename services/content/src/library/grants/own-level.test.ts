import type { Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { DefaultLevel } from "../../db/tables/spaces.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });
/** May create in the organization, and is in a team of it. */
const eve = t.as({ acme: "create", beta: "admin" }, { id: "eve", teams: ["writers"] });

beforeEach(() => {
  t.directory.clear();
  t.directory.member("acme", { user: "eve", role: "create", teams: ["writers"] });
  t.directory.member("acme", { user: "bob", role: "read", teams: [] });
  t.directory.member("acme", { user: "gus", role: null, teams: [] });
  t.directory.team("acme", "writers");
});

/** What the path of a request about grants names. */
const on = (target: { spaceId: string } | { collectionId: string }): object => target;

interface Around {
  parent?: string;
  defaultLevel?: DefaultLevel;
  users?: Record<string, Role>;
  teams?: Record<string, Role>;
}

async function space({ parent, defaultLevel, users = {}, teams = {} }: Around = {}): Promise<string> {
  const { id: spaceId } = await admin.spaces.create({ organizationId: "acme", parent });
  for (const [user, role] of Object.entries(users))
    await admin.spaceGrants.invite({ ...on({ spaceId }), users: [user], role });
  for (const [team, role] of Object.entries(teams))
    await admin.spaceGrants.invite({ ...on({ spaceId }), teams: [team], role });
  if (defaultLevel !== undefined) await admin.spaces.update({ spaceId, defaultLevel });
  return spaceId;
}

async function collection({ parent, defaultLevel, users = {} }: Around = {}): Promise<string> {
  const { id: collectionId } = await admin.collections.create({ organizationId: "acme", parent });
  for (const [user, role] of Object.entries(users))
    await admin.collectionGrants.invite({ ...on({ collectionId }), users: [user], role });
  if (defaultLevel !== undefined) await admin.collections.update({ collectionId, defaultLevel });
  return collectionId;
}

/** The row of the thing and the grants on it. */
async function stateOf(id: string) {
  const [spaces, collections, grants] = await Promise.all([
    t.db.selectFrom("space").selectAll().where("id", "=", id).execute(),
    t.db.selectFrom("collection").selectAll().where("id", "=", id).execute(),
    t.db.selectFrom("content_grant").selectAll().where("target", "=", id).orderBy("subject").execute(),
  ]);
  return { spaces, collections, grants };
}

async function refused(id: string, call: () => Promise<unknown>, reason = "role_above_own") {
  const before = await stateOf(id);
  const { status, body } = errorBody(
    await call().then(
      () => undefined,
      (error: unknown) => error,
    ),
    "",
  );
  expect({ status, reason: body.error.reason }).toEqual({ status: 403, reason });
  expect(await stateOf(id)).toEqual(before);
}

test("a default level is at most the level of who sets it", async () => {
  const [spaceId, collectionId] = [await space(), await collection()];
  await refused(spaceId, () => eve.spaces.update({ spaceId, defaultLevel: "admin" }));
  await refused(collectionId, () => eve.collections.update({ collectionId, defaultLevel: "admin" }));
  expect(await eve.spaces.update({ spaceId, defaultLevel: "create" })).toMatchObject({
    defaultLevel: "create",
  });
  expect(await eve.collections.update({ collectionId, defaultLevel: "read" })).toMatchObject({
    defaultLevel: "read",
  });
  expect(await admin.spaces.update({ spaceId, defaultLevel: "admin" })).toMatchObject({
    defaultLevel: "admin",
  });
});

test("a default level is not inherited from a collection that gives more than the caller has", async () => {
  const parent = await collection({ defaultLevel: "admin" });
  const spaceId = await space({ parent, defaultLevel: "read", users: { eve: "create" } });
  const inner = await collection({ parent, defaultLevel: "read", users: { eve: "create" } });
  await refused(spaceId, () => eve.spaces.update({ spaceId, defaultLevel: "inherit" }));
  await refused(inner, () => eve.collections.update({ collectionId: inner, defaultLevel: "inherit" }));
  expect(await admin.spaces.update({ spaceId, defaultLevel: "inherit" })).toMatchObject({
    defaultLevel: "inherit",
  });
});

test.each([
  ["by default", { defaultLevel: "admin" }],
  ["to who moves it", { users: { eve: "admin" } }],
  ["to somebody else", { users: { eve: "create", bob: "admin" } }],
] satisfies [string, Around][])("nothing is moved where more is given %s", async (_, around) => {
  const parent = await collection(around);
  const [spaceId, collectionId] = [await space(), await collection()];
  await refused(spaceId, () => eve.spaces.move({ spaceId, parent }));
  await refused(collectionId, () => eve.collections.move({ collectionId, parent }));
  expect(await admin.spaces.move({ spaceId, parent })).toMatchObject({ parent });
});

test("nothing is moved out of what keeps it closed to a higher role around that", async () => {
  const outer = await collection({ users: { eve: "create", bob: "admin" } });
  const inner = await collection({ parent: outer, defaultLevel: "read", users: { eve: "create" } });
  const spaceId = await space({ parent: inner });
  await refused(spaceId, () => eve.spaces.move({ spaceId, parent: outer }));
  // Whoever had the role there already has it still.
  const beside = await collection({ parent: outer, users: { eve: "create" } });
  const open = await space({ parent: outer });
  expect(await eve.spaces.move({ spaceId: open, parent: beside })).toMatchObject({ parent: beside });
});

test("nobody sheds a grant that keeps them below a default level or a team", async () => {
  const byDefault = await space({ defaultLevel: "admin", users: { eve: "create" } });
  const byTeam = await space({ users: { eve: "create" }, teams: { writers: "admin" } });
  const userId = "eve";
  for (const spaceId of [byDefault, byTeam]) {
    await refused(spaceId, () => eve.spaceGrants.removeUser({ ...on({ spaceId }), userId }));
    await refused(spaceId, () => eve.spaceGrants.updateUser({ ...on({ spaceId }), userId, role: null }));
    await refused(spaceId, () => eve.spaceGrants.invite({ ...on({ spaceId }), users: [userId], role: null }));
  }
  const free = await space({ defaultLevel: "read", users: { eve: "create" } });
  await eve.spaceGrants.removeUser({ ...on({ spaceId: free }), userId });
  expect((await stateOf(free)).grants).toEqual([]);
});

test("nobody grants their own team more than they have", async () => {
  const spaceId = await space();
  await refused(spaceId, () =>
    eve.spaceGrants.invite({ ...on({ spaceId }), teams: ["writers"], role: "admin" }),
  );
  await eve.spaceGrants.invite({ ...on({ spaceId }), teams: ["writers"], role: "create" });
  await refused(spaceId, () =>
    eve.spaceGrants.updateTeam({ ...on({ spaceId }), teamId: "writers", role: "admin" }),
  );
});

test("a copy gives nobody more than they had and may create", async () => {
  const spaceId = await space({ defaultLevel: "admin", users: { eve: "read" } });
  const before = await t.db.selectFrom("space").select("id").execute();
  await refused(spaceId, () => eve.spaces.duplicate({ spaceId }));
  expect(await t.db.selectFrom("space").select("id").execute()).toEqual(before);
  const open = await space({ defaultLevel: "edit", users: { eve: "read" } });
  expect(await eve.spaces.duplicate({ spaceId: open })).toMatchObject({ defaultLevel: "edit" });
});

test("what comes back from the trash after its collection went gives no more than who deleted that had", async () => {
  const collectionId = await collection({ defaultLevel: "admin", users: { eve: "create" } });
  const spaceId = await space({ parent: collectionId });
  await eve.collections.remove({ collectionId });
  expect(await eve.spaces.restore({ spaceId })).toMatchObject({ defaultLevel: "create" });
  await refused(spaceId, () => eve.spaces.update({ spaceId, defaultLevel: "admin" }));
});

test("a link to content gives at most the level of who makes or changes it", async () => {
  const spaceId = await space();
  const organizationId = "acme";
  await refused(spaceId, () => eve.linkInvites.create({ organizationId, space: spaceId, level: "admin" }));
  const { id: inviteId } = await eve.linkInvites.create({ organizationId, space: spaceId, level: "read" });
  await refused(spaceId, () => eve.linkInvites.update({ organizationId, inviteId, level: "admin" }));
  expect(await eve.linkInvites.get({ organizationId, inviteId })).toMatchObject({ level: "read" });
  expect(await eve.linkInvites.update({ organizationId, inviteId, level: "edit" })).toMatchObject({
    level: "edit",
  });
});

test.each([
  ["a guest", null],
  ["a member who may less there", "read"],
] satisfies [string, Role | null][])("%s takes nothing out of an organization", async (_, role) => {
  const gus = t.as({ acme: role, beta: "admin" }, { id: "gus" });
  const spaceId = await space({ users: { gus: "create" } });
  const collectionId = await collection({ users: { gus: "create" } });
  await refused(spaceId, () => gus.spaces.transfer({ spaceId, organization: "beta" }), "forbidden");
  await refused(
    collectionId,
    () => gus.collections.transfer({ collectionId, organization: "beta" }),
    "forbidden",
  );
  expect(await gus.spaces.update({ spaceId, title: "Still theirs" })).toMatchObject({ organization: "acme" });
});

test("a collection goes to another organization with what its owner has in reach alone", async () => {
  const collectionId = await collection();
  const inner = await collection({ parent: collectionId });
  const closed = await space({ parent: inner, defaultLevel: null });
  const transfer = () => eve.collections.transfer({ collectionId, organization: "beta" });
  await refused(closed, transfer, "content_out_of_reach");
  await admin.spaceGrants.invite({ ...on({ spaceId: closed }), users: ["eve"], role: "create" });
  await admin.spaces.update({ spaceId: closed, defaultLevel: "admin" });
  await refused(closed, transfer);
  await admin.spaces.update({ spaceId: closed, defaultLevel: "read" });
  expect(await transfer()).toMatchObject({ organization: "beta" });
  expect(await admin.spaces.get({ spaceId: closed })).toMatchObject({ organization: "beta" });
});
