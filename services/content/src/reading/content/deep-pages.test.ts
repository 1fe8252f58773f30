import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { MAX_DEPTH } from "../../store/entries.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Change = Parameters<typeof admin.changeRequests.edit>[0]["changes"][number];

interface Nested {
  id: string;
  title: string;
  path: string;
  pages?: Nested[];
}
const line = (pages: Nested[]): Nested[] => pages.flatMap((page) => [page, ...line(page.pages ?? [])]);

async function edit(spaceId: string, ...changes: Change[]) {
  const one = { spaceId, changeRequestId: (await admin.changeRequests.create({ spaceId })).id };
  await admin.changeRequests.edit({ ...one, changes });
  return one;
}

async function merge(spaceId: string, ...changes: Change[]) {
  expect((await admin.changeRequests.merge(await edit(spaceId, ...changes))).result).toBe("merge");
}

const page = (number: number): Change => ({
  operation: "insert_page",
  title: `P${number}`,
  document: { markdown: "A lighthouse, not [the first](/p1.md).\n" },
});

/**
 * A space with a line of pages, P1 on top, as releases without the bound may have left it; its rows are written by hand, as
 * no edit of today nests pages so deep. Returns the ids from the top down.
 */
async function spaceOf(levels: number, values: Parameters<typeof t.space>[0] = {}) {
  const spaceId = await t.space(values);
  const numbers = Array.from({ length: levels }, (_, at) => at + 1);
  for (let at = 0; at < levels; at += 40) await merge(spaceId, ...numbers.slice(at, at + 40).map(page));
  await sql`update entry set parent = above.id from entry above
    where entry.branch = ${spaceId} and above.branch = ${spaceId} and entry.to_seq is null and above.to_seq is null
      and entry.kind = 'page' and above.kind = 'page'
      and substr(entry.title, 2)::int = substr(above.title, 2)::int + 1`.execute(t.db);
  // A revision that nobody has read yet.
  await merge(spaceId, {
    operation: "insert_page",
    title: "Beside",
    document: { markdown: "[Deep](/p1.md)\n" },
  });
  const { pages } = await admin.content.pages({ spaceId });
  const [first] = pages as Nested[];
  return { spaceId, nested: line([first!]) };
}

test.each([40, MAX_DEPTH, 2 * MAX_DEPTH])(
  "pages that are nested %i deep are read, found and linked",
  async (levels) => {
    const { spaceId, nested } = await spaceOf(levels);
    expect(nested.map(({ title }) => title)).toEqual(Array.from({ length: levels }, (_, at) => `P${at + 1}`));
    const [top, deepest] = [nested[0]!, nested.at(-1)!];
    expect(deepest.path.split("/")).toHaveLength(levels);
    for (const { id, title } of [top, nested[levels - 20]!, deepest]) {
      expect(await admin.content.page({ spaceId, pageId: id })).toMatchObject({ id, title });
      await admin.content.pageDocument({ spaceId, pageId: id });
      await admin.links.listOfPage({ spaceId, pageId: id });
      await admin.links.pageBacklinks({ spaceId, pageId: id });
    }
    const pagePath = deepest.path;
    expect(await admin.content.pageAtPath({ spaceId, pagePath })).toMatchObject({ id: deepest.id });
    await expect(admin.content.pageAtPath({ spaceId, pagePath: `${pagePath}/more` })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await admin.links.list({ spaceId })).count).toBeGreaterThan(0);
    expect((await admin.search.inSpace({ spaceId, query: "lighthouse", limit: 200 })).count).toBe(levels);
    const found = await admin.search.inOrganization({ organizationId: "acme", query: "lighthouse" });
    expect(found.count).toBeGreaterThan(0);
    await admin.comments.post({ spaceId, page: deepest.id, body: { markdown: "x" } });
    expect((await admin.comments.list({ spaceId })).items[0]).toMatchObject({ body: { markdown: "x" } });
  },
);

test("pages that are nested too deep are edited, moved up and deleted, and nothing is put below them", async () => {
  const levels = 2 * MAX_DEPTH;
  const { spaceId, nested } = await spaceOf(levels);
  const deepest = nested.at(-1)!.id;
  const rewritten: Change = { operation: "update_page", page: deepest, title: "Rewritten" };
  const one = await edit(spaceId, rewritten);
  expect((await admin.changes.ofChangeRequest(one)).changes).toHaveLength(1);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  await expect(edit(spaceId, { ...page(0), into: deepest } as Change)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("nest at most"),
  });
  await merge(spaceId, { operation: "update_page", page: nested[levels - 10]!.id, into: null });
  await merge(spaceId, { operation: "delete_page", page: nested[levels - 30]!.id });
  const { pages } = await admin.content.pages({ spaceId });
  expect(line(pages as Nested[])).toHaveLength(levels - 20 + 1);
  const revision = (await admin.spaces.get({ spaceId })).revision;
  await admin.changes.ofRevision({ spaceId, revisionId: revision });
});

test("visitors of a public space see no page whose line does not reach the top, where conditions may be", async () => {
  const { spaceId, nested } = await spaceOf(2 * MAX_DEPTH, { visibility: "public" });
  const visitor = t.as({ beta: "admin" }, { id: "eve" });
  const [near, far] = [nested[MAX_DEPTH - 1]!.id, nested.at(-1)!.id];
  await visitor.content.page({ spaceId, pageId: near });
  await merge(spaceId, { operation: "update_page", page: nested[0]!.id, condition: "visitor.claims.beta" });
  for (const pageId of [near, far]) {
    await expect(visitor.content.page({ spaceId, pageId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(visitor.content.pageDocument({ spaceId, pageId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});
