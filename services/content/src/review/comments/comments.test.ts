import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });
const bob = t.as({ acme: "comment" }, { id: "bob" });
const reader = t.as({ acme: "read" }, { id: "reader" });
const creator = t.as({ acme: "create" }, { id: "creator" });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });

test.each(mounts)(
  "a comment on $what is posted, read, edited, resolved, reopened and deleted",
  async (mount) => {
    const { at, spaceId, target } = await furnish(t, mount);
    const mine = mount.of(ada);
    const posted = await mine.post({ ...at, body: text("First *words*") });
    expect(posted).toEqual({
      object: "comment",
      id: expect.any(String),
      status: "open",
      postedBy: {
        object: "user",
        id: "ada",
        displayName: "Name of ada",
        urls: { location: "http://octavo.test/v1/users/ada" },
      },
      postedAt: expect.stringMatching(/Z$/),
      reactions: [],
      replies: 0,
      body: { markdown: "First *words*" },
      target: { space: spaceId, revision: expect.any(String), ...target },
      urls: { location: `${mount.location(at)}/comments/${posted.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    const one = { ...at, commentId: posted.id };
    expect(await mine.get(one)).toEqual(posted);
    const edited = await mine.update({ ...one, body: text("Second") });
    expect(edited).toEqual({ ...posted, body: text("Second"), editedAt: expect.stringMatching(/Z$/) });
    const resolved = await mount.of(bob).update({ ...one, resolved: true });
    expect(resolved).toMatchObject({
      status: "resolved",
      resolvedBy: { id: "bob", displayName: "Name of bob" },
      resolvedAt: expect.stringMatching(/Z$/),
      editedAt: edited.editedAt,
      permissions: { edit: false, reply: true, delete: false },
    });
    expect(await mine.update({ ...one, resolved: true })).toMatchObject({ resolvedBy: { id: "bob" } });
    expect(await mine.update({ ...one, resolved: false })).toEqual(edited);
    await mine.remove(one);
    await mine.remove(one);
    await expect(mine.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await mine.list(at)).toEqual({ items: [], count: 0 });
  },
);

test("a space and its change requests have comments of their own", async () => {
  const [space, changeRequest] = mounts;
  const { at } = await furnish(t, changeRequest);
  const { id: here } = await space.of(ada).post({ ...at, body: text("On the space") });
  const { id: there } = await changeRequest.of(ada).post({ ...at, body: text("On the request") });
  expect((await space.of(ada).list(at)).items.map(({ id }) => id)).toEqual([here]);
  expect((await changeRequest.of(ada).list(at)).items.map(({ id }) => id)).toEqual([there]);
  for (const [mount, commentId] of [
    [space, there],
    [changeRequest, here],
  ] as const) {
    await expect(mount.of(ada).get({ ...at, commentId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(mount.of(ada).update({ ...at, commentId, resolved: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await mount.of(creator).remove({ ...at, commentId });
  }
  expect((await changeRequest.of(ada).get({ ...at, commentId: there })).status).toBe("open");
});

test("a change request goes by its number too, and is talked about when it is archived or merged", async () => {
  const [, mount] = mounts;
  const { at } = await furnish(t, mount);
  const byNumber = { ...at, changeRequestId: "2" };
  const { id, target } = await mount.of(ada).post({ ...byNumber, body: text("By number") });
  expect(target.changeRequest).toBe(at.changeRequestId);
  expect((await mount.of(ada).get({ ...at, commentId: id })).id).toBe(id);
  const admin = t.as({ acme: "admin" });
  await admin.changeRequests.update({ ...at, status: "archived" } as never);
  await mount.of(ada).post({ ...at, body: text("Archived") });
  await admin.changeRequests.update({ ...at, status: "open" } as never);
  await admin.changeRequests.merge(at as never);
  await mount.of(ada).post({ ...at, body: text("Merged") });
  expect((await mount.of(ada).list(at)).count).toBe(3);
});

test.each(mounts)(
  "who reads $what may not write, who did not write may not edit, and strangers see nothing",
  async (mount) => {
    const { at } = await furnish(t, mount);
    const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Mine") });
    const one = { ...at, commentId };
    expect((await mount.of(reader).get(one)).permissions).toEqual({
      view: true,
      edit: false,
      reply: false,
      delete: false,
    });
    expect((await mount.of(creator).get(one)).permissions).toEqual({
      view: true,
      edit: false,
      reply: true,
      delete: true,
    });
    const forbidden = { code: "FORBIDDEN" };
    await expect(mount.of(reader).post({ ...at, body: text("x") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(reader).update({ ...one, resolved: true })).rejects.toMatchObject(forbidden);
    await expect(mount.of(reader).update({ ...one, addedReactions: ["👍"] })).rejects.toMatchObject(
      forbidden,
    );
    await expect(mount.of(reader).remove(one)).rejects.toMatchObject(forbidden);
    await expect(mount.of(bob).update({ ...one, body: text("Not mine") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(creator).update({ ...one, body: text("x") })).rejects.toMatchObject(forbidden);
    await expect(mount.of(bob).remove(one)).rejects.toMatchObject(forbidden);
    const unknown = { code: "NOT_FOUND" };
    await expect(mount.of(stranger).list(at)).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).get(one)).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).post({ ...at, body: text("x") })).rejects.toMatchObject(unknown);
    await expect(mount.of(stranger).remove(one)).rejects.toMatchObject(unknown);
    expect((await mount.of(ada).get(one)).body).toEqual(text("Mine"));
    await mount.of(creator).remove(one);
    await expect(mount.of(ada).get(one)).rejects.toMatchObject(unknown);
  },
);

test("who wrote a comment and may only read now, may not change it any more", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Mine") });
  const lowered = mount.of(t.as({ acme: "read" }, { id: "ada" }));
  expect((await lowered.get({ ...at, commentId })).permissions).toMatchObject({ edit: false, delete: false });
  await expect(lowered.remove({ ...at, commentId })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("the change requests of one space do not see each other's comments", async () => {
  const [, mount] = mounts;
  const { at, spaceId } = await furnish(t, mount);
  const { id: other } = await t.as({ acme: "admin" }).changeRequests.create({ spaceId });
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  expect((await mount.of(ada).list({ ...at, changeRequestId: other })).count).toBe(0);
  await expect(mount.of(ada).get({ ...at, changeRequestId: other, commentId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(mount.of(ada).post({ ...at, changeRequestId: "99", body: text("x") })).rejects.toThrow(
    "Change request: not found",
  );
});

test("one update does all of it or nothing", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Before") });
  const one = { ...at, commentId };
  const change = { body: text("After"), resolved: true, addedReactions: ["👍"] };
  const before = await mount.of(ada).get(one);
  await expect(mount.of(bob).update({ ...one, ...change })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(mount.of(ada).update({ ...one, ...change, removedReactions: ["👍"] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await mount.of(ada).get(one)).toEqual(before);
  expect(await mount.of(ada).update({ ...one, ...change })).toMatchObject({
    body: text("After"),
    status: "resolved",
    reactions: [{ emoji: "👍" }],
  });
  expect(await mount.of(ada).update({ ...one, body: text("After") })).toEqual(await mount.of(ada).get(one));
});

test("a service posts nothing: comments are people's", async () => {
  const { createCaller } = await import("../../trpc.js");
  const { router } = await import("../../router.js");
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const asService = createCaller(router)(t.ctx);
  await expect(mount.of(asService).post({ ...at, body: text("x") })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("a comment on a change request and a reply to it are contributions to it", async () => {
  const [, mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  await mount.of(ada).postReply({ ...at, commentId, body: text("x") });
  await mount.of(ada).update({ ...at, commentId, addedReactions: ["👍"], resolved: true });
  const { items } = await reader.contributors.list(at);
  expect(items).toMatchObject([{ user: { id: "ada" }, actionType: "comment", count: 2 }]);
});
