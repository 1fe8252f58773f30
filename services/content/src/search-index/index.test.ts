import { transact } from "@octavo/shared/database/transact";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { spaceWith, titles } from "../reading/search/testing.js";
import { contentTest } from "../testing/content.js";
import { seeded } from "../testing/trees.js";
import { reindex } from "./reindex.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const search = (spaceId: string, query: string) => admin.search.inSpace({ spaceId, query });
const rows = async (table: string, space: string) =>
  (
    await sql<{
      text: string;
    }>`select t::text as text from ${sql.table(table)} t where space = ${space} order by 1`.execute(t.db)
  ).rows;
const TABLES = ["search_page", "search_section"];

/** Changes the primary content of a space. */
async function change(spaceId: string, changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
}

const LETTERS = [
  "abcdefghijklmnopqrstuvwxyz",
  "äéñßøŁĳ",
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
  "αάβγδεέζηήθιίκλμνξοόπρσςτυύφχψωώ",
  "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
  "ابةتثجحخدذرزسشصضطظعغفقكلمنهويىءأإآؤئ",
  "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經",
  "あいうえおかきくけこさしすせそアイウエオカキクケコガギグゲゴー",
  "가나다라마바사아자차카타파하문서공간편집",
  "กขคงจชซญดตถทนบปผพฟภมยรลวศษสหอฮ",
  "हिन्दीभाषामेंलिखा",
  "0123456789",
].map((letters) => [...letters]);

test.each([
  ["other words", Array.from({ length: 150_000 }, (_, at) => `word${at}`).join(" "), "word0 word4000"],
  ["letters without spaces", "สวัสดีชาวโลกภาษาไทย".repeat(20_000), "ภาษาไทย"],
])(
  "a page with a heading of nothing but %s, as long as a page may be, is found by its words",
  async (_, heading, query) => {
    const spaceId = await spaceWith(t, [`# Long\n\n## ${heading}\n`]);
    expect(titles(await search(spaceId, query))).toEqual(["Long"]);
  },
);

test("every word of a page finds that page, whatever it is made of", async () => {
  const random = seeded(23);
  const below = (limit: number) => Math.floor(random() * limit);
  const word = () => {
    const letters = LETTERS[below(LETTERS.length)]!;
    return Array.from({ length: 1 + below(9) }, () => letters[below(letters.length)]!).join("");
  };
  const pages = Array.from({ length: 12 }, (_, page) => ({
    title: `Page ${page}`,
    words: Array.from({ length: 30 }, word).filter((word) => /^\p{L}|\p{N}/u.test(word)),
  }));
  const spaceId = await spaceWith(
    t,
    pages.map(
      ({ title, words }) =>
        `# ${title}\n\n${words.slice(0, 15).join(" ")}\n\n## ${words[15]}\n\n${words.slice(16).join(", ")}\n`,
    ),
  );
  for (const { title, words } of pages) {
    for (const word of words) {
      expect(titles(await search(spaceId, word)), word).toContain(title);
      expect(titles(await search(spaceId, `${word} `)), word).toContain(title);
      expect(titles(await search(spaceId, `"${word.toUpperCase()}"`)), word).toContain(title);
    }
  }
});

test("every stretch of Chinese finds its page, and so does every word of real text", async () => {
  const texts = [
    "資料庫管理系統可以把網站的內容安全地保存起來",
    "このページではデータベースのバックアップを復元する方法と注意点を説明します",
    "เอกสารฉบับนี้อธิบายวิธีติดตั้งระบบฐานข้อมูลและการสำรองข้อมูลสำหรับผู้ดูแล",
    "새로운 문서를 만들려면 왼쪽 메뉴에서 공간을 선택하세요",
  ];
  const spaceId = await spaceWith(
    t,
    texts.map((text, at) => `# ${at}\n\n${text}\n`),
  );
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  for (const [at, text] of texts.entries()) {
    const words = Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter(Boolean);
    const stretches = at < 2 ? [...text].map((_, from) => [...text].slice(from, from + 3).join("")) : [];
    for (const query of [...words, ...stretches.map((stretch) => `"${stretch}"`)])
      expect(titles(await search(spaceId, query)), query).toContain(String(at));
  }
});

test("an edit writes the rows of the page that it changes, and no others", async () => {
  const spaceId = await spaceWith(
    t,
    Array.from({ length: 30 }, (_, at) => `# Page ${at}\n\nSome words.\n\n## More\n\nOthers.\n`),
  );
  const versions = async () =>
    new Map(
      (
        await sql<{ page: string; version: string }>`select page, string_agg(xmin::text, ' ') as version
          from search_section where space = ${spaceId} group by page`.execute(t.db)
      ).rows.map(({ page, version }) => [page, version]),
    );
  const { pages } = await admin.content.pages({ spaceId });
  const page = pages[7]!.id;
  const before = await versions();
  await change(spaceId, [{ operation: "update_page", page, document: { markdown: "# Page 7\n\nNew.\n" } }]);
  const after = await versions();
  const changed = [...after].filter(([id, version]) => before.get(id) !== version).map(([id]) => id);
  expect(changed).toEqual([page]);
});

test("an edit of a page writes the sections that it changes, and the index is as if it were made anew", async () => {
  const sections = ["One oboe.", "Two oboes.", "Three oboes."];
  const markdownOf = (texts: string[]) => texts.map((text, at) => `## Part ${at}\n\n${text}\n`).join("\n");
  const spaceId = await spaceWith(t, [`# Oboes\n\n${markdownOf(sections)}`]);
  const page = (await admin.content.pages({ spaceId })).pages[0]!.id;
  const versions = async () =>
    (
      await sql<{ version: string }>`select xmin::text as version from search_section
        where space = ${spaceId} order by ordinal`.execute(t.db)
    ).rows.map(({ version }) => version);
  /** Which sections are written when the page gets other ones; all that are there are as new ones would be. */
  const written = async (texts: string[], names: { title?: string; slug?: string } = {}) => {
    const before = await versions();
    const document = { markdown: markdownOf(texts) };
    await change(spaceId, [{ operation: "update_page", page, document, ...names }]);
    const after = await versions();
    const kept = await Promise.all(TABLES.map((table) => rows(table, spaceId)));
    // Out of the index and in again.
    for (const noIndex of [true, false]) await change(spaceId, [{ operation: "update_page", page, noIndex }]);
    expect(await Promise.all(TABLES.map((table) => rows(table, spaceId)))).toEqual(kept);
    return after.flatMap((version, at) => (version === before[at] ? [] : at));
  };
  expect(await written(sections)).toEqual([]);
  expect(await written(["One oboe.", "A bassoon.", "Three oboes."])).toEqual([2]);
  expect(await written(["One oboe.", "A bassoon.", "Three oboes.", "Four."])).toEqual([4]);
  expect(await written(["A bassoon.", "Four."])).toEqual([1, 2]);
  expect((await search(spaceId, "oboe three")).items[0]?.sections).not.toContainEqual(
    expect.objectContaining({ body: "Three oboes." }),
  );
  expect(await written(["A bassoon.", "Four."], { title: "Bassoons", slug: "reeds" })).toEqual([0]);
  // An earlier release has written these.
  await sql`update search_section set digest = null where space = ${spaceId}`.execute(t.db);
  expect(await written(["A bassoon.", "Five."])).toEqual([0, 1, 2]);
});

test("a page that leaves the search with noIndex comes back without it; a hidden one stays", async () => {
  const spaceId = await spaceWith(t, ["# Visible\n\nmandolin\n"]);
  const page = (await admin.content.pages({ spaceId })).pages[0]!.id;
  const count = async () => (await search(spaceId, "mandolin")).count;
  await change(spaceId, [{ operation: "update_page", page, noIndex: true }]);
  expect(await count()).toBe(0);
  for (const table of TABLES) expect(await rows(table, spaceId)).toEqual([]);
  await change(spaceId, [{ operation: "update_page", page, noIndex: false, hidden: true }]);
  expect(await count()).toBe(1);
});

test("a change that does not come about leaves the search as it was", async () => {
  const spaceId = await spaceWith(t, ["# Kept\n\noboe\n"]);
  const before = await Promise.all(TABLES.map((table) => rows(table, spaceId)));
  const broken = transact(t.ctx, async (ctx) => {
    const { indexPages } = await import("./index-pages.js");
    const { pages } = await admin.content.pages({ spaceId });
    await indexPages(ctx, {
      space: spaceId,
      organization: "acme",
      put: [],
      remove: pages.map(({ id }) => id),
    });
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");
  expect(await Promise.all(TABLES.map((table) => rows(table, spaceId)))).toEqual(before);
  expect((await search(spaceId, "oboe")).count).toBe(1);
});

test("the index that is made anew is the one that was kept in step", async () => {
  const spaceId = await spaceWith(t, ["# One\n\nbassoon\n\n## Two\n\nclarinet\n", "# Three\n\nflute\n"]);
  await change(spaceId, [
    { operation: "insert_page", document: { markdown: "# Four\n\nSopran und Größe\n" } },
  ]);
  const all = [...TABLES, "search_word"];
  const before = await Promise.all(all.map((table) => rows(table, spaceId)));
  for (const table of all) await sql`delete from ${sql.table(table)} where space = ${spaceId}`.execute(t.db);
  expect((await search(spaceId, "clarinet")).count).toBe(0);
  await reindex(t.db as Parameters<typeof reindex>[0]);
  expect(await Promise.all(all.map((table) => rows(table, spaceId)))).toEqual(before);
});

test("a page with more words than an index entry can hold is kept, and found by its first ones", async () => {
  const words = Array.from({ length: 60_000 }, (_, at) => `word${at.toString(36)}`).join(" ");
  const spaceId = await spaceWith(t, [`# Dictionary\n\n${words}\n`]);
  expect(titles(await search(spaceId, "wordrs"))).toEqual(["Dictionary"]);
  expect(titles(await search(spaceId, "dictionary"))).toEqual(["Dictionary"]);
});

test("a space in the trash is not found, and again when it is restored; a new title shows at once", async () => {
  const organization = "trash-org";
  const writer = t.as({ [organization]: "admin" });
  const spaceId = await spaceWith(t, ["# Page\n\nbagpipe\n"], { organization, title: "Before" });
  const found = async () =>
    titles(await writer.search.inOrganization({ organizationId: organization, query: "bagpipe" }));
  expect(await found()).toEqual(["Before"]);
  await writer.spaces.update({ spaceId, title: "After" });
  expect(await found()).toEqual(["After"]);
  await writer.spaces.remove({ spaceId });
  expect(await found()).toEqual([]);
  await expect(writer.search.inSpace({ spaceId, query: "bagpipe" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await writer.spaces.restore({ spaceId });
  expect(await found()).toEqual(["After"]);
});

test("a copy and a transferred space are found with all they hold, mistakes corrected", async () => {
  const [from, to] = ["leaving-org", "arriving-org"];
  const writer = t.as({ [from]: "admin", [to]: "admin" });
  const spaceId = await spaceWith(t, ["# Xylophone\n\nA marimba is larger.\n"], {
    organization: from,
    title: "Music",
  });
  const copy = await writer.spaces.duplicate({ spaceId });
  const found = async (organizationId: string, query: string) =>
    titles(await writer.search.inOrganization({ organizationId, query }));
  expect(await found(from, "xylophone")).toEqual(["Music", "Copy of Music"]);
  expect(
    (await writer.search.inSpace({ spaceId: copy.id, query: "marinba" })).items[0]!.sections,
  ).toHaveLength(1);
  await writer.spaces.transfer({ spaceId, organization: to });
  expect(await found(from, "xylophone")).toEqual(["Copy of Music"]);
  expect(await found(to, "xylophone")).toEqual(["Music"]);
  expect(await found(to, "xylo")).toEqual(["Music"]);
  expect(await found(to, "xylophnoe")).toEqual(["Music"]);
  expect((await writer.search.inSpace({ spaceId, query: "marimba" })).count).toBe(1);
});

test("what is searched for again is found without a look at the index from then on, until the content changes", async () => {
  const spaceId = await spaceWith(t, ["# One\n\nkazoo\n"]);
  const first = await search(spaceId, "kazoo");
  expect(await search(spaceId, "kazoo")).toEqual(first);
  await sql`delete from search_page where space = ${spaceId}`.execute(t.db);
  expect(await search(spaceId, "kazoo")).toEqual(first);
  expect((await search(spaceId, "kazo")).count).toBe(0);
  await expect(t.as({ beta: "admin" }).search.inSpace({ spaceId, query: "kazoo" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await change(spaceId, [{ operation: "insert_page", document: { markdown: "# Two\n\nkazoo\n" } }]);
  expect(titles(await search(spaceId, "kazoo"))).toEqual(["Two"]);
});
