import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const stranger = () => t.as({ other: "admin" }, { id: "stranger" });
const space = (id: string) => ({ type: "space" as const, space: id });
const collection = (id: string) => ({ type: "collection" as const, collection: id });

/** An organization of its own with collections a, b (in a), c (in b) and spaces x, y, z at the top. */
let organizations = 0;
async function house() {
  const organizationId = `house${++organizations}`;
  const as = t.as({ [organizationId]: "admin" });
  const makeCollection = async (title: string, parent?: string) =>
    (await as.collections.create({ organizationId, title, parent })).id;
  const makeSpace = async (title: string, parent?: string) =>
    (await as.spaces.create({ organizationId, title, parent })).id;
  const a = await makeCollection("a");
  const b = await makeCollection("b", a);
  const c = await makeCollection("c", b);
  const [x, y, z] = [await makeSpace("x"), await makeSpace("y"), await makeSpace("z")];
  /** The titles of everything at the top, in the one order of spaces and collections. */
  async function top() {
    const spaces = t.db.selectFrom("space").select(["title", "position"]).where("parent", "is", null);
    const rows = await spaces
      .where("organization", "=", organizationId)
      .where("deleted_at", "is", null)
      .unionAll(
        t.db
          .selectFrom("collection")
          .select(["title", "position"])
          .where("parent", "is", null)
          .where("organization", "=", organizationId),
      )
      .orderBy("position")
      .execute();
    expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length);
    return rows.map(({ title }) => title).join("");
  }
  const ancestorsOf = async (id: string) =>
    (await t.db.selectFrom("collection").select("ancestors").where("id", "=", id).executeTakeFirstOrThrow())
      .ancestors;
  return { organizationId, as, makeCollection, makeSpace, a, b, c, x, y, z, top, ancestorsOf };
}

test("POST /spaces/{spaceId}/move puts a space before, behind or at the end", async () => {
  const { as, top, a, x, y, z } = await house();
  expect(await top()).toBe("axyz");
  await as.spaces.move({ spaceId: z, position: { before: space(x) } });
  expect(await top()).toBe("azxy");
  await as.spaces.move({ spaceId: y, parent: null, position: { after: collection(a) } });
  expect(await top()).toBe("ayzx");
  await as.spaces.move({ spaceId: y, position: { before: collection(a) } });
  expect(await top()).toBe("yazx");
  await as.spaces.move({ spaceId: z, position: { after: space(x) } });
  expect(await top()).toBe("yaxz");
  await as.spaces.move({ spaceId: a, position: {} }).catch(() => undefined);
  await as.spaces.move({ spaceId: y });
  expect(await top()).toBe("axzy");
  const listed = await as.spaces.list({ organizationId: (await as.spaces.get({ spaceId: x })).organization });
  expect(listed.items.map(({ id }) => id)).toEqual([x, z, y]);
});

test("POST /spaces/{spaceId}/move into a collection and out of it", async () => {
  const { as, top, b, x, y } = await house();
  const inside = await as.spaces.move({ spaceId: x, parent: b });
  expect(inside).toMatchObject({ parent: b, visibility: "in-collection" });
  await as.spaces.move({ spaceId: y, parent: b, position: { before: space(x) } });
  const listed = await as.spaces.listInCollection({ collectionId: b });
  expect(listed.items.map(({ id }) => id)).toEqual([y, x]);
  expect(await as.spaces.move({ spaceId: y })).toMatchObject({ parent: b });
  expect(await top()).toBe("az");
  expect(await as.spaces.move({ spaceId: x, parent: null })).toMatchObject({
    parent: undefined,
    visibility: "private",
  });
  expect(await top()).toBe("azx");
});

test("POST /spaces/{spaceId}/move to a place that is none is 400 and changes nothing", async () => {
  const { as, makeSpace, top, a, b, x, y, z } = await house();
  const within = await makeSpace("within", b);
  await as.spaces.remove({ spaceId: z });
  for (const position of [
    { before: space(y), after: space(y) },
    { before: space(x) },
    { after: space("unknown") },
    { before: space(within) },
    { after: space(z) },
    { after: collection(b) },
    { before: space(a) },
  ]) {
    await expect(as.spaces.move({ spaceId: x, position })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  await expect(as.spaces.move({ spaceId: x, parent: "unknown" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const other = await house();
  const both = t.as({
    [other.organizationId]: "admin",
    [(await as.spaces.get({ spaceId: x })).organization]: "admin",
  });
  await expect(both.spaces.move({ spaceId: x, parent: other.a })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(both.spaces.move({ spaceId: x, position: { after: space(other.x) } })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await top()).toBe("axy");
});

test("POST /spaces/{spaceId}/move by a stranger is 404, and needs create at both ends", async () => {
  const { as, organizationId, a, x } = await house();
  await expect(stranger().spaces.move({ spaceId: x })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const reviewer = t.as({ [organizationId]: "review" }, { id: "reviewer" });
  await expect(reviewer.spaces.move({ spaceId: x })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const grant = {
    subject: "reviewer",
    subject_kind: "user" as const,
    organization: organizationId,
    role: "create" as const,
  };
  await t.db
    .insertInto("content_grant")
    .values({ target: x, ...grant })
    .execute();
  await expect(reviewer.spaces.move({ spaceId: x, parent: a })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await t.db
    .insertInto("content_grant")
    .values({ target: a, ...grant })
    .execute();
  expect(await reviewer.spaces.move({ spaceId: x, parent: a })).toMatchObject({ parent: a });
  await as.collections.update({ collectionId: a, defaultLevel: null });
  await expect(reviewer.spaces.move({ spaceId: x, parent: null })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("POST /collections/{collectionId}/move takes along what is below, and nothing else", async () => {
  const { as, makeCollection, top, ancestorsOf, a, b, c, x } = await house();
  const d = await makeCollection("d", b);
  const away = await makeCollection("e");
  const moved = await as.collections.move({ collectionId: b, parent: null, position: { after: space(x) } });
  expect(moved.parent).toBeUndefined();
  expect(await top()).toBe("axbyze");
  expect(await Promise.all([a, b, c, d, away].map(ancestorsOf))).toEqual([[], [], [b], [b], []]);
  await as.collections.move({ collectionId: b, parent: away });
  expect(await Promise.all([b, c, d].map(ancestorsOf))).toEqual([[away], [away, b], [away, b]]);
  await as.collections.move({ collectionId: d, position: { before: collection(c) } });
  expect(await Promise.all([b, c, d].map(ancestorsOf))).toEqual([[away], [away, b], [away, b]]);
});

test("POST /collections/{collectionId}/move under itself is 409, to no place 400, by a stranger 404", async () => {
  const { as, organizationId, makeCollection, ancestorsOf, a, b, c, x } = await house();
  for (const parent of [a, b, c]) {
    await expect(as.collections.move({ collectionId: a, parent })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  }
  const position = { after: space(x) };
  await expect(
    as.collections.move({ collectionId: a, parent: null, position: { before: collection(a) } }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(as.collections.move({ collectionId: b, position })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(stranger().collections.move({ collectionId: a })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    t.as({ [organizationId]: "review" }).collections.move({ collectionId: a }),
  ).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  let deep = await makeCollection("deep");
  for (let depth = 2; depth <= 18; depth++) deep = await makeCollection(`${depth}`, deep);
  await expect(as.collections.move({ collectionId: a, parent: deep })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await as.collections.move({ collectionId: b, parent: deep });
  expect(await ancestorsOf(c)).toHaveLength(19);
});

test("moves at one time keep one order without two in one place", async () => {
  const { as, makeSpace, top, organizationId, a } = await house();
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => makeSpace(String.fromCharCode(65 + n))));
  const order = await top();
  expect([...order].sort().join("")).toBe("ABCDEFGHIJKLaxyz");
  await Promise.all(ids.map((spaceId) => as.spaces.move({ spaceId, position: { after: collection(a) } })));
  expect([...(await top())].sort().join("")).toBe("ABCDEFGHIJKLaxyz");
  expect((await top()).at(0)).toBe("a");
  const { items } = await as.spaces.list({ organizationId });
  expect(items).toHaveLength(15);
});

test("collections that move into each other at one time never close a circle", async () => {
  for (let round = 0; round < 5; round++) {
    const { as, makeCollection, ancestorsOf, a } = await house();
    const d = await makeCollection("d");
    const outcomes = await Promise.allSettled([
      as.collections.move({ collectionId: a, parent: d }),
      as.collections.move({ collectionId: d, parent: a }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect([...(await ancestorsOf(a)), ...(await ancestorsOf(d))]).toHaveLength(1);
  }
});

test("a space that is put into a collection while it goes away ends in the trash or stays outside", async () => {
  for (let round = 0; round < 5; round++) {
    const { as, a, x, makeSpace } = await house();
    const [moved, made] = await Promise.allSettled([
      as.spaces.move({ spaceId: x, parent: a }),
      makeSpace("late", a),
      as.collections.remove({ collectionId: a }),
    ]);
    const { parent, deletedAt } = await as.spaces.get({ spaceId: x });
    expect(parent).toBeUndefined();
    expect(deletedAt === undefined).toBe(moved.status === "rejected");
    if (made.status === "fulfilled")
      expect(await as.spaces.get({ spaceId: made.value })).toHaveProperty("deletedAt", expect.any(String));
  }
});
