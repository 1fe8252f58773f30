import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prefixOf } from "../../lexemes/lexemes.js";
import { contentTest } from "../../testing/content.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const both = () => t.as({ acme: "create", beta: "create" });
const create = (title: string, parent?: string) =>
  both().spaces.create({ organizationId: "acme", title, parent });
const grant = (target: string) =>
  t.db
    .insertInto("content_grant")
    .values({ target, subject: "friend", subject_kind: "user", organization: "acme", role: "edit" })
    .execute();
const grants = async (target: string) =>
  (await t.db.selectFrom("content_grant").selectAll().where("target", "=", target).execute()).length;
const eventsOf = async (name: string, id: string) =>
  (await t.emitted(name)).filter((event) => Object.values(event as object).includes(id));

/** A git operation that runs until the returned function is called. */
async function gitOperation(space: string) {
  const id = newId();
  const row = { id, space, request: "", revision: null, error: null, created_by: "user-1" };
  await t.db
    .insertInto("git_operation")
    .values({ ...row, direction: "import" })
    .execute();
  return () => t.db.updateTable("git_operation").set({ state: "success" }).where("id", "=", id).execute();
}

test("POST /spaces/{spaceId}/transfer gives the space to the other organization, at its top level", async () => {
  const { id: parent } = await both().collections.create({ organizationId: "acme", title: "Team" });
  const { id: spaceId } = await create("Guide", parent);
  await t.as({ acme: "admin" }).spaces.update({ spaceId, defaultLevel: null });
  await grant(spaceId);
  const git = JSON.stringify({ integration: "github", url: "https://example.com" });
  await t.db.updateTable("space").set({ git }).where("id", "=", spaceId).execute();
  await t.db
    .insertInto("search_page")
    .values({
      space: spaceId,
      page: "p",
      organization: "acme",
      terms: `'${prefixOf("acme")}heron' ':org:acme' ':space:x'`,
    })
    .execute();

  const moved = await both().spaces.transfer({ spaceId, organization: "beta" });
  expect(moved).toMatchObject({
    id: spaceId,
    organization: "beta",
    defaultLevel: "inherit",
    visibility: "private",
  });
  expect([moved.parent, moved.gitSync]).toEqual([undefined, undefined]);
  expect(await grants(spaceId)).toBe(0);
  expect(await eventsOf("content.space.transferred", spaceId)).toEqual([
    { space: spaceId, from: "acme", to: "beta" },
  ]);
  const indexed = await t.db
    .selectFrom("search_page")
    .select(["organization", "terms"])
    .where("space", "=", spaceId)
    .executeTakeFirst();
  expect(indexed).toMatchObject({ organization: "beta" });
  expect(indexed!.terms.split(" ").sort()).toEqual(
    [`'${prefixOf("beta")}heron'`, "':org:beta'", "':space:x'"].sort(),
  );
  await expect(t.as({ acme: "admin" }).spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await t.as({ beta: "read" }).spaces.get({ spaceId })).toMatchObject({ id: spaceId });
});

test("POST /spaces/{spaceId}/transfer needs create in both organizations", async () => {
  const { id: spaceId } = await create("Stays");
  const attempts = [
    [t.as({ beta: "admin" }), "NOT_FOUND"],
    [t.as({ acme: "review", beta: "admin" }), "FORBIDDEN"],
    [t.as({ acme: "admin" }), "NOT_FOUND"],
    [t.as({ acme: "admin", beta: "review" }), "FORBIDDEN"],
  ] as const;
  for (const [caller, code] of attempts) {
    await expect(caller.spaces.transfer({ spaceId, organization: "beta" })).rejects.toMatchObject({ code });
  }
  await expect(both().spaces.transfer({ spaceId, organization: "acme" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  await expect(both().spaces.transfer({ spaceId } as never)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(both().spaces.transfer({ spaceId: "unknown", organization: "beta" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await both().spaces.get({ spaceId })).toMatchObject({ organization: "acme" });
  expect(await eventsOf("content.space.transferred", spaceId)).toEqual([]);
});

test("POST /spaces/{spaceId}/transfer is 412 while a git operation runs, and goes on after it", async () => {
  const { id: spaceId } = await create("Busy");
  const finishFirst = await gitOperation(spaceId);
  await finishFirst();
  const finish = await gitOperation(spaceId);
  await expect(both().spaces.transfer({ spaceId, organization: "beta" })).rejects.toMatchObject({
    code: "PRECONDITION_FAILED",
  });
  expect(await both().spaces.get({ spaceId })).toMatchObject({ organization: "acme" });
  await finish();
  expect(await both().spaces.transfer({ spaceId, organization: "beta" })).toMatchObject({
    organization: "beta",
  });
});

test("transfers of a space at one time leave it with one owner, and events that lead there", async () => {
  for (let round = 0; round < 5; round++) {
    const { id: spaceId } = await create("Wanted");
    const everywhere = t.as({ acme: "admin", beta: "admin", gamma: "admin" });
    await Promise.allSettled(
      ["beta", "gamma", "beta"].map((organization) => everywhere.spaces.transfer({ spaceId, organization })),
    );
    const { organization } = await everywhere.spaces.get({ spaceId });
    const steps = (await eventsOf("content.space.transferred", spaceId)) as { from: string; to: string }[];
    expect(steps.map(({ from }) => from)).toEqual(["acme", ...steps.slice(0, -1).map(({ to }) => to)]);
    expect(steps.at(-1)!.to).toBe(organization);
  }
});

test("POST /collections/{collectionId}/transfer takes all that lies in it along", async () => {
  const organizationId = "acme";
  const outer = await both().collections.create({ organizationId, title: "outer" });
  const top = await both().collections.create({ organizationId, title: "top", parent: outer.id });
  const inner = await both().collections.create({ organizationId, title: "inner", parent: top.id });
  await both().collections.update({ collectionId: top.id, defaultLevel: "create" });
  await both().collections.update({ collectionId: inner.id, defaultLevel: null });
  const [one, two, outside] = [
    await create("one", top.id),
    await create("two", inner.id),
    await create("three", outer.id),
  ];
  const trashed = await create("four", inner.id);
  await both().spaces.remove({ spaceId: trashed.id });
  for (const target of [top.id, inner.id, two.id]) await grant(target);

  const moved = await both().collections.transfer({ collectionId: top.id, organization: "beta" });
  expect(moved).toMatchObject({ organization: "beta", parent: undefined, defaultLevel: "inherit" });
  const admin = t.as({ beta: "admin" });
  expect(await admin.collections.get({ collectionId: inner.id })).toMatchObject({
    parent: top.id,
    defaultLevel: null,
  });
  expect((await admin.spaces.listInCollection({ collectionId: inner.id })).items.map(({ id }) => id)).toEqual(
    [two.id],
  );
  expect(await admin.spaces.restore({ spaceId: trashed.id })).toMatchObject({
    organization: "beta",
    parent: inner.id,
  });
  await expect(t.as({ beta: "read" }, { id: "x" }).spaces.get({ spaceId: two.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await both().spaces.get({ spaceId: outside.id })).toMatchObject({ organization: "acme" });
  expect(await Promise.all([top.id, inner.id, two.id].map(grants))).toEqual([0, 0, 0]);
  const spaces = [one.id, two.id, trashed.id].sort();
  expect(await eventsOf("content.collection.transferred", top.id)).toEqual([
    { collection: top.id, spaces, from: "acme", to: "beta" },
  ]);
  for (const space of spaces) {
    expect(await eventsOf("content.space.transferred", space)).toEqual([{ space, from: "acme", to: "beta" }]);
  }
  const line = await t.db
    .selectFrom("collection")
    .select("ancestors")
    .where("id", "=", inner.id)
    .executeTakeFirst();
  expect(line).toEqual({ ancestors: [top.id] });
});

test("POST /collections/{collectionId}/transfer refuses like that of a space, and then moves nothing", async () => {
  const { id: collectionId } = await both().collections.create({ organizationId: "acme", title: "kept" });
  const inside = await create("inside", collectionId);
  const organization = "beta";
  await expect(
    t.as({ beta: "admin" }).collections.transfer({ collectionId, organization }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    t.as({ acme: "review", beta: "admin" }).collections.transfer({ collectionId, organization }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(
    t.as({ acme: "admin", beta: "read" }).collections.transfer({ collectionId, organization }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(both().collections.transfer({ collectionId, organization: "acme" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  await gitOperation(inside.id);
  await expect(both().collections.transfer({ collectionId, organization })).rejects.toMatchObject({
    code: "PRECONDITION_FAILED",
  });
  expect(await both().collections.get({ collectionId })).toMatchObject({ organization: "acme" });
  expect(await both().spaces.get({ spaceId: inside.id })).toMatchObject({ organization: "acme" });
});
