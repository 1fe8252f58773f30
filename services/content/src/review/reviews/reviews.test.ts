import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const author = t.as({ acme: "review" }, { id: "author" });
const bob = t.as({ acme: "review" }, { id: "bob", teams: ["docs"] });
const cleo = t.as({ acme: "admin" }, { id: "cleo", teams: ["docs"] });

beforeAll(() => {
  t.directory.member("acme", { user: "author", role: "review", teams: [] });
  t.directory.member("acme", { user: "bob", role: "review", teams: ["docs"] });
  t.directory.member("acme", { user: "cleo", role: "admin", teams: ["docs"] });
  t.directory.team("acme", "docs");
});

async function opened() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await author.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  await author.changeRequests.update({ ...one, status: "open" });
  return one;
}
const insert = [{ operation: "insert_page" as const, title: "Page", document: { markdown: "Text." } }];
type One = Awaited<ReturnType<typeof opened>>;

/** The reviews, newest first; what is outdated in brackets. */
const reviewsOf = async (one: One) =>
  (await author.reviews.list(one)).items.map(({ reviewer, status, outdated }) =>
    outdated ? `(${reviewer.id} ${status})` : `${reviewer.id} ${status}`,
  );
const requestCount = async (one: One) => (await author.requestedReviewers.list(one)).count;

test("POST reviews returns 201 with the review of the current revision, requested or not", async () => {
  const one = await opened();
  await author.changeRequests.edit({ ...one, changes: insert });
  const { revision } = await author.changeRequests.get(one);
  const review = await bob.reviews.submit({ ...one, status: "approved" });
  expect(review).toEqual({
    object: "change-request-review",
    id: expect.any(String),
    revision,
    reviewer: expect.objectContaining({ id: "bob", displayName: "Name of bob" }),
    status: "approved",
    outdated: false,
    createdAt: review.createdAt,
    updatedAt: review.createdAt,
  });
  expect(await author.reviews.list(one)).toEqual({ items: [review], count: 1 });
  expect((await author.changeRequests.get(one)).status).toBe("open");
});

test("a requested reviewer leaves the list, and the review names the person who requested it", async () => {
  const one = await opened();
  await author.requestedReviewers.request({ ...one, users: ["bob", "cleo"] });
  const review = await bob.reviews.submit({ ...one, status: "changes-requested" });
  expect(review.requestedBy).toMatchObject({ id: "author" });
  const { items } = await author.requestedReviewers.list(one);
  expect(items).toMatchObject([{ kind: "user", user: { id: "cleo" } }]);
});

test("a review by one of a team completes the request to the team", async () => {
  const one = await opened();
  await author.requestedReviewers.request({ ...one, users: [], teams: ["docs"] });
  expect((await bob.reviews.submit({ ...one, status: "approved" })).requestedBy).toMatchObject({
    id: "author",
  });
  expect(await requestCount(one)).toBe(0);
  await cleo.reviews.submit({ ...one, status: "approved" });
  await author.requestedReviewers.request({ ...one, users: [], teams: ["docs"] });
  expect(await reviewsOf(one)).toEqual(["cleo approved", "(bob approved)"]);
});

test("a review is outdated by the next one of its reviewer or a new request, and not by an edit", async () => {
  const one = await opened();
  await bob.reviews.submit({ ...one, status: "changes-requested" });
  await cleo.reviews.submit({ ...one, status: "approved" });
  await author.changeRequests.edit({ ...one, changes: insert });
  expect(await reviewsOf(one)).toEqual(["cleo approved", "bob changes-requested"]);
  await author.requestedReviewers.request({ ...one, users: ["bob"] });
  expect(await reviewsOf(one)).toEqual(["cleo approved", "(bob changes-requested)"]);
  await bob.reviews.submit({ ...one, status: "approved" });
  expect(await reviewsOf(one)).toEqual(["bob approved", "cleo approved", "(bob changes-requested)"]);
  await cleo.reviews.submit({ ...one, status: "changes-requested" });
  const current = await author.reviews.list({ ...one, outdated: false });
  expect(current.items.map(({ status }) => status)).toEqual(["changes-requested", "approved"]);
  expect(current.count).toBe(2);
  const past = await author.reviews.list({ ...one, outdated: true });
  expect(past.items.map(({ reviewer }) => reviewer.id)).toEqual(["cleo", "bob"]);
});

test("a review's comment is one on the change request, shown as markdown or as a document", async () => {
  const one = await opened();
  const comment = { markdown: "Please **shorten** this." };
  const review = await bob.reviews.submit({ ...one, status: "changes-requested", comment });
  const { items } = await author.changeRequestComments.list(one);
  expect(items).toMatchObject([
    {
      object: "comment",
      postedBy: { id: "bob" },
      body: comment,
      target: {
        space: one.spaceId,
        changeRequest: one.changeRequestId,
        review: review.id,
        revision: review.revision,
      },
      status: "open",
    },
  ]);
  expect((await author.reviews.list(one)).items[0]!.comment).toEqual(items[0]);
  expect((await author.changeRequests.get(one)).comments).toBe(1);
  expect((await author.contributors.list(one)).items).toMatchObject([
    { user: { id: "bob" }, actionType: "comment", count: 1 },
  ]);
  const [shown] = (await author.reviews.list({ ...one, format: "document" })).items;
  const { document } = shown!.comment!.body as { document: never };
  expect(document).toMatchObject({ object: "document", nodes: [{ object: "block", type: "paragraph" }] });
  const again = await cleo.reviews.submit({ ...one, status: "approved", comment: { document } });
  expect((again.comment!.body as { markdown: string }).markdown.trim()).toBe(comment.markdown);
});

test("changes of a review's comment show in the review, and an empty comment creates none", async () => {
  const one = await opened();
  const submit = (markdown: string) =>
    bob.reviews.submit({ ...one, status: "approved", comment: { markdown } });
  const { comment } = await submit("Fine.");
  const commentId = comment!.id;
  await author.changeRequestComments.update({ ...one, commentId, resolved: true });
  await author.changeRequestComments.postReply({ ...one, commentId, body: { markdown: "Thanks." } });
  const [resolved] = (await author.reviews.list(one)).items;
  expect(resolved!.comment).toMatchObject({ status: "resolved", resolvedBy: { id: "author" }, replies: 1 });
  await bob.changeRequestComments.remove({ ...one, commentId });
  const [bare] = (await author.reviews.list(one)).items;
  expect(bare!.comment).toBeUndefined();
  for (const nothing of ["", " \n"]) expect((await submit(nothing)).comment).toBeUndefined();
  const empty = { comment: {}, status: "approved" as const };
  expect((await bob.reviews.submit({ ...one, ...empty })).comment).toBeUndefined();
  expect((await author.changeRequestComments.list(one)).count).toBe(0);
});

test("reviews are listed newest first, page by page", async () => {
  const one = await opened();
  for (let at = 0; at < 5; at++) await bob.reviews.submit({ ...one, status: "approved" });
  const all = (await author.reviews.list(one)).items;
  const first = await author.reviews.list({ ...one, limit: 3 });
  const second = await author.reviews.list({ ...one, limit: 3, page: first.next!.page });
  expect([...first.items, ...second.items]).toEqual(all);
  expect(all.map(({ outdated }) => outdated)).toEqual([false, true, true, true, true]);
  await expect(author.reviews.list({ ...one, page: "nonsense" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("nobody reviews their own change request, with too little a role, or in a foreign organization", async () => {
  const one = await opened();
  const status = "approved" as const;
  await expect(author.reviews.submit({ ...one, status })).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Change request: its author can not review it",
  });
  const editor = t.as({ acme: "edit" }, { id: "eve" });
  await expect(editor.reviews.submit({ ...one, status })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  await expect(stranger.reviews.submit({ ...one, status })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.reviews.list(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(bob.reviews.submit({ ...one, changeRequestId: "7", status })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await reviewsOf(one)).toEqual([]);
});

test("what is archived or merged is reviewed no more, and keeps its reviews", async () => {
  const one = await opened();
  await bob.reviews.submit({ ...one, status: "approved" });
  await author.changeRequests.update({ ...one, status: "archived" });
  await expect(bob.reviews.submit({ ...one, status: "approved" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await author.changeRequests.update({ ...one, status: "draft" });
  await bob.reviews.submit({ ...one, status: "changes-requested" });
  await author.changeRequests.merge(one);
  await expect(bob.reviews.submit({ ...one, status: "approved" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await reviewsOf(one)).toEqual(["bob changes-requested", "(bob approved)"]);
});

test("reviews of one person at the same moment leave one that counts", async () => {
  const one = await opened();
  await Promise.all(Array.from({ length: 10 }, () => bob.reviews.submit({ ...one, status: "approved" })));
  expect((await author.reviews.list({ ...one, outdated: false })).count).toBe(1);
  expect((await author.reviews.list(one)).count).toBe(10);
});
