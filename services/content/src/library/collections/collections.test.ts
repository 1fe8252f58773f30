import { errorBody } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const admin = () => t.as({ acme: "admin", beta: "admin" });
const stranger = () => t.as({ other: "admin" }, { id: "stranger" });
const create = (title: string, parent?: string, organizationId = "acme") =>
  admin().collections.create({ organizationId, title, parent });
const rowsOf = () => t.db.selectFrom("collection").selectAll().orderBy("id").execute();

test("POST /orgs/{organizationId}/collections returns the whole collection", async () => {
  const { id, ...made } = await create("Handbook");
  expect(made).toEqual({
    object: "collection",
    title: "Handbook",
    description: undefined,
    organization: "acme",
    parent: undefined,
    defaultLevel: "inherit",
    urls: { location: `http://octavo.test/v1/collections/${id}`, app: `http://app.test/c/${id}` },
    permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
  });
  const inside = await create("Inside", id);
  expect(inside.parent).toBe(id);
  expect(await t.as({ acme: "create" }).collections.create({ organizationId: "acme" })).toMatchObject({
    title: "",
  });
});

test("POST /orgs/{organizationId}/collections is 404 to a stranger, 403 below create, and writes nothing then", async () => {
  const parent = await create("Parent");
  const before = await rowsOf();
  const input = { organizationId: "acme", title: "No" };
  await expect(stranger().collections.create(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(t.as({ acme: "review" }).collections.create(input)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(t.as({ acme: null }).collections.create(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(
    t.as({ acme: null }).collections.create({ ...input, parent: parent.id }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const elsewhere = { organizationId: "beta", parent: parent.id };
  await expect(admin().collections.create(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin().collections.create({ ...input, parent: "unknown" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await rowsOf()).toEqual(before);
});

test("POST /orgs/{organizationId}/collections with a bad body is 400 and names everything", async () => {
  const before = await rowsOf();
  const bad = { organizationId: "acme", title: "x".repeat(51), parent: 7 as never };
  const error = await admin()
    .collections.create(bad)
    .catch((error) => error);
  const { status, body } = errorBody(error, "");
  expect(status).toBe(400);
  expect(body.error.issues?.map(({ path }) => path)).toEqual(["title", "parent"]);
  expect(await rowsOf()).toEqual(before);
});

test("POST /orgs/{organizationId}/collections nests twenty deep and no deeper", async () => {
  let parent: string | undefined;
  for (let depth = 0; depth < 20; depth++) parent = (await create(`${depth}`, parent)).id;
  await expect(create("too deep", parent)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("GET /collections/{collectionId} shows what the caller may do, and is 404 to strangers", async () => {
  const { id } = await create("Seen");
  expect(await t.as({ acme: "read" }).collections.get({ collectionId: id })).toMatchObject({
    id,
    permissions: { view: true, admin: false, viewInviteLinks: false, create: false },
  });
  for (const caller of [stranger(), t.as({ acme: null })]) {
    await expect(caller.collections.get({ collectionId: id })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Collection: not found",
    });
  }
  await expect(admin().collections.get({ collectionId: "unknown" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("GET /orgs/{organizationId}/collections pages through what the caller may read, siblings in order", async () => {
  const organizationId = "listed";
  const as = t.as({ listed: "admin" });
  const [one, two] = [
    await as.collections.create({ organizationId, title: "one" }),
    await as.collections.create({ organizationId, title: "two" }),
  ];
  const inner = await as.collections.create({ organizationId, title: "inner", parent: one.id });
  const closed = await as.collections.create({ organizationId, title: "closed" });
  await as.collections.update({ collectionId: closed.id, defaultLevel: null });
  const below = await as.collections.create({ organizationId, title: "below", parent: closed.id });

  const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title).sort();
  expect(titles(await as.collections.list({ organizationId }))).toEqual([
    "below",
    "closed",
    "inner",
    "one",
    "two",
  ]);
  const reader = t.as({ listed: "read" }, { id: "reader" });
  expect(titles(await reader.collections.list({ organizationId }))).toEqual(["inner", "one", "two"]);
  const top = await as.collections.list({ organizationId, nested: false });
  expect(top.items.map(({ id }) => id)).toEqual([one.id, two.id, closed.id]);

  const first = await as.collections.list({ organizationId, nested: false, limit: 2 });
  const last = await as.collections.list({ organizationId, nested: false, limit: 2, page: first.next?.page });
  expect([...first.items, ...last.items].map(({ id }) => id)).toEqual([one.id, two.id, closed.id]);
  expect([first.count, last.count, last.next]).toEqual([3, 3, undefined]);

  await t.db
    .insertInto("content_grant")
    .values({
      target: below.id,
      subject: "team-1",
      subject_kind: "team",
      organization: "listed",
      role: "edit",
    })
    .execute();
  const guest = t.as({ listed: null }, { id: "guest", teams: ["team-1"] });
  expect(titles(await guest.collections.list({ organizationId }))).toEqual(["below"]);
  expect(inner.parent).toBe(one.id);
  await expect(stranger().collections.list({ organizationId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(as.collections.list({ organizationId, limit: 1001 })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(as.collections.list({ organizationId, page: "?" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("PATCH /collections/{collectionId} changes what is named and leaves the rest", async () => {
  const { id: collectionId } = await create("Old");
  const described = await admin().collections.update({ collectionId, description: "About us" });
  expect(described).toMatchObject({ title: "Old", description: "About us", defaultLevel: "inherit" });
  const closed = await admin().collections.update({ collectionId, title: "New", defaultLevel: null });
  expect(closed).toMatchObject({ title: "New", description: "About us", defaultLevel: null });
  expect(await admin().collections.update({ collectionId })).toMatchObject({
    title: "New",
    defaultLevel: null,
  });
});

test("PATCH /collections/{collectionId} by a stranger is 404, below create 403, with a bad body 400", async () => {
  const { id: collectionId } = await create("Kept");
  const input = { collectionId, title: "Lost" };
  await expect(stranger().collections.update(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(t.as({ acme: "review" }).collections.update(input)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const bad = { collectionId, title: 5, description: "x".repeat(101), defaultLevel: "owner" } as never;
  const error = await admin()
    .collections.update(bad)
    .catch((error) => error);
  expect(errorBody(error, "").body.error.issues?.map(({ path }) => path)).toEqual([
    "title",
    "description",
    "defaultLevel",
  ]);
  expect(await admin().collections.get({ collectionId })).toMatchObject({ title: "Kept" });
});

test("DELETE /collections/{collectionId} takes what is below with it, and its spaces to the trash", async () => {
  const outer = await create("Outer");
  const inner = await create("Inner", outer.id);
  const beside = await admin().spaces.create({ organizationId: "acme", title: "beside" });
  const inside = await admin().spaces.create({ organizationId: "acme", title: "inside", parent: inner.id });
  await stranger().collections.remove({ collectionId: outer.id });
  await expect(t.as({ acme: "review" }).collections.remove({ collectionId: outer.id })).rejects.toMatchObject(
    {
      code: "FORBIDDEN",
    },
  );
  expect(await admin().collections.remove({ collectionId: outer.id })).toBeUndefined();
  expect(await admin().collections.remove({ collectionId: outer.id })).toBeUndefined();
  expect(await admin().collections.remove({ collectionId: "unknown" })).toBeUndefined();
  for (const collectionId of [outer.id, inner.id]) {
    await expect(admin().collections.get({ collectionId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await admin().spaces.get({ spaceId: inside.id })).toMatchObject({
    deletedAt: expect.any(String),
    parent: undefined,
  });
  expect(await admin().spaces.get({ spaceId: beside.id })).toMatchObject({ deletedAt: undefined });
  expect(await t.emitted("content.space.deleted")).toEqual([{ space: inside.id, organization: "acme" }]);
  expect(await admin().spaces.restore({ spaceId: inside.id })).toMatchObject({ visibility: "private" });
});

test("DELETE /collections/{collectionId} opens to nobody what the collection closed", async () => {
  const closed = await create("Closed");
  const nested = await create("Nested", closed.id);
  const space = (parent: string) =>
    admin().spaces.create({ organizationId: "acme", title: "Secret", parent });
  const [inside, trashed, open] = [await space(nested.id), await space(closed.id), await space(closed.id)];
  await admin().collections.update({ collectionId: closed.id, defaultLevel: null });
  await admin().spaces.update({ spaceId: open.id, defaultLevel: "read" });
  await admin().spaces.remove({ spaceId: trashed.id });
  await admin().collections.remove({ collectionId: closed.id });
  const member = t.as({ acme: "create" }, { id: "member" });
  for (const { id: spaceId } of [inside, trashed]) {
    await expect(member.spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(member.spaces.restore({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await admin().spaces.restore({ spaceId })).toMatchObject({
      defaultLevel: null,
      parent: undefined,
    });
    await expect(member.content.pages({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await admin().spaces.restore({ spaceId: open.id })).toMatchObject({ defaultLevel: "read" });
  const plain = await create("Plain");
  const { id: spaceId } = await space(plain.id);
  await admin().collections.remove({ collectionId: plain.id });
  expect(await member.spaces.restore({ spaceId })).toMatchObject({ defaultLevel: "inherit" });
});
