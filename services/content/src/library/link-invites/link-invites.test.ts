import { ROLES, type Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { operationsOf } from "@octavo/shared/rest/routes";
import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });
const organizationId = "acme";
const UNKNOWN = "unknown";

/** What a call is refused with. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => {
      const { status, body } = errorBody(error, "");
      return { status, ...body.error };
    },
  );
const statusOf = async (call: Promise<unknown>) => (await refusal(call))?.status;

test("a link to a space shows the space, one to a collection the collection, one to the organization its role", async () => {
  const spaceId = await t.space({ title: "Handbook" });
  const { id: collectionId } = await admin.collections.create({ organizationId, title: "Guides" });
  const space = await admin.spaces.get({ spaceId });
  const collection = await admin.collections.get({ collectionId });
  const toSpace = await admin.linkInvites.create({ organizationId, level: "edit", space: spaceId });
  const toCollection = await admin.linkInvites.create({
    organizationId,
    level: null,
    collection: collectionId,
  });
  const toAll = await admin.linkInvites.create({ organizationId, role: "read" });
  const location = `http://octavo.test/v1/orgs/acme/link-invites/${toSpace.id}`;
  const accept = `http://octavo.test/v1/orgs/acme/invites/${toSpace.id}`;
  const link = { object: "invite", redundant: false };
  expect(toSpace).toEqual({ ...link, id: toSpace.id, level: "edit", space, urls: { location, accept } });
  expect(toCollection).toMatchObject({ ...link, level: null, collection });
  expect(toAll).toMatchObject({ ...link, role: "read" });
  for (const made of [toSpace, toCollection, toAll]) {
    expect(await admin.linkInvites.get({ organizationId, inviteId: made.id })).toEqual(made);
  }
  const list = async (where: object) =>
    (await admin.linkInvites.list({ organizationId, limit: 10, ...where })).items;
  expect(await list({ space: spaceId })).toEqual([toSpace]);
  expect(await list({ collection: collectionId })).toEqual([toCollection]);
  expect(await list({})).toEqual([toAll]);
  const changed = await admin.linkInvites.update({ organizationId, inviteId: toSpace.id, level: "read" });
  expect(changed).toEqual({ ...toSpace, level: "read" });
  await admin.linkInvites.remove({ organizationId, inviteId: toSpace.id });
  expect(await list({ space: spaceId })).toEqual([]);
});

test("the links to a space or a collection are listed for whom viewInviteLinks is shown there", async () => {
  const spaceId = await t.space();
  const { id: collectionId } = await admin.collections.create({ organizationId });
  for (const role of [...ROLES, null, undefined]) {
    const caller = t.as(role === undefined ? { beta: "admin" } : { acme: role });
    const things = [
      [{ space: spaceId }, () => caller.spaces.get({ spaceId })],
      [{ collection: collectionId }, () => caller.collections.get({ collectionId })],
    ] as const;
    for (const [where, get] of things) {
      const shown = await get().catch(() => undefined);
      const listed = await statusOf(caller.linkInvites.list({ organizationId, limit: 1, ...where }));
      expect([role, listed]).toEqual([
        role,
        shown ? (shown.permissions.viewInviteLinks ? undefined : 403) : 404,
      ]);
    }
  }
});

test("links that give more than the caller's own level are not listed: whoever reads one may use it", async () => {
  const spaceId = await t.space();
  const made: { id: string }[] = [];
  for (const level of ROLES)
    made.push(await admin.linkInvites.create({ organizationId, level, space: spaceId }));
  const listed = async (role: Role) => {
    const { items, count } = await t
      .as({ acme: role })
      .linkInvites.list({ organizationId, limit: 50, space: spaceId });
    expect(count).toBe(items.length);
    return items.map(({ id }) => id).sort();
  };
  const idsUpTo = (role: Role) =>
    made
      .slice(0, ROLES.indexOf(role) + 1)
      .map(({ id }) => id)
      .sort();
  expect(await listed("create")).toEqual(idsUpTo("create"));
  expect(await listed("admin")).toEqual(idsUpTo("admin"));
});

test("content that is not there, lies elsewhere or is not the maker's to share gets no link", async () => {
  const [here, elsewhere, trashed] = [
    await t.space(),
    await t.space({ organization: "beta" }),
    await t.space({ deleted_at: new Date() }),
  ];
  const { id: collection } = await admin.collections.create({ organizationId: "beta" });
  const make = (who: typeof admin, body: object) =>
    statusOf(who.linkInvites.create({ organizationId, level: "read", ...body }));
  for (const body of [
    { space: UNKNOWN },
    { space: elsewhere },
    { space: trashed },
    { collection },
    { collection: UNKNOWN },
  ]) {
    expect(await make(admin, body)).toBe(404);
  }
  const listed = (where: object) => statusOf(admin.linkInvites.list({ organizationId, limit: 1, ...where }));
  expect(await listed({ space: UNKNOWN })).toBe(404);
  expect(await listed({ space: elsewhere })).toBe(404);
  expect(await make(t.as({ acme: "edit" }), { space: here })).toBe(403);
  expect(await make(t.as({ acme: "create" }), { space: here, level: "admin" })).toBe(403);
  expect(await make(t.as({ acme: null }), { space: here })).toBe(404);
  expect(await make(t.as({ beta: "admin" }), { space: here })).toBe(404);
  expect(await listed({ space: here })).toBeUndefined();
  expect((await admin.linkInvites.list({ organizationId, limit: 1, space: here })).count).toBe(0);
});

test("an invite to content that is gone admits nobody, and is neither shown nor changed, but removed", async () => {
  const [space, moved] = [await t.space(), await t.space()];
  const { id: collection } = await admin.collections.create({ organizationId });
  const links = [
    await admin.linkInvites.create({ organizationId, level: "edit", space }),
    await admin.linkInvites.create({ organizationId, level: "edit", space: moved }),
    await admin.linkInvites.create({ organizationId, level: "edit", collection }),
  ];
  await admin.spaces.remove({ spaceId: space });
  await admin.spaces.transfer({ spaceId: moved, organization: "beta" });
  await admin.collections.remove({ collectionId: collection });
  const eve = t.as({}, { id: "eve" });
  for (const { id: inviteId } of links) {
    const accepted = await refusal(eve.linkInvites.accept({ organizationId, inviteId }));
    expect([accepted?.status, accepted?.reason]).toEqual([404, "content_gone"]);
    expect((await refusal(admin.linkInvites.get({ organizationId, inviteId })))?.reason).toBe("content_gone");
    const change = admin.linkInvites.update({ organizationId, inviteId, level: "read" });
    expect((await refusal(change))?.reason).toBe("content_gone");
  }
  expect(t.directory.accepted).toEqual([]);
  await admin.spaces.restore({ spaceId: space });
  await eve.linkInvites.accept({ organizationId, inviteId: links[0]!.id });
  expect(t.directory.accepted).toEqual([links[0]!.id]);
  for (const { id: inviteId } of links) await admin.linkInvites.remove({ organizationId, inviteId });
  expect(await statusOf(admin.linkInvites.get({ organizationId, inviteId: links[0]!.id }))).toBe(404);
});

test("whoever accepts an invite is another caller at once; a service is invited nowhere", async () => {
  const { id: inviteId } = await admin.linkInvites.create({ organizationId, role: "read" });
  const ctx = t.context(t.user({}, { id: "eve" }));
  expect(await createCaller(router)(ctx).linkInvites.accept({ organizationId, inviteId })).toEqual({});
  expect(ctx.reply.headers).toEqual({ "x-octavo-identity-changed": "eve" });
  const service = createCaller(router)(t.ctx);
  expect(await statusOf(service.linkInvites.accept({ organizationId, inviteId }))).toBe(403);
  const unknown = admin.linkInvites.accept({ organizationId, inviteId: UNKNOWN });
  expect(await statusOf(unknown)).toBe(404);
});

test("a restricted token shares content only with the scopes of content besides those of its organization", async () => {
  const space = await t.space();
  const { id: inviteId } = await admin.linkInvites.create({ organizationId, level: "read", space });
  const scoped = (...scopes: string[]) =>
    createCaller(router)(t.context({ ...t.user({ acme: "admin" }), scopes } as never));
  const attempts = async (who: typeof admin) => [
    await statusOf(who.linkInvites.create({ organizationId, level: "read", space })),
    await statusOf(who.linkInvites.update({ organizationId, inviteId, level: "read" })),
    await statusOf(who.linkInvites.get({ organizationId, inviteId })),
    await statusOf(who.linkInvites.list({ organizationId, limit: 1, space })),
    await statusOf(who.linkInvites.create({ organizationId, role: "read" })),
  ];
  expect(await attempts(scoped("orgs:write"))).toEqual([403, 403, 403, 403, undefined]);
  const reading = await attempts(scoped("orgs:write", "content:read"));
  expect(reading).toEqual([403, 403, undefined, undefined, undefined]);
  const writing = await attempts(scoped("orgs:write", "content:write"));
  expect(writing).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const operations = operationsOf(router).filter(({ name }) => name.startsWith("linkInvites."));
  expect(operations.map(({ scopesOf }) => scopesOf)).toEqual(operations.map(() => "orgs"));
});

test.each<[body: object, paths: string[]]>([
  [{}, ["role"]],
  [{ role: "owner" }, ["role"]],
  [{ level: "read" }, ["role", "level"]],
  [{ space: "s" }, ["level"]],
  [{ role: "read", space: "s" }, ["level", "role"]],
  [{ level: "read", space: "s", collection: "c" }, ["collection"]],
  [{ level: "inherit", space: "" }, ["level", "space"]],
])("POST …/link-invites with %j is 400", async (body, paths) => {
  const refused = await refusal(admin.linkInvites.create({ organizationId, ...body }));
  expect([refused?.status, refused?.issues?.map(({ path }) => path)]).toEqual([400, paths]);
});

test("PATCH …/link-invites/{inviteId} takes what the link gives, and nothing else", async () => {
  const space = await t.space();
  const open = (await admin.linkInvites.create({ organizationId, role: "read" })).id;
  const content = (await admin.linkInvites.create({ organizationId, level: "read", space })).id;
  for (const [inviteId, body, path] of [
    [open, {}, "body.role"],
    [open, { level: "read" }, "body.role"],
    [open, { role: "read", level: "read" }, "body.level"],
    [open, { role: "owner" }, "role"],
    [content, { role: "read" }, "body.level"],
  ] as const) {
    const refused = await refusal(admin.linkInvites.update({ organizationId, inviteId, ...body } as never));
    expect([refused?.status, refused?.issues?.[0]?.path]).toEqual([400, path]);
  }
  const both = admin.linkInvites.list({ organizationId, limit: 1, space, collection: "c" });
  expect((await refusal(both))?.issues?.map(({ path }) => path)).toEqual(["collection"]);
});

test("a link that is wrong in several ways is refused with all of them at once", async () => {
  const wrong = { organizationId, role: "owner", space: "a", collection: "b" };
  const refused = await refusal(admin.linkInvites.create(wrong as never));
  const fields = refused?.issues?.map(({ path }: { path: string }) => path.split(".").at(-1)).sort();
  expect([refused?.status, fields]).toEqual([400, ["collection", "level", "role", "role"]]);
});
