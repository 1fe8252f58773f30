import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const insert = { operation: "insert_page" as const, title: "Page", document: { markdown: "Text." } };
const body = { markdown: "Text." };

test("counts of comments that come to nothing leave no row, others stay", async () => {
  const [ada, bob] = ["ada", "bob"].map((id) => t.as({ acme: "admin" }, { id }));
  const spaceId = await t.space();
  const { id: changeRequestId } = await ada!.changeRequests.create({ spaceId });
  await ada!.changeRequests.edit({ spaceId, changeRequestId, changes: [insert] });
  await ada!.changeRequests.merge({ spaceId, changeRequestId });
  const page = (await ada!.content.pages({ spaceId })).pages[0]!.id;
  const counts = async () =>
    (
      await t.db
        .selectFrom("comment_count")
        .select(["page", "author", "open", "resolved"])
        .where("branch", "=", spaceId)
        .orderBy("author")
        .orderBy("page")
        .execute()
    ).map(({ page, author, open, resolved }) => [page && "page", author, open, resolved]);
  const { id: first } = await ada!.comments.post({ spaceId, page, body });
  const { id: second } = await bob!.comments.post({ spaceId, page, body });
  await bob!.comments.update({ spaceId, commentId: second, resolved: true });
  await ada!.comments.remove({ spaceId, commentId: first });
  expect(await counts()).toEqual([
    ["page", "", 0, 1],
    ["", "bob", 0, 1],
    ["page", "bob", 0, 1],
  ]);
  await bob!.comments.remove({ spaceId, commentId: second });
  expect(await counts()).toEqual([]);
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const who = [ada!, bob!][at % 2]!;
      const { id: commentId } = await who.comments.post({ spaceId, page, body });
      if (at < 6) await who.comments.remove({ spaceId, commentId });
    }),
  );
  expect(await counts()).toEqual([
    ["page", "", 2, 0],
    ["", "ada", 1, 0],
    ["page", "ada", 1, 0],
    ["", "bob", 1, 0],
    ["page", "bob", 1, 0],
  ]);
});
