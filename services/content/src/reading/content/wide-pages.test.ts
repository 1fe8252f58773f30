import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createContentCache } from "../../cache.js";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { rowsRead } from "../../testing/plans.js";
import { createCaller } from "../../trpc.js";
import { createWholeReads } from "../../work/whole-reads.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

const BATCHES = 11;
const BATCH = 50;

/** A space of one page with 550 pages below it, and nothing else. */
async function wide() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const at = { spaceId, changeRequestId };
  const insert = { operation: "insert_page" as const, document: { markdown: "" } };
  await admin.changeRequests.edit({ ...at, changes: [{ ...insert, title: "Top" }] });
  const pageId = (await admin.changeRequestContent.pages(at)).pages[0]!.id;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const changes = Array.from({ length: BATCH }, (_, page) => ({
      ...insert,
      title: `Page ${batch * BATCH + page}`,
      into: pageId,
    }));
    await admin.changeRequests.edit({ ...at, changes });
  }
  return { at, spaceId, pageId };
}

test("a page with hundreds below it is read by looking at each of them a few times, in a change request and a revision", async () => {
  const { at, spaceId, pageId } = await wide();
  // The planner now estimates that whatever page has any below it has hundreds.
  await sql`analyze entry`.execute(t.db);
  const reads = (call: Parameters<typeof rowsRead>[1]) => rowsRead(t, call);
  const most = 10 * BATCHES * BATCH;
  const here = { ...at, pagePath: "top" };
  expect(await reads((caller) => caller.changeRequestContent.page({ ...at, pageId }))).toBeLessThan(most);
  expect(await reads((caller) => caller.changeRequestContent.pageAtPath(here))).toBeLessThan(most);
  const { revision: revisionId } = await admin.changeRequests.merge(at);
  await sql`analyze entry`.execute(t.db);
  const there = { spaceId, revisionId };
  expect(await reads((caller) => caller.revisionContent.page({ ...there, pageId }))).toBeLessThan(most);
  expect(
    await reads((caller) => caller.revisionContent.pageAtPath({ ...there, pagePath: "top" })),
  ).toBeLessThan(most);
});

test("what is as large as a space is refused 503 while other such reads take too long; what is small is read", async () => {
  const { at, spaceId, pageId } = await wide();
  await admin.changeRequests.merge(at);
  const { pages } = await admin.content.pages({ spaceId });
  const small = pages[0]!.type === "document" ? pages[0]!.pages[0]!.id : "";
  const wholeReads = createWholeReads({ atATime: 1, waitMs: 5 });
  const ctx = t.context(t.user({ acme: "admin" }));
  const busy = createCaller(router)({ ...ctx, wholeReads, cache: createContentCache() });
  const refused = { code: "SERVICE_UNAVAILABLE" };
  await wholeReads(t.context(t.user({ acme: "read" }, { id: "another" })), async () => {
    await expect(busy.content.pages({ spaceId })).rejects.toMatchObject(refused);
    await expect(busy.content.revision({ spaceId })).rejects.toMatchObject(refused);
    await expect(busy.content.page({ spaceId, pageId })).rejects.toMatchObject(refused);
    await expect(busy.content.pageAtPath({ spaceId, pagePath: "top" })).rejects.toMatchObject(refused);
    expect(await busy.content.page({ spaceId, pageId: small })).toMatchObject({ id: small });
  });
  const { pages: below } = (await busy.content.page({ spaceId, pageId })) as { pages: unknown[] };
  expect(below).toHaveLength(BATCHES * BATCH);
});

test("a caller whose turn does not come holds up no other caller who reads the same tree, and a client that left no request", async () => {
  const spaceId = await t.space();
  const wholeReads = createWholeReads({ waitMs: 300 });
  const cache = createContentCache();
  const contextOf = (id: string, signal?: AbortSignal) => ({
    ...t.context(t.user({ acme: "admin" }, { id })),
    requested: { url: `/v1/spaces/${spaceId}/content/pages` },
    reply: { headers: {} },
    signal,
    wholeReads,
    cache,
  });
  const read = (id: string, signal?: AbortSignal) =>
    createCaller(router)(contextOf(id, signal)).content.pages({ spaceId });
  await wholeReads(contextOf("busy"), async () => {
    const refused = expect(read("busy")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await read("other")).toMatchObject({ length: '{"pages":[]}'.length });
    await refused;
  });
  const gone = new AbortController();
  let [first, second]: Promise<unknown>[] = [];
  await wholeReads(contextOf("busy"), async () => {
    first = read("busy", gone.signal);
    second = read("busy");
    gone.abort();
  });
  expect(await Promise.all([first, second])).toMatchObject([{ length: 12 }, { length: 12 }]);
});
