import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageProps } from "../db/tables/entries.js";
import { titles } from "../reading/search/testing.js";
import { commitPrimary } from "../revisions/primary.js";
import { keepBodies } from "../store/bodies.js";
import { type Entry, lockBranch } from "../store/version.js";
import { contentTest } from "../testing/content.js";
import { AT_ONCE } from "./index-pages.js";
import { indexPending } from "./index-pending.js";
import { indexAllPending, indexPendingJob, somePending } from "./pending.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);
const admin = t.as({ acme: "admin", beta: "admin" });

/** More than three portions beyond what is found at once. */
const PAGES = AT_ONCE + 320;
const props: PageProps = { type: "document" };

/** Commits pages with a word that only they hold, and another one. */
async function commitPages(space: string, ids: string[], word: string) {
  const [body] = await keepBodies(t.ctx, space, [`Has ${word} as well.\n`]);
  const created_at = new Date().toISOString();
  const put = ids.map((id, at): Entry => {
    const names = { id, slug: id, title: `Page ${at}`, position: `a${String(at).padStart(6, "0")}` };
    const nothing = { parent: null, git_path: null, git_oid: null, updated_at: null };
    return { ...names, ...nothing, kind: "page", body: body!, props, created_at };
  });
  await transact(t.ctx, async (ctx) => {
    const head = await lockBranch(ctx, space);
    await commitPrimary(ctx, { space, head, type: "edits", changes: { put, remove: [] } });
  });
}

const idsOf = (count: number) => Array.from({ length: count }, () => newId());

/** A space with so many pages that some are pending. */
async function largeSpace(values: Parameters<typeof t.space>[0] = {}) {
  const space = await t.space(values);
  const ids = idsOf(PAGES);
  await commitPages(space, ids, "heron");
  return { space, ids };
}

const pendingOf = (space: string) => somePending(t.ctx, space, PAGES);
const count = async (spaceId: string, query: string) =>
  (await admin.search.inSpace({ spaceId, query, limit: 1 })).count;
const keyOf = (space: string) => `${indexPendingJob.name} ${space}`;
const isQueued = async (space: string) => (await findJob(t, { key: keyOf(space) })) !== undefined;

/** Lets the job do so many portions, and ends it like a stop of the service. */
async function indexPortions(space: string, portions: number) {
  let left = portions;
  const throwIfAborted = () => {
    left -= 1;
    if (left === 0) throw new Error("stopped");
  };
  await expect(indexPending(t.ctx, space, { throwIfAborted })).rejects.toThrow("stopped");
}

test("of a large change the first new pages are found at once, and the others after the job", async () => {
  const { space } = await largeSpace();
  expect(await count(space, "heron")).toBe(AT_ONCE);
  expect(await pendingOf(space)).toHaveLength(PAGES - AT_ONCE);
  expect(await isQueued(space)).toBe(true);
  await indexPending(t.ctx, space);
  expect(await count(space, "heron")).toBe(PAGES);
  expect(await pendingOf(space)).toEqual([]);
});

test("a job that was stopped half-way goes on, and one that has nothing to do changes nothing", async () => {
  const { space } = await largeSpace();
  await indexPortions(space, 2);
  const [found, left] = [await count(space, "heron"), await pendingOf(space)];
  expect([found, found! + left.length, left.length > 0]).toEqual([AT_ONCE + 200, PAGES, true]);
  await indexPending(t.ctx, space);
  expect(await count(space, "heron")).toBe(PAGES);
  await indexPending(t.ctx, space);
  await indexPending(t.ctx, newId());
  expect(await count(space, "heron")).toBe(PAGES);
});

test("what was kept of a search while pages were pending is made anew, without another revision", async () => {
  const { space } = await largeSpace();
  for (let time = 0; time < 3; time += 1) expect(await count(space, "heron")).toBe(AT_ONCE);
  await indexPending(t.ctx, space);
  for (let time = 0; time < 3; time += 1) expect(await count(space, "heron")).toBe(PAGES);
});

test("pages that were in the index are found as they are now, however many change", async () => {
  const { space, ids } = await largeSpace();
  await indexPending(t.ctx, space);
  await commitPages(space, ids, "plover");
  expect(await pendingOf(space)).toEqual([]);
  expect([await count(space, "plover"), await count(space, '"heron"')]).toEqual([PAGES, 0]);
});

test("a pending page that changes is found at once as it is now, one that goes is not brought back", async () => {
  const { space, ids } = await largeSpace();
  const [first, second] = await pendingOf(space);
  await commitPages(space, [first!], "plover");
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId: space });
  await admin.changeRequests.edit({
    spaceId: space,
    changeRequestId,
    changes: [{ operation: "delete_page", page: second! }],
  });
  await admin.changeRequests.merge({ spaceId: space, changeRequestId });
  expect(await count(space, "plover")).toBe(1);
  expect(await pendingOf(space)).toHaveLength(PAGES - AT_ONCE - 2);
  await indexPending(t.ctx, space);
  expect(await count(space, "heron")).toBe(ids.length - 2);
  expect(await count(space, "plover")).toBe(1);
});

test("pages that are kept from the search do not become pending", async () => {
  const { space } = await largeSpace();
  const pending = await pendingOf(space);
  await t.db
    .updateTable("entry")
    .set({ props: JSON.stringify({ ...props, noIndex: true }) })
    .where("branch", "=", space)
    .where("id", "=", pending[0]!)
    .execute();
  await indexPending(t.ctx, space);
  expect(await count(space, "heron")).toBe(PAGES - 1);
  expect(await pendingOf(space)).toEqual([]);
});

test("a copy of a space has what is pending of it put into the index as well", async () => {
  const { space } = await largeSpace();
  await indexPortions(space, 1);
  const { id: copy } = await admin.spaces.duplicate({ spaceId: space });
  expect(await isQueued(copy)).toBe(true);
  expect(await count(copy, "heron")).toBe(AT_ONCE + 100);
  await indexPending(t.ctx, copy);
  await indexPending(t.ctx, space);
  expect([await count(copy, "heron"), await count(space, "heron")]).toEqual([PAGES, PAGES]);
});

test("pages of a space that went to another organization are found there alone", async () => {
  const { space } = await largeSpace();
  await admin.spaces.transfer({ spaceId: space, organization: "beta" });
  await indexPending(t.ctx, space);
  const found = async (organizationId: string) => {
    const { items } = await admin.search.inOrganization({ organizationId, query: "heron" });
    return items.filter(({ id }) => id === space).length;
  };
  expect([await found("acme"), await found("beta")]).toEqual([0, 1]);
  expect(await count(space, "heron")).toBe(PAGES);
  const owners = t.db.selectFrom("search_page").select("organization").distinct().where("space", "=", space);
  expect(await owners.execute()).toEqual([{ organization: "beta" }]);
});

test("a space whose job was lost is found by the one that looks after all", async () => {
  const { space } = await largeSpace();
  await sql`select remove_job(${keyOf(space)})`.execute(t.db);
  expect(await isQueued(space)).toBe(false);
  await indexAllPending(t.ctx);
  expect(await isQueued(space)).toBe(true);
});

test("titles of pending pages are found after the job, those of others before", async () => {
  const { space, ids } = await largeSpace();
  const pending = new Set(await pendingOf(space));
  const at = ids.findIndex((id) => pending.has(id));
  const titled = (title: string) => admin.search.inSpace({ spaceId: space, query: `"${title}"` });
  expect(titles(await titled(`Page ${at}`))).not.toContain(`Page ${at}`);
  await indexPending(t.ctx, space);
  expect(titles(await titled(`Page ${at}`))).toContain(`Page ${at}`);
});
