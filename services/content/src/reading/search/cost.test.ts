import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { genericReads, plannedAnew, type Read } from "../../testing/generic-plans.js";
import { spaceWith } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);

/** Pages of the space that hold the words: more than are found in one walk. */
const FOUND = 40;
/** Pages of another space, each with words of its own. */
const PAGES = 30_000;
/** Spaces besides, in which nothing is found. */
const SPACES = 3_000;
/** Far below the pages of the table; each tier is a walk, which may read what it finds twice. */
const FEW = 1_000;

let spaceId: string;

beforeAll(async () => {
  const documents = Array.from({ length: FOUND }, (_, at) => `# Text ${at}\n\nA walk through the heather.\n`);
  spaceId = await spaceWith(t, documents);
  const other = await spaceWith(t, ["# Other\n\nThe sea and all ships that sail on it.\n"]);
  await sql`insert into search_page (space, page, organization, terms)
    select space, 'copy-' || n, organization,
      terms || array_to_tsvector(array(select 'word-' || n || '-' || m from generate_series(1, 20) m))
    from search_page, generate_series(1, ${PAGES}::int) n where space = ${other}`.execute(t.db);
  await sql`insert into space (id, organization, title, default_level, created_by, position, revision)
    select 'empty-' || n, organization, 'Empty', 'read', created_by, 'zz' || n, 'none-' || n
    from space, generate_series(1, ${SPACES}::int) n where id = ${other}`.execute(t.db);
  await sql`vacuum analyze search_page, space`.execute(t.db);
});

const searches: Record<string, string> = {
  "one word": "heather",
  "words that are in texts alone": "walk heather",
  "half a word": "walk heath",
  "a phrase": '"walk through"',
  "words of which one is nowhere": "walk heather nowhere",
  "a mistake": "walk haether",
};

function expectFew(reads: Read[]) {
  const ofIndex = reads.filter(({ text }) => /search_page|search_word/.test(text));
  expect(ofIndex.length).toBeGreaterThan(0);
  expect(ofIndex.filter(({ rows }) => rows > FEW)).toEqual([]);
}

test.each(Object.entries(searches))(
  "a search for %s reads few of all pages under plans made for any values",
  async (_, query) => {
    const reads = await genericReads(t, async (caller) => {
      const { count } = await caller.search.inSpace({ spaceId, query });
      expect(count).toBe(FOUND);
    });
    expectFew(reads);
  },
);

/** Pages of the space that a search of the organization shows. */
const OF_SPACE = 10;

test.each(Object.entries(searches))(
  "a search of an organization for %s reads few of all pages and spaces under plans made for any values",
  async (_, query) => {
    const reads = await genericReads(t, async (caller) => {
      const { items } = await caller.search.inOrganization({ organizationId: "acme", query });
      expect(items.map(({ id, pages }) => [id, pages.length])).toEqual([[spaceId, OF_SPACE]]);
    });
    expectFew(reads);
  },
);

test("searches of an organization keep their plans", async () => {
  const search = (query: string) => (caller: ReturnType<typeof t.as>) =>
    caller.search.inOrganization({ organizationId: "acme", query });
  for (const query of Object.values(searches)) expect(await plannedAnew(t, search(query))).toEqual([]);
});
