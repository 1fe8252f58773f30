import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });
const bob = t.as({ acme: "review" }, { id: "bob" });
beforeAll(() => t.directory.member("acme", { user: "bob", role: "review", teams: [] }));

const STATUSES = ["draft", "open", "archived", "merged"] as const;
type Status = (typeof STATUSES)[number];
type One = { spaceId: string; changeRequestId: string };
const insert = [{ operation: "insert_page" as const, title: "Page", document: { markdown: "Text." } }];

/** A change request with a page in it, in a status; another merge has made it outdated. */
async function having(status: Status): Promise<One> {
  const spaceId = await t.space();
  const open = async () => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: insert });
    return { spaceId, changeRequestId };
  };
  const one = await open();
  await admin.changeRequests.merge(await open());
  if (status === "merged") await admin.changeRequests.merge(one);
  else await admin.changeRequests.update({ ...one, status });
  return one;
}

async function countersOf(spaceId: string) {
  const { permissions: _, ...space } = await admin.spaces.get({ spaceId });
  return [space.changeRequests, space.changeRequestsOpen, space.changeRequestsDraft];
}
const counted = (status: Status) => [2, Number(status === "open"), Number(status === "draft")];

const merged = "body.status: a merged change request stays merged";
const can = (done: string) => (status: Status) => `Change request: it is ${status}, and can not be ${done}`;

type Deed = (one: One) => Promise<unknown>;
interface Way {
  do: Deed;
  /** The status that it leads to from each, or the same by default. */
  to?: Status;
  /** Why it is refused. */
  refused: Partial<Record<Status, string>>;
}

const left = (done: string) => ({ archived: can(done)("archived"), merged: can(done)("merged") });
const ways: Record<string, Way> = {
  "PATCH to draft": {
    do: (one) => admin.changeRequests.update({ ...one, status: "draft" }),
    to: "draft",
    refused: { merged },
  },
  "PATCH to open": {
    do: (one) => admin.changeRequests.update({ ...one, status: "open" }),
    to: "open",
    refused: { merged },
  },
  "PATCH to archived": {
    do: (one) => admin.changeRequests.update({ ...one, status: "archived" }),
    to: "archived",
    refused: { merged },
  },
  "PATCH of the subject": {
    do: (one) => admin.changeRequests.update({ ...one, subject: "Other" }),
    refused: {},
  },
  "POST merge": { do: admin.changeRequests.merge, to: "merged", refused: left("merged") },
  "POST update": { do: admin.changeRequests.pull, refused: left("updated") },
  "POST content": {
    do: (one) => admin.changeRequests.edit({ ...one, changes: insert }),
    refused: left("edited"),
  },
  "POST requested-reviewers": {
    do: (one) => admin.requestedReviewers.request({ ...one, users: ["bob"] }),
    to: "open",
    refused: left("put up for review"),
  },
  "POST reviews": {
    do: (one) => bob.reviews.submit({ ...one, status: "approved" }),
    refused: left("reviewed"),
  },
};
const table = Object.entries(ways).flatMap(([name, way]) =>
  STATUSES.map((from) => [name, from, way.refused[from] ?? way.to ?? from, way] as const),
);

test.each(table)("%s of what is %s: %s", async (_, from, __, way) => {
  const one = await having(from);
  const before = await admin.changeRequests.get(one);
  expect(before.status).toBe(from);
  const why = way.refused[from];
  if (why) {
    await expect(way.do(one)).rejects.toMatchObject({ code: "BAD_REQUEST", message: why });
    expect(await admin.changeRequests.get(one)).toEqual(before);
    expect(await countersOf(one.spaceId)).toEqual(counted(from));
    return;
  }
  await way.do(one);
  const to = way.to ?? from;
  expect((await admin.changeRequests.get(one)).status).toBe(to);
  expect(await countersOf(one.spaceId)).toEqual(counted(to));
});

test.each(STATUSES)("PATCH to merged of what is %s is 400", async (from) => {
  const one = await having(from);
  const status = "merged" as never;
  await expect(admin.changeRequests.update({ ...one, status })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect((await admin.changeRequests.get(one)).status).toBe(from);
});

test("an archived change request comes back as it was, and merges", async () => {
  const one = await having("archived");
  const before = await admin.changeRequestContent.pages(one);
  await admin.changeRequests.update({ ...one, status: "open" });
  expect(await admin.changeRequestContent.pages(one)).toEqual(before);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
});

test("a merge without changes makes a revision in which nothing changed, and ends the change request", async () => {
  const spaceId = await t.space();
  await admin.changeRequests.merge(await having("draft"));
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const before = await admin.content.revision({ spaceId });
  const { revision, result } = await admin.changeRequests.merge(one);
  expect(result).toBe("merge");
  const after = await admin.content.revision({ spaceId });
  expect(after).toMatchObject({ id: revision, type: "merge", parents: [before.id], pages: before.pages });
  expect(await admin.changeRequests.get(one)).toMatchObject({ status: "merged", revisionMerged: revision });
});

test("outdated and the revisions are right at each step of a life", async () => {
  const spaceId = await t.space();
  const elsewhere = async () => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: insert });
    return (await admin.changeRequests.merge({ spaceId, changeRequestId })).revision;
  };
  const first = (await admin.spaces.get({ spaceId })).revision;
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const now = () => admin.changeRequests.get(one);
  const fresh = await now();
  expect(fresh).toMatchObject({ outdated: false, revision: first, revisionInitial: first });
  expect(fresh).not.toHaveProperty("revisionMerged", expect.anything());
  expect(fresh).not.toHaveProperty("revisionMergedAncestor", expect.anything());

  await admin.changeRequests.edit({ ...one, changes: insert });
  const edited = await now();
  expect(edited).toMatchObject({ outdated: false, revisionInitial: first });
  expect(edited.revision).not.toBe(first);

  const second = await elsewhere();
  expect(await now()).toMatchObject({ outdated: true, revision: edited.revision });
  const pulled = await admin.changeRequests.pull(one);
  expect(pulled.result).toBe("update");
  expect(await now()).toMatchObject({
    outdated: false,
    revision: pulled.revision,
    revisionInitial: first,
    revisionMergedAncestor: second,
  });
  expect(await admin.changeRequests.pull(one)).toEqual(pulled);

  await elsewhere();
  expect((await now()).outdated).toBe(true);
  await admin.changeRequests.update({ ...one, status: "archived" });
  expect((await now()).outdated).toBe(true);
  await admin.changeRequests.update({ ...one, status: "open" });
  const { revision } = await admin.changeRequests.merge(one);
  await elsewhere();
  expect(await now()).toMatchObject({
    outdated: false,
    status: "merged",
    revision: pulled.revision,
    revisionMerged: revision,
    revisionMergedAncestor: second,
  });
});
