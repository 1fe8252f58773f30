import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.as({ acme: "comment" }, { id: "ada" });
const bob = t.as({ acme: "comment" }, { id: "bob" });

test("reactions are one of each kind for a person, and gone with the last one", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  const one = { ...at, commentId };
  await mount.of(ada).update({ ...one, addedReactions: ["👍", "👍", "🎉"] });
  await mount.of(bob).update({ ...one, addedReactions: ["👍"], removedReactions: ["🎉"] });
  const { reactions, editedAt } = await mount.of(ada).update({ ...one, addedReactions: ["👍"] });
  expect(editedAt).toBeUndefined();
  const by = (id: string) => ({
    user: expect.objectContaining({ id }),
    reactedAt: expect.stringMatching(/Z$/),
  });
  expect(reactions.toSorted((a, b) => b.count - a.count)).toEqual([
    { emoji: "👍", count: 2, users: expect.arrayContaining([by("ada"), by("bob")]) },
    { emoji: "🎉", count: 1, users: [by("ada")] },
  ]);
  const left = await mount.of(ada).update({ ...one, removedReactions: ["🎉", "👍", "👀"] });
  expect(left.reactions).toEqual([{ emoji: "👍", count: 1, users: [by("bob")] }]);
  expect((await mount.of(ada).list(at)).items[0]!.reactions).toEqual(left.reactions);
  await expect(
    mount.of(ada).update({ ...one, addedReactions: ["👍"], removedReactions: ["👍"] }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  for (const addedReactions of [["words"], [""], Array.from({ length: 21 }, () => "👍")])
    await expect(mount.of(ada).update({ ...one, addedReactions })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});

test("a comment takes so many kinds of reactions and no more", async () => {
  const [mount] = mounts;
  const { at } = await furnish(t, mount);
  const { id: commentId } = await mount.of(ada).post({ ...at, body: text("x") });
  const kinds = Array.from({ length: 50 }, (_, index) => (0x1f600 + index).toString(16));
  for (let from = 0; from < 50; from += 20)
    await mount.of(ada).update({ ...at, commentId, addedReactions: kinds.slice(from, from + 20) });
  await mount.of(bob).update({ ...at, commentId, addedReactions: kinds.slice(0, 20) });
  await expect(
    mount.of(bob).update({ ...at, commentId, addedReactions: [kinds[0]!, "👍"] }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST", details: { issues: [{ path: "body.addedReactions" }] } });
  expect((await mount.of(ada).get({ ...at, commentId })).reactions).toHaveLength(50);
});
