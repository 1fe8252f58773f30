import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { isInSample, organizationTerm, sampleTerm, spaceTerm } from "../../lexemes/lexemes.js";
import { contentTest } from "../../testing/content.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

/** Texts first, so that no order but that of the tiers can put them last. */
const documents = [
  ...Array.from({ length: 12 }, (_, at) => `# Text ${at}\n\nA walk through the heather.\n`),
  ...Array.from({ length: 4 }, (_, at) => `# Part ${at}\n\nWords.\n\n## Heather ${at}\n\nMore.\n`),
  ...Array.from({ length: 3 }, (_, at) => `# The heather, volume ${at}\n\nWords.\n`),
  "# Heather\n\nWords.\n",
];

test("many pages are found in the order of few: title, titles, headings, texts", async () => {
  const spaceId = await spaceWith(t, documents);
  const all = await admin.search.inSpace({ spaceId, query: "heather" });
  expect(all.count).toBe(20);
  expect(titles(all).map((title) => title.replace(/\W*\d+/, ""))).toEqual([
    "Heather",
    ...Array(3).fill("The heather, volume"),
    ...Array(4).fill("Part"),
    ...Array(12).fill("Text"),
  ]);
  expect(
    all.items.every(({ sections }) => sections!.some(({ body, title }) => /heather/i.test(title + body))),
  ).toBe(true);
  const seen: string[] = [];
  for (let page: string | undefined, more = true; more; ) {
    const list = await admin.search.inSpace({ spaceId, query: "heather", limit: 7, page });
    seen.push(...list.items.map(({ id }) => id));
    page = list.next?.page;
    more = page !== undefined;
  }
  expect(seen).toEqual(all.items.map(({ id }) => id));
});

test("a word on more pages than are returned: the best come first, now and with its statistics", async () => {
  const spaceId = await spaceWith(t, documents);
  await sql`insert into search_page (space, page, organization, terms)
    select space, 'copy-' || n, organization, terms from search_page, generate_series(1, 2000) n
    where space = ${spaceId} and page = (select id from entry where branch = ${spaceId} and title = 'Text 0')`.execute(
    t.db,
  );
  const first = await admin.search.inSpace({ spaceId, query: "walk heather", limit: 40 });
  expect(first.count).toBe(1_000);
  expect(await admin.search.inSpace({ spaceId, query: "walk heather", limit: 41 })).toMatchObject({
    count: 1_000,
    items: first.items,
  });
  const one = await admin.search.inSpace({ spaceId, query: "heather", limit: 8 });
  expect(titles(one).slice(0, 1)).toEqual(["Heather"]);
  // The statistics of two words do not apply to a third.
  const fewer = await admin.search.inSpace({ spaceId, query: "walk heather volume" });
  expect(fewer.count).toBe(60);
  expect(
    titles(fewer)
      .slice(0, 3)
      .every((title) => title.startsWith("The heather, volume")),
  ).toBe(true);
  expect((await admin.search.inSpace({ spaceId, query: "heather volume" })).count).toBe(3);
});

test("a word that more pages hold than are found is found in all spaces of an organization", async () => {
  const organization = "many-org";
  const [large, small] = [
    await spaceWith(t, documents, { organization, title: "Large" }),
    await spaceWith(t, documents, { organization, title: "Small" }),
  ];
  for (const [space, copies] of [[large, 3_000] as const, [small, 300] as const]) {
    const samples = [spaceTerm(space), organizationTerm(organization)].map(sampleTerm);
    await sql`insert into search_page (space, page, organization, terms)
      select space, copy, organization, case when md5(copy) collate "C" < '2'
        then ts_delete(terms, ${samples}::text[]) || array_to_tsvector(${samples}::text[])
        else ts_delete(terms, ${samples}::text[]) end
      from search_page, generate_series(1, ${copies}::int) n, concat('copy-', n) copy
      where space = ${space} and page = (select id from entry where branch = ${space} and title = 'Text 0')`.execute(
      t.db,
    );
  }
  const writer = t.as({ [organization]: "admin" });
  const list = await writer.search.inOrganization({ organizationId: organization, query: "walk" });
  expect(titles(list).sort()).toEqual(["Large", "Small"]);
  const known = await writer.search.inOrganization({ organizationId: organization, query: "walk" });
  expect(known).toEqual(list);
});

test("a page is in the sample or not, and a copy of the space has one of its own", async () => {
  const spaceId = await spaceWith(t, documents);
  const { id: copy } = await admin.spaces.duplicate({ spaceId });
  for (const space of [spaceId, copy]) {
    const { rows } = await sql<{ page: string; sample: boolean }>`select page, tsvector_to_array(terms) @> ${[
      sampleTerm(spaceTerm(space)),
      sampleTerm(organizationTerm("acme")),
    ]} as sample from search_page where space = ${space}`.execute(t.db);
    expect(rows).toHaveLength(20);
    for (const { page, sample } of rows) expect(sample, page).toBe(isInSample(page));
  }
});
