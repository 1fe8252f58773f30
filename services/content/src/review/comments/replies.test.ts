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

test.each(mounts)("a reply on $what is posted, read, edited, reacted to and deleted", async (mount) => {
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Comment") });
  const posted = await mount.of(bob).postReply({ ...at, commentId, body: text("Reply") });
  expect(posted).toEqual({
    object: "comment-reply",
    id: expect.any(String),
    postedBy: expect.objectContaining({ object: "user", id: "bob", displayName: "Name of bob" }),
    postedAt: expect.stringMatching(/Z$/),
    reactions: [],
    body: text("Reply"),
    urls: { location: `${mount.location(at)}/comments/${commentId}/replies/${posted.id}` },
    permissions: { view: true, edit: true, reply: true, delete: true },
  });
  const one = { ...at, commentId, commentReplyId: posted.id };
  expect(await mount.of(bob).getReply(one)).toEqual(posted);
  expect((await mount.of(reader).get({ ...at, commentId })).replies).toBe(1);
  const edited = await mount.of(bob).updateReply({ ...one, body: text("Better") });
  expect(edited).toEqual({ ...posted, body: text("Better"), editedAt: expect.stringMatching(/Z$/) });
  const liked = await mount.of(ada).updateReply({ ...one, addedReactions: ["👍"] });
  expect(liked).toMatchObject({
    reactions: [{ emoji: "👍", count: 1, users: [{ user: { id: "ada" } }] }],
    permissions: { edit: false, delete: false },
  });
  expect((await mount.of(reader).listReplies({ ...at, commentId })).items[0]!.reactions).toEqual(
    liked.reactions,
  );
  await mount.of(bob).removeReply(one);
  await mount.of(bob).removeReply(one);
  await expect(mount.of(bob).getReply(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await mount.of(reader).get({ ...at, commentId })).replies).toBe(0);
});

test.each(mounts)(
  "replies on $what are listed first to last, page by page, in both formats",
  async (mount) => {
    const { at } = await furnish(t, mount);
    const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Comment") });
    const ids: string[] = [];
    for (const who of [ada, bob, ada, bob, ada]) {
      const body = text("*Yes*");
      ids.push((await mount.of(who).postReply({ ...at, commentId, body, format: "document" })).id);
    }
    await t.db
      .updateTable("comment")
      .set({ posted_at: "2026-01-01T00:00:00.000Z" })
      .where("id", "in", ids.slice(0, 3))
      .execute();
    const expected = [...ids.slice(0, 3).sort(), ...ids.slice(3)];
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { items, count, next } = await mount.of(reader).listReplies({ ...at, commentId, limit: 2, page });
      expect(count).toBe(5);
      seen.push(...items.map(({ id }) => id));
      page = next?.page;
    } while (page);
    expect(seen).toEqual(expected);
    const { items } = await mount.of(reader).listReplies({ ...at, commentId, format: "document" });
    expect(items[0]!.body).toMatchObject({ document: { nodes: [{ type: "paragraph" }] } });
    // Replies are no comments: neither list nor address has them as such.
    expect(await mount.of(reader).list(at)).toMatchObject({
      count: 1,
      items: [{ id: commentId, replies: 5 }],
    });
    await expect(mount.of(reader).get({ ...at, commentId: ids[0]! })).rejects.toThrow("Comment: not found");
    await expect(
      mount.of(ada).postReply({ ...at, commentId: ids[0]!, body: text("Nested") }),
    ).rejects.toThrow("Comment: not found");
  },
);

test("a comment that is gone takes its replies along, and takes no more", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Comment") });
  const { id } = await mount.of(bob).postReply({ ...at, commentId, body: text("Reply") });
  await mount.of(bob).updateReply({ ...at, commentId, commentReplyId: id, addedReactions: ["👍"] });
  await mount.of(ada).remove({ ...at, commentId });
  const gone = { code: "NOT_FOUND", message: "Comment: not found" };
  await expect(mount.of(bob).postReply({ ...at, commentId, body: text("Late") })).rejects.toMatchObject(gone);
  await expect(mount.of(bob).listReplies({ ...at, commentId })).rejects.toMatchObject(gone);
  const left = await t.db.selectFrom("comment").select("id").where("space", "=", at.spaceId).execute();
  expect(left).toEqual([]);
  expect(
    await t.db.selectFrom("comment_reaction").select("emoji").where("comment", "=", id).execute(),
  ).toEqual([]);
});

test("a reply is found under its own comment alone", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("One") });
  const { id: other } = await mount.of(ada).post({ ...at, body: text("Other") });
  const { id: commentReplyId } = await mount.of(ada).postReply({ ...at, commentId, body: text("Reply") });
  const wrong = { ...at, commentId: other, commentReplyId };
  await expect(mount.of(ada).getReply(wrong)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(mount.of(ada).updateReply({ ...wrong, body: text("x") })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await mount.of(ada).removeReply(wrong);
  expect((await mount.of(ada).listReplies({ ...at, commentId })).count).toBe(1);
});

test.each(mounts)("replies on $what are for who may comment, and edited by who wrote them", async (mount) => {
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("Comment") });
  const { id: commentReplyId } = await mount.of(ada).postReply({ ...at, commentId, body: text("Reply") });
  const one = { ...at, commentId, commentReplyId };
  const forbidden = { code: "FORBIDDEN" };
  await expect(mount.of(reader).postReply({ ...one, body: text("x") })).rejects.toMatchObject(forbidden);
  await expect(mount.of(reader).updateReply({ ...one, addedReactions: ["👍"] })).rejects.toMatchObject(
    forbidden,
  );
  await expect(mount.of(reader).removeReply(one)).rejects.toMatchObject(forbidden);
  await expect(mount.of(bob).updateReply({ ...one, body: text("x") })).rejects.toMatchObject(forbidden);
  await expect(mount.of(creator).updateReply({ ...one, body: text("x") })).rejects.toMatchObject(forbidden);
  await expect(mount.of(bob).removeReply(one)).rejects.toMatchObject(forbidden);
  const unknown = { code: "NOT_FOUND" };
  await expect(mount.of(stranger).listReplies(one)).rejects.toMatchObject(unknown);
  await expect(mount.of(stranger).postReply({ ...one, body: text("x") })).rejects.toMatchObject(unknown);
  await mount.of(creator).removeReply(one);
  expect((await mount.of(ada).get(one)).replies).toBe(0);
});
