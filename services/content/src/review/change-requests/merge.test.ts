import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf, markdown } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open, spaceWith } = changeRequestsOf(t);
const rewording = (page: string, ...texts: string[]) => ({
  operation: "update_page" as const,
  page,
  document: markdown("Alpha", ...texts),
});

test("two change requests that touch different blocks of a page both merge", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, rewording(page, "Uno.", "Two.", "Three."));
  const two = await open(spaceId, rewording(page, "One.", "Two.", "Tres."));
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect((await admin.changeRequests.get(two)).outdated).toBe(true);
  expect((await admin.changeRequests.merge(two)).result).toBe("merge");
  const { markdown: text } = (await admin.content.page({ spaceId, pageId: page })) as { markdown: string };
  expect(text).toBe(markdown("Alpha", "Uno.", "Two.", "Tres.").markdown);
});

test("two change requests that touch the same block conflict: nothing changes, also on an update", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, rewording(page, "Uno.", "Two.", "Three."));
  const two = await open(spaceId, rewording(page, "Eins.", "Two.", "Three."));
  await admin.changeRequests.merge(one);
  const before = await admin.content.revision({ spaceId });
  const mine = await admin.changeRequests.get(two);
  expect(await admin.changeRequests.merge(two)).toEqual({ result: "conflicts", revision: mine.revision });
  expect(await admin.changeRequests.pull(two)).toEqual({ result: "conflicts", revision: mine.revision });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
  expect((await admin.changeRequests.get(two)).status).toBe("draft");
});

test("POST update pulls the primary content in, and what was touched stays", async () => {
  const { spaceId, pages } = await spaceWith("Alpha", "Beta");
  const [alpha, beta] = pages as unknown as [{ id: string }, { id: string }];
  const one = await open(spaceId, { operation: "update_page", page: alpha.id, title: "Alef" });
  const two = await open(spaceId, { operation: "update_page", page: beta.id, title: "Bet" });
  const { revision: before } = await admin.changeRequests.get(two);
  await admin.changeRequests.merge(one);
  const pulled = await admin.changeRequests.pull(two);
  expect(pulled.result).toBe("update");
  expect(await admin.changeRequests.get(two)).toMatchObject({ outdated: false, revision: pulled.revision });
  const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);
  expect(titles((await admin.changeRequestContent.pages(two)).pages)).toEqual(["Alef", "Bet"]);
  expect(titles((await admin.revisionContent.pages({ spaceId, revisionId: before })).pages)).toEqual([
    "Alpha",
    "Bet",
  ]);
});

test("deleting a page that the primary content gave a child since then is a conflict", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const gone = await open(spaceId, { operation: "delete_page", page });
  const child = await open(spaceId, { operation: "insert_page", title: "Child", into: page, document: {} });
  await admin.changeRequests.merge(child);
  expect((await admin.changeRequests.merge(gone)).result).toBe("conflicts");
});

test("pages that meet with the same slug and place both stay, the second with a suffix", async () => {
  const spaceId = await t.space();
  const insert = { operation: "insert_page" as const, title: "Same", document: {} };
  const one = await open(spaceId, insert);
  const two = await open(spaceId, insert);
  await admin.changeRequests.merge(one);
  await admin.changeRequests.merge(two);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([{ path: "same" }, { path: "same-1" }]);
});

test("50 overlapping merges at once end in some serial order, each applied or in conflict", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const requests = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      open(spaceId, {
        operation: "update_page",
        page,
        document: markdown("Alpha", `By ${at}.`, "Two.", "Three."),
      }),
    ),
  );
  const results = await Promise.all(requests.map((one) => admin.changeRequests.merge(one)));
  expect(results.filter(({ result }) => result === "merge")).toHaveLength(1);
  expect(results.filter(({ result }) => result === "conflicts")).toHaveLength(49);
  const winner = results.findIndex(({ result }) => result === "merge");
  const { markdown: text } = (await admin.content.page({ spaceId, pageId: page })) as { markdown: string };
  expect(text).toContain(`By ${winner}.`);
});

test("any revision ever returned reads the same again", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const seen = await admin.content.revision({ spaceId });
  const one = await open(spaceId, { operation: "update_page", page: pages[0]!.id, title: "Other" });
  await admin.changeRequests.merge(one);
  expect(await admin.revisionContent.revision({ spaceId, revisionId: seen.id })).toEqual(seen);
  const now = await admin.content.revision({ spaceId });
  expect(now).toMatchObject({ type: "merge", mergedFrom: { id: one.changeRequestId, status: "merged" } });
  expect(now.parents[0]).toBe(seen.id);
});

test("a merge publishes an event of the new primary content", async () => {
  const { spaceId } = await spaceWith("Alpha");
  const { id: revision } = await admin.content.revision({ spaceId });
  const events = (await t.emitted("content.content.updated")) as { space: string }[];
  expect(events.filter(({ space }) => space === spaceId)).toEqual([
    { space: spaceId, organization: "acme", revision, changeRequest: expect.any(String) },
  ]);
});
