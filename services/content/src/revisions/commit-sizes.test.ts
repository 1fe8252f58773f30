import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageProps } from "../db/tables/entries.js";
import { batchesOf } from "../store/batches.js";
import { keepBodies } from "../store/bodies.js";
import { type Entry, lockBranch } from "../store/version.js";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import { commitPrimary } from "./primary.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

const LINKS = 60;

/** Commits so many pages, and returns the queries in order, and the sizes of them and of their results. */
async function committing(pages: number, links = LINKS) {
  const space = await t.space();
  const text = (page: number) =>
    Array.from(
      { length: links },
      (_, at) => `Read about ${page} in [part ${at}](part-${page}-${at}.md).`,
    ).join("\n");
  const hashes: string[] = [];
  const numbers = Array.from({ length: pages }, (_, page) => page);
  for await (const batch of batchesOf(numbers, 50))
    hashes.push(...(await keepBodies(t.ctx, space, batch.map(text))));
  const put = hashes.map((body, page): Entry => {
    const [id, position, git_path] = [
      `${space}${page}`,
      `a${String(page).padStart(6, "0")}`,
      `page-${page}.md`,
    ];
    const nothing = { parent: null, git_oid: null, updated_at: null };
    const props: PageProps = { type: "document" };
    const created_at = new Date().toISOString();
    return { ...nothing, id, position, git_path, kind: "page", slug: id, title: id, body, props, created_at };
  });
  const { ctx, asked, most } = watched(t.ctx);
  await ctx.db.transaction().execute(async (db) => {
    const head = await lockBranch({ ...ctx, db }, space);
    await commitPrimary({ ...ctx, db }, { space, head, type: "edits", changes: { put, remove: [] } });
  });
  return { asked, most, largest: Math.max(most.asked, most.returned) };
}

test("a commit of many pages sends and receives no more at once than one of fewer, and writes as it reads", async () => {
  const [some, many] = [await committing(150), await committing(600)];
  expect(many.largest).toBeLessThan(some.largest * 1.1);
  for (const written of ["insert into reference", "insert into search_page", "insert into search_section"]) {
    const first = many.asked.findIndex((query) => query.includes(written));
    const last = many.asked.findLastIndex((query) => query.includes(written));
    const meanwhile = many.asked.slice(first, last).filter((query) => query.includes('"markdown"'));
    // What the search is to find beyond the first 500 pages is put into its index by a job.
    expect(meanwhile.length, written).toBeGreaterThanOrEqual(7);
  }
});

test("a commit of large pages sends and receives no more at once than one of small ones", async () => {
  const [small, large] = [await committing(200), await committing(20, LINKS * 50)];
  expect(large.largest).toBeLessThan(small.largest * 1.5);
});

test("a commit of one long page reads it in slices", async () => {
  const { asked, most } = await committing(1, 40_000);
  const inserts = asked.filter((query) => query.includes("insert into search_section"));
  expect(inserts.length).toBeGreaterThan(1);
  expect(most.asked).toBeLessThan(2_500_000);
});
