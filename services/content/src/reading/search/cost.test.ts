import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { genericReads } from "../../testing/generic-plans.js";
import { spaceWith } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);

/** Pages of the space that hold the words: more than are found in one walk. */
const FOUND = 40;
/** Pages of another space, each with words of its own. */
const PAGES = 30_000;
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
  await sql`vacuum analyze search_page`.execute(t.db);
});

const searches: Record<string, string> = {
  "one word": "heather",
  "words that are in texts alone": "walk heather",
  "half a word": "walk heath",
  "a phrase": '"walk through"',
  "words of which one is nowhere": "walk heather nowhere",
  "a mistake": "walk haether",
};

test.each(Object.entries(searches))(
  "a search for %s reads few of all pages under plans made for any values",
  async (_, query) => {
    const reads = await genericReads(t, async (caller) => {
      const { count } = await caller.search.inSpace({ spaceId, query });
      expect(count).toBe(FOUND);
    });
    const ofPages = reads.filter(({ text }) => /search_page/.test(text));
    expect(ofPages.length).toBeGreaterThan(0);
    expect(ofPages.filter(({ rows }) => rows > FEW)).toEqual([]);
  },
);
