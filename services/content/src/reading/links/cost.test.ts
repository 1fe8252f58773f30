import { prepareQueue } from "@octavo/shared/jobs/queue";
import { counted } from "@octavo/shared/testing/counted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createContentCache } from "../../cache.js";
import { commitPrimary } from "../../revisions/primary.js";
import { router } from "../../router.js";
import { keepBodies } from "../../store/bodies.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";
import { freezeStatistics, rowsRead } from "../../testing/plans.js";
import { createCaller } from "../../trpc.js";
import { found, writing } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const { open } = writing(t, admin);

/** A space with so many pages; each refers to the next one, to the first, and every tenth to one that is not there. */
async function spaceOf(pages: number) {
  const spaceId = await t.space();
  const name = (index: number) => `page-${String(index).padStart(4, "0")}`;
  const texts = Array.from({ length: pages }, (_, index) => {
    const lost = index % 10 === 0 ? " [lost](lost.md)" : "";
    return `# ${name(index)}\n\n[next](${name((index + 1) % pages)}.md) [first](${name(0)}.md#top)${lost}\n\n## Top\n`;
  });
  await t.ctx.db.transaction().execute(async (db) => {
    const ctx = { ...t.ctx, db };
    const hashes = await keepBodies(ctx, spaceId, texts);
    const put = hashes.map(
      (body, index): Entry => ({
        id: `${spaceId}${index}`,
        kind: "page",
        parent: null,
        position: `a${name(index)}`,
        slug: name(index),
        title: name(index),
        body,
        git_path: `${name(index)}.md`,
        git_oid: "",
        props: { type: "document" },
        created_at: new Date().toISOString(),
        updated_at: null,
      }),
    );
    const head = await lockBranch(ctx, spaceId);
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  return spaceId;
}

/** How many queries a call takes that finds nothing remembered. */
async function queriesOf(call: (caller: ReturnType<typeof t.as>) => Promise<unknown>): Promise<number> {
  const ctx = t.context(t.user({ acme: "admin" }));
  const { db, queries } = counted(ctx.db);
  await call(createCaller(router)({ ...ctx, cache: createContentCache(), db }));
  return queries();
}

let few: string;
let many: string;
beforeAll(async () => {
  await prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log });
  few = await spaceOf(20);
  // All that the planner ever learns of is the small space.
  await freezeStatistics(t, ["entry", "reference", "outline", "body", "branch", "revision"]);
  many = await spaceOf(400);
});

const calls: ((caller: ReturnType<typeof t.as>, spaceId: string) => Promise<unknown>)[] = [
  (caller, spaceId) => caller.links.list({ spaceId, limit: 1000 }),
  (caller, spaceId) => caller.links.list({ spaceId, status: "broken", limit: 1000 }),
  (caller, spaceId) => caller.links.listOfPage({ spaceId, pageId: `${spaceId}0` }),
  (caller, spaceId) => caller.links.pageBacklinks({ spaceId, pageId: `${spaceId}0`, limit: 1000 }),
];

test("links and backlinks read rows in proportion, also while the planner has no statistics of the space", async () => {
  for (const call of calls) {
    const [one, other] = [
      await rowsRead(t, (caller) => call(caller, few)),
      await rowsRead(t, (caller) => call(caller, many)),
    ];
    expect(other).toBeLessThan(one * 40);
  }
});

test("links and backlinks take as many queries for 400 pages as for 20", async () => {
  for (const call of calls) {
    await call(admin, few);
    await call(admin, many);
    const [one, other] = [
      await queriesOf((caller) => call(caller, few)),
      await queriesOf((caller) => call(caller, many)),
    ];
    expect(other).toBe(one);
    expect(one).toBeLessThan(20);
  }
});

test("an edit takes as many queries, and keeps as many references, in a space of 400 pages as in one of 20", async () => {
  const edit = async (spaceId: string) => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const page = `${spaceId}3`;
    const document = { markdown: "[first](page-0000.md) [second](page-0001.md)\n" };
    const changes = [{ operation: "update_page" as const, page, slug: "moved", document }];
    const edited = await queriesOf((caller) =>
      caller.changeRequests.edit({ spaceId, changeRequestId, changes }),
    );
    return [edited, await queriesOf((caller) => caller.changeRequests.merge({ spaceId, changeRequestId }))];
  };
  const rows = (space: string) =>
    t.db.selectFrom("reference").selectAll().where("space", "=", space).execute();
  const before = [await rows(few), await rows(many)];
  expect(await edit(many)).toEqual(await edit(few));
  const after = [await rows(few), await rows(many)];
  expect(after.map((one, index) => one.length - before[index]!.length)).toEqual([2, 2]);
});

test("counts are those of a recount, whatever happened before", async () => {
  const fresh = () =>
    createCaller(router)({ ...t.context(t.user({ acme: "admin" })), cache: createContentCache() });
  const recounted = async () => {
    const { stats } = await admin.links.list({ spaceId: many, limit: 1 });
    const all: string[] = [];
    for (let page: string | undefined; ; ) {
      const list = await fresh().links.list({ spaceId: many, page, limit: 300 });
      expect(list.stats).toEqual(stats);
      all.push(...found(list));
      page = list.next?.page;
      if (page === undefined) break;
    }
    expect(stats).toEqual({
      total: all.length,
      broken: { total: all.filter((one) => / broken /.test(one)).length },
    });
    return stats;
  };
  const first = await recounted();
  await open(many, [{ operation: "delete_page", page: `${many}8` }]);
  const second = await recounted();
  expect(second.total).toBe(first.total - 2);
  expect(second.broken.total).toBe(first.broken.total + 1);
  await open(many, [{ operation: "insert_page", title: "lost", document: { markdown: "Found.\n" } }]);
  expect((await recounted()).broken.total).toBe(1);
  await open(many, [{ operation: "update_page", page: `${many}0`, document: { markdown: "No top.\n" } }]);
  await recounted();
});
