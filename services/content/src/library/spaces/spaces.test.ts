import { errorBody } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const admin = () => t.as({ acme: "admin" });
const stranger = () => t.as({ other: "admin" }, { id: "stranger" });
const create = (title: string, parent?: string) =>
  admin().spaces.create({ organizationId: "acme", title, parent });
const spaceCount = async () => (await t.db.selectFrom("space").select("id").execute()).length;
const grant = (target: string, subject: string, role: "read" | "create") =>
  t.db
    .insertInto("content_grant")
    .values({ target, subject, subject_kind: "user", organization: "acme", role })
    .execute();

const MINE = {
  view: true,
  access: true,
  admin: true,
  viewInviteLinks: true,
  edit: true,
  triggerGitSync: true,
  comment: true,
  merge: true,
  review: true,
  installIntegration: true,
};

test("POST /orgs/{organizationId}/spaces returns the whole space, with a first revision and no pages", async () => {
  const input = {
    organizationId: "acme",
    title: "Guide",
    emoji: "1f3e0",
    language: "pt-br",
    editMode: "live" as const,
  };
  const { id, createdAt, ...made } = await t.as({ acme: "create" }).spaces.create(input);
  expect(JSON.parse(JSON.stringify(made))).toEqual({
    object: "space",
    title: "Guide",
    emoji: "1f3e0",
    visibility: "private",
    updatedAt: createdAt,
    editMode: "live",
    urls: { location: `http://octavo.test/v1/spaces/${id}`, app: `http://app.test/s/${id}` },
    organization: "acme",
    language: "pt-br",
    revision: expect.any(String),
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: MINE,
  });
  expect(await t.as({ acme: "read" }).content.pages({ spaceId: id })).toEqual({ pages: [] });
  const first = await t.as({ acme: "read" }).content.revision({ spaceId: id });
  expect(first).toMatchObject({ id: made.revision, type: "edits", parents: [] });
  expect(await t.emitted("content.space.created")).toEqual([{ space: id, organization: "acme" }]);
  const person = t.db.selectFrom("person").select("display_name").where("id", "=", "user-1");
  expect(await person.executeTakeFirst()).toEqual({ display_name: "Name of user-1" });
  const bare = await admin().spaces.create({ organizationId: "acme" });
  expect(bare).toMatchObject({ title: "", emoji: "", editMode: "locked" });
});

test("POST /orgs/{organizationId}/spaces in a collection needs create there, and no more", async () => {
  const { id: parent } = await admin().collections.create({ organizationId: "acme", title: "Team" });
  const member = t.as({ acme: "read" }, { id: "member" });
  const input = { organizationId: "acme", parent };
  await expect(member.spaces.create(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await grant(parent, "member", "create");
  expect(await member.spaces.create(input)).toMatchObject({ parent, visibility: "in-collection" });
  await expect(member.spaces.create({ organizationId: "acme" })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("POST /orgs/{organizationId}/spaces refuses strangers, unknown parents, bad bodies, and what is not there yet", async () => {
  const before = await spaceCount();
  const organizationId = "acme";
  await expect(stranger().spaces.create({ organizationId })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Organization: not found",
  });
  await expect(admin().spaces.create({ organizationId, parent: "unknown" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const bad = { organizationId, title: "x".repeat(51), emoji: 1, language: "xx", editMode: "open" } as never;
  const error = await admin()
    .spaces.create(bad)
    .catch((error) => error);
  expect(errorBody(error, "").status).toBe(400);
  expect(errorBody(error, "").body.error.issues?.map(({ path }) => path)).toEqual([
    "title",
    "emoji",
    "language",
    "editMode",
  ]);
  const computedSource = { type: "builtin:other" };
  await expect(admin().spaces.create({ organizationId, computedSource } as never)).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  const template = { id: "unknown" };
  await expect(admin().spaces.create({ organizationId, template })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await spaceCount()).toBe(before);
});

test("GET /spaces/{spaceId} returns what the caller may do", async () => {
  const { id: spaceId } = await create("Mine");
  const read = await t.as({ acme: "read" }).spaces.get({ spaceId, shareKey: "whatever" });
  expect(Object.entries(read.permissions).filter(([, may]) => may)).toEqual([
    ["view", true],
    ["access", true],
  ]);
  const review = await t.as({ acme: "review" }).spaces.get({ spaceId });
  expect(review.permissions).toMatchObject({
    comment: true,
    edit: true,
    merge: true,
    review: true,
    admin: false,
  });
  for (const caller of [stranger(), t.as({ acme: null })]) {
    await expect(caller.spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await expect(admin().spaces.get({ spaceId: "unknown" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("GET /spaces/{spaceId}: a grant goes before the default level, and that before what is around", async () => {
  const { id: parent } = await admin().collections.create({ organizationId: "acme", title: "Closed" });
  await admin().collections.update({ collectionId: parent, defaultLevel: null });
  const { id: spaceId } = await create("Inside", parent);
  const reader = t.as({ acme: "review" }, { id: "reader" });
  await expect(reader.spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await grant(parent, "reader", "read");
  expect((await reader.spaces.get({ spaceId })).permissions.edit).toBe(false);
  await admin().spaces.update({ spaceId, defaultLevel: "edit" });
  expect((await reader.spaces.get({ spaceId })).permissions).toMatchObject({ edit: true, review: false });
  await grant(spaceId, "reader", "create");
  expect((await reader.spaces.get({ spaceId })).permissions.admin).toBe(true);
});

test("GET /orgs/{organizationId}/spaces lists exactly what GET /spaces/{spaceId} shows", async () => {
  const organizationId = "many";
  const as = t.as({ many: "create" }, { id: "maker" });
  const collection = await as.collections.create({ organizationId, title: "c" });
  const closed = await as.collections.create({ organizationId, title: "closed" });
  const ids: string[] = [];
  for (const parent of [undefined, collection.id, closed.id]) {
    for (const defaultLevel of ["inherit", null, "read"] as const) {
      const { id: spaceId } = await as.spaces.create({ organizationId, parent });
      if (defaultLevel !== "inherit") await as.spaces.update({ spaceId, defaultLevel });
      ids.push(spaceId);
    }
  }
  await as.collections.update({ collectionId: closed.id, defaultLevel: null });
  await grant(ids[1]!, "granted", "read");
  await grant(closed.id, "granted", "read");
  const callers = [
    as,
    t.as({ many: "admin" }),
    t.as({ many: "read" }, { id: "anybody" }),
    t.as({ many: "comment" }, { id: "granted" }),
    t.as({ many: null }, { id: "granted" }),
  ];
  for (const caller of callers) {
    const shown: string[] = [];
    for (const spaceId of ids)
      await caller.spaces
        .get({ spaceId })
        .then(({ id }) => shown.push(id))
        .catch(() => 0);
    const page = await caller.spaces.list({ organizationId });
    expect(page.items.map(({ id }) => id).sort()).toEqual(shown.sort());
    expect(page.count).toBe(shown.length);
    const looked = await caller.spaces.lookup({ ids: [...ids, "unknown"] });
    expect(looked.map(({ id }) => id).sort()).toEqual(shown);
  }
  await expect(stranger().spaces.list({ organizationId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await stranger().spaces.lookup({ ids })).toEqual([]);
  const service = createCaller(router)(t.context({ kind: "service", service: "sites" }));
  const all = await service.spaces.lookup({ ids });
  expect(all.map(({ id, permissions }) => [id, permissions.admin])).toEqual(
    ids.sort().map((id) => [id, true]),
  );
  const inside = await t.as({ many: "read" }).spaces.listInCollection({ collectionId: collection.id });
  expect(inside.items.map(({ id }) => id)).toEqual([ids[3], ids[5]]);
  await expect(
    t.as({ many: "read" }).spaces.listInCollection({ collectionId: closed.id }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("GET /orgs/{organizationId}/spaces pages without a gap while spaces come and go", async () => {
  const organizationId = "paged";
  const as = t.as({ paged: "admin" });
  const make = async () => (await as.spaces.create({ organizationId })).id;
  const stay: string[] = [];
  for (let n = 0; n < 7; n++) stay.push(await make());
  const gone = await make();
  const seen: string[] = [];
  for (let page: string | undefined, first = true; first || page; first = false) {
    const response = await as.spaces.list({ organizationId, limit: 3, page });
    seen.push(...response.items.map(({ id }) => id));
    page = response.next?.page;
    if (first) await as.spaces.remove({ spaceId: gone });
    await make();
    if (seen.length > 30) break;
  }
  expect(seen.slice(0, 7)).toEqual(stay);
  expect(new Set(seen).size).toBe(seen.length);
  expect(await as.spaces.list({ organizationId, limit: 0 })).toEqual({ items: [], count: 10 });
});

test("PATCH /spaces/{spaceId} changes what is named; null and absence differ", async () => {
  const { id: spaceId } = await create("Old");
  const update = (input: object) => admin().spaces.update({ spaceId, ...input });
  expect(await update({ title: "New", emoji: "🎉" })).toMatchObject({ title: "New", emoji: "🎉" });
  expect(await update({ language: "ja" })).toMatchObject({ title: "New", emoji: "🎉", language: "ja" });
  const icon = "https://example.com/icon.png";
  expect(await update({ icon })).toMatchObject({ emoji: "", urls: { icon } });
  expect((await update({})).urls.icon).toBe(icon);
  expect((await update({ emoji: null, icon: null })).urls.icon).toBeUndefined();
  expect(await update({ defaultLevel: null })).toMatchObject({ defaultLevel: null, title: "New" });
  expect(await update({ editMode: "live" })).toMatchObject({ defaultLevel: null, editMode: "live" });
});

test("PATCH /spaces/{spaceId} refuses strangers, too little permission, and bad bodies", async () => {
  const { id: spaceId } = await create("Kept");
  const input = { spaceId, title: "Lost" };
  await expect(stranger().spaces.update(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(t.as({ acme: "review" }).spaces.update(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const bad = {
    spaceId,
    title: null,
    language: null,
    defaultLevel: "none",
    emoji: "x".repeat(51),
    icon: "x",
  } as never;
  const error = await admin()
    .spaces.update(bad)
    .catch((error) => error);
  expect(
    errorBody(error, "")
      .body.error.issues?.map(({ path }) => path)
      .sort(),
  ).toEqual(["defaultLevel", "emoji", "icon", "language", "title"]);
  const both = { spaceId, emoji: "🎉", icon: "https://example.com/a.png" };
  await expect(admin().spaces.update(both)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await admin().spaces.get({ spaceId })).toMatchObject({ title: "Kept", emoji: "" });
});

test("PATCH /spaces/{spaceId} to live edits is 409 while the space is in sync with git", async () => {
  const { id: spaceId } = await create("Synced");
  const git = JSON.stringify({ url: "https://example.com/repo" });
  await t.db.updateTable("space").set({ git }).where("id", "=", spaceId).execute();
  await expect(admin().spaces.update({ spaceId, editMode: "live" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await admin().spaces.get({ spaceId })).toMatchObject({
    editMode: "locked",
    gitSync: JSON.parse(git),
  });
});
