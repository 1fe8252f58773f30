import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const search = (spaceId: string, query: string) => admin.search.inSpace({ spaceId, query });

test("the title that is just this comes first, then titles, headings, and texts", async () => {
  const spaceId = await spaceWith(t, [
    "# Text\n\nBackup backup backup, said the text about the backup.\n",
    "# Heading\n\n## Restore a backup\n\nWords.\n",
    "# The backup of a database\n\nWords.\n",
    "# Backup\n\nWords.\n",
    "# Nothing\n\nWords.\n",
  ]);
  expect(titles(await search(spaceId, "backup"))).toEqual([
    "Backup",
    "The backup of a database",
    "Heading",
    "Text",
  ]);
});

test("a text that has the word often comes before one that has it once", async () => {
  const filler = "Other words stand here. ".repeat(5);
  const spaceId = await spaceWith(t, [
    `# Once\n\n${filler}quota ${filler}\n`,
    `# Often\n\nquota ${filler} quota ${filler} quota\n`,
  ]);
  expect(titles(await search(spaceId, "quota"))).toEqual(["Often", "Once"]);
});

test("words may stand in different sections; the exact phrase comes first", async () => {
  const spaceId = await spaceWith(t, [
    "# A\n\nReset the counter. Your password is secret.\n",
    "# B\n\nWords.\n\n## One\n\nHow to reset it.\n\n## Two\n\nThe password.\n",
    "# C\n\nPlease reset password and name.\n",
    "# D\n\nA password only.\n",
  ]);
  expect(titles(await search(spaceId, "reset password"))).toEqual(["C", "A", "B"]);
  const [, , apart] = (await search(spaceId, "reset password")).items;
  expect(apart!.sections!.map(({ title }) => title).sort()).toEqual(["One", "Two"]);
});

test("quotes search for the phrase itself, with any kind of quotation marks", async () => {
  const spaceId = await spaceWith(t, [
    "# Apart\n\nThe coffee of this house.\n",
    "# Together\n\nThe Coffee-House opens.\n",
    "# Coffee\n\nHouse of it.\n",
  ]);
  for (const query of ['"coffee house"', "“coffee house”", "«Coffee House»", '"coffee house" opens']) {
    expect(titles(await search(spaceId, query)), query).toEqual(["Together"]);
  }
  expect((await search(spaceId, '"house coffee"')).count).toBe(0);
  expect((await search(spaceId, '"coffe"')).count).toBe(0);
});

test("half a word finds the words that begin with it, until a space ends it", async () => {
  const spaceId = await spaceWith(t, ["# Kubernetes\n\nClusters.\n", "# Kube\n\nA cube.\n"]);
  expect(titles(await search(spaceId, "kube"))).toEqual(["Kube", "Kubernetes"]);
  expect(titles(await search(spaceId, "k"))).toEqual(["Kube", "Kubernetes"]);
  expect(titles(await search(spaceId, "kube "))).toEqual(["Kube"]);
  expect(titles(await search(spaceId, "clusters kub"))).toEqual(["Kubernetes"]);
});

test("a result shows the sections that match, with their anchors and the text around the words", async () => {
  const before = "Long before it, much was said. ".repeat(30);
  const after = "Long after it, more was said. ".repeat(30);
  const spaceId = await spaceWith(t, [
    `# Guide\n\n${before}The first pelican lands. ${after}\n\n## Birds <a id="birds"></a>\n\nA pelican.\n\n## Fish\n\nNone.\n`,
  ]);
  const { items } = await search(spaceId, "pelican");
  const sections = items[0]!.sections!;
  expect(sections.map(({ id, path }) => [id, path])).toEqual(
    expect.arrayContaining([
      ["birds", "guide#birds"],
      [items[0]!.id, "guide"],
    ]),
  );
  expect(sections).toHaveLength(2);
  const intro = sections.find(({ path }) => path === "guide")!;
  expect(intro.body).toMatch(/^….*first pelican lands.*…$/);
  expect(intro.body.length).toBeLessThanOrEqual(242);
  expect(intro.urls.app).toBe(`http://app.test/s/${spaceId}/${items[0]!.id}`);
});

test("words far into a long section are found, with an excerpt around them", async () => {
  const filler = "Much is written here that nobody looks for. ";
  const spaceId = await spaceWith(t, [
    `# Long\n\n## Part\n\n${filler.repeat(3_000)}\n\nThe needle itself. ${filler.repeat(100)}\n`,
  ]);
  const { items } = await search(spaceId, "needle");
  expect(items[0]!.sections).toMatchObject([{ title: "Part", path: "long#part" }]);
  expect(items[0]!.sections![0]!.body).toContain("The needle itself.");
});

test("a page is found by its description, and by its own heading when the contents call it otherwise", async () => {
  const spaceId = await spaceWith(t, ["---\ndescription: All about zeppelins\n---\n\n# Airships\n\nText.\n"]);
  expect(titles(await search(spaceId, "zeppelins"))).toEqual(["Airships"]);
  const { pages } = await admin.content.pages({ spaceId });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const changes = [{ operation: "update_page" as const, page: pages[0]!.id, title: "Balloons" }];
  await admin.changeRequests.edit({ ...one, changes });
  await admin.changeRequests.merge(one);
  expect(titles(await search(spaceId, "balloons"))).toEqual(["Balloons"]);
});

test.each(['"', '""', "'; drop table & | ! :* <->", "\\", "(((", "…—!?", "🚀", '"""', "   ", "%_", "\u0301"])(
  "%s holds no word, and finds nothing",
  async (query) => {
    const spaceId = await t.space();
    expect(await search(spaceId, query)).toMatchObject({ count: 0, items: [] });
  },
);

test.each([
  '"open',
  'open"',
  "open & !open",
  "open:*",
  "'open'",
  "open\\",
  "-open",
  "(open",
  "open <-> ",
  'a "open',
])("%s is no error", async (query) => {
  const spaceId = await spaceWith(t, ["# Open\n\nA door.\n"]);
  expect(titles(await search(spaceId, query))).toEqual(["Open"]);
});

test("a query of 512 characters returns a result", async () => {
  const spaceId = await t.space();
  for (const text of ["a ", "x", "資", "문서 ", "ไทย", "ab", '"a b" ', "ال", "é "]) {
    const query = text.repeat(512).slice(0, 512);
    expect((await search(spaceId, query)).count, text).toBe(0);
  }
});

test("GET search finds pages that hold fewer words when none holds all, those with most words first", async () => {
  const spaceId = await spaceWith(t, [
    "# Three\n\nRotate the signing key.\n",
    "# Two\n\nRotate a key of the lock.\n",
    "# One\n\nThe signing of letters.\n",
    "# Rotate\n\nA key in the door.\n",
    "# None\n\nNothing of it.\n",
  ]);
  expect(titles(await search(spaceId, "rotate signing key xylophone"))).toEqual([
    "Three",
    "Rotate",
    "Two",
    "One",
  ]);
  expect(titles(await search(spaceId, "key xylophone"))).toHaveLength(3);
  expect(titles(await search(spaceId, "rotate signing key"))).toEqual(["Three"]);
  expect((await search(spaceId, "xylophone zither")).count).toBe(0);
});

test("GET search finds a page by five right words and a wrong one, and by corrected ones beside it", async () => {
  const spaceId = await spaceWith(t, [
    "# Backups\n\nHow to restore the nightly backup of a database server.\n",
    "# Other\n\nThe server.\n",
  ]);
  const found = await search(spaceId, "restore nightly backup database server qwertz ");
  expect(titles(found)).toEqual(["Backups", "Other"]);
  expect(found.items[0]!.sections![0]!.body).toContain("nightly");
  expect(titles(await search(spaceId, "restroe nigthly xqzxqz"))).toEqual(["Backups"]);
  expect(titles(await search(spaceId, `${"unheard ".repeat(20)} nightly database`))).toEqual(["Backups"]);
});

test("GET search finds no page without what stands in quotes, however many words are missing", async () => {
  const spaceId = await spaceWith(t, ["# Apart\n\nThe house of coffee beans.\n", "# Tea\n\nTea house.\n"]);
  expect((await search(spaceId, '"coffee house" beans unheard')).count).toBe(0);
  expect((await search(spaceId, '"sugar" house coffee')).count).toBe(0);
  expect(titles(await search(spaceId, '"coffee" unheard house'))).toEqual(["Apart"]);
});

test("GET search finds in an organization, too, what holds fewer words", async () => {
  const organization = "fewer-words";
  const spaceId = await spaceWith(t, ["# Kettle\n\nBoil the water.\n"], { organization });
  const guest = t.as({ [organization]: null });
  const member = t.as({ [organization]: "admin" });
  const input = { organizationId: organization, query: "boil water unheard" };
  expect((await member.search.inOrganization(input)).items.map(({ id }) => id)).toEqual([spaceId]);
  expect((await guest.search.inOrganization(input)).items).toEqual([]);
});
