import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { type Change, conflictSteps, document } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, open, change, spaceOfPages, conflict, conflictsOf } = conflictSteps(t);

test("both sides of a conflict can be read, block by block, before anybody merges", async () => {
  const { spaceId, alpha } = await spaceOfPages();
  const own = document("Alpha", "Eins.", "Two.", "Three.");
  const one = await open(spaceId, { operation: "update_page", page: alpha, document: own });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
  const primary = document("Alpha", "Uno.", "Two.", "Tres.");
  await change(spaceId, { operation: "update_page", page: alpha, document: primary });
  const before = await conflictsOf(one);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toEqual(before);
  expect(before).toEqual([
    {
      id: alpha,
      kind: "page",
      title: "Alpha",
      properties: [
        { name: "document", base: expect.any(String), primary: expect.any(String), own: expect.any(String) },
      ],
      blocks: [{ base: "One.\n\n", primary: "Uno.\n\n", own: "Eins.\n\n" }],
    },
  ]);
  const fresh = await open(spaceId, { operation: "update_page", page: alpha, title: "Other" });
  expect(await admin.changes.ofChangeRequest(fresh)).not.toHaveProperty("conflicts");
});

test("the document that each side of a conflict names can be fetched", async () => {
  const words = { base: "One.", primary: "Uno.", own: "Eins." };
  const { spaceId, one } = await conflict(["Alpha", words.primary], ["Alpha", words.own]);
  const { properties } = (await conflictsOf(one))[0]!;
  const named = properties.find(({ name }) => name === "document")!;
  for (const side of ["base", "primary", "own"] as const) {
    const fetched = await admin.documents.get({ spaceId, documentId: named[side] as string });
    expect(JSON.stringify(fetched), side).toContain(words[side]);
  }
});

test("properties, places and what is gone name the values of both sides", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const page = alpha;
  const one = await open(
    spaceId,
    { operation: "update_page", page, slug: "own", into: beta },
    { operation: "update_page", page: beta, emoji: "1f600" },
  );
  await change(spaceId, { operation: "insert_page", title: "Top", ref: "top", document: {} });
  const { pages } = await admin.content.pages({ spaceId });
  const top = pages.at(-1)!.id;
  await change(
    spaceId,
    { operation: "update_page", page, slug: "primary", into: top },
    { operation: "delete_page", page: beta },
  );
  expect((await admin.changeRequests.pull(one)).result).toBe("conflicts");
  const conflicts = await conflictsOf(one);
  expect(conflicts.find(({ id }) => id === alpha)?.properties).toEqual([
    { name: "slug", base: "alpha", primary: "primary", own: "own" },
    {
      name: "position",
      base: { parent: null, after: null },
      primary: { parent: top, after: null },
      own: { parent: beta, after: null },
    },
  ]);
  expect(conflicts.find(({ id }) => id === beta)?.properties).toEqual([
    { name: "deleted", base: false, primary: true, own: false },
  ]);
});

test("a change request that the primary content has gone past may have no conflict, and a merged one has none", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: alpha, title: "Own" });
  await change(spaceId, { operation: "update_page", page: beta, title: "Primary" });
  expect(await admin.changeRequests.get(one)).toMatchObject({ outdated: true });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  await change(spaceId, { operation: "update_page", page: alpha, title: "Later" });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
});

test("changes and conflicts can be read to their ends, page by page", async () => {
  const spaceId = await t.space();
  const insert = (title: string): Change => ({ operation: "insert_page", title, document: {} });
  await change(spaceId, ...["A", "B", "C", "D", "E", "F", "G"].map(insert));
  const ids = (await admin.content.pages({ spaceId })).pages.map(({ id }) => id);
  const retitled = (by: string, at = 0) =>
    ids.map((page, index): Change => ({ operation: "update_page", page, title: `${by}${index}`, at }));
  const one = await open(spaceId, ...retitled("Own"));
  await change(spaceId, ...retitled("Primary").slice(2), insert("H"));
  const whole = await admin.changes.ofChangeRequest({ ...one, limit: 1000 });
  expect([whole.changes.length, whole.conflicts!.length]).toEqual([13, 5]);
  const read: Pick<typeof whole, "changes"> & { conflicts: unknown[] } = { changes: [], conflicts: [] };
  for (let page: string | undefined, left = 13; left > 0; left -= 3) {
    const ctx = t.context(t.user({ acme: "admin" }));
    const part = await createCaller(router)(ctx).changes.ofChangeRequest({ ...one, limit: 3, page });
    read.changes.push(...part.changes);
    read.conflicts.push(...part.conflicts!);
    expect(part.more).toBe(13 - read.changes.length || undefined);
    expect(part.moreConflicts).toBe(5 - read.conflicts.length || undefined);
    const [, link, cursor] =
      /^<([^?]+)\?limit=3&page=([\w-]+)>; rel="next"$/.exec(String(ctx.reply.headers.link)) ?? [];
    const { spaceId, changeRequestId } = one;
    const here = `http://octavo.test/v1/spaces/${spaceId}/change-requests/${changeRequestId}/changes`;
    expect(link).toBe(left <= 3 ? undefined : here);
    page = cursor;
  }
  expect(read).toEqual({ changes: whole.changes, conflicts: whole.conflicts });
  expect(await admin.changes.ofChangeRequest({ ...one, limit: 0 })).toEqual({
    changes: [],
    more: 13,
    conflicts: [],
    moreConflicts: 5,
  });
  const wrong = admin.changes.ofChangeRequest({ ...one, page: "nonsense" });
  await expect(wrong).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a conflict changes nothing of the change request: neither its revision nor when it was edited", async () => {
  const { one } = await conflict(["Alpha", "Uno."], ["Alpha", "Eins."]);
  const before = await admin.changeRequests.get(one);
  await admin.changeRequests.pull(one);
  expect(await admin.changeRequests.get(one)).toEqual(before);
});
