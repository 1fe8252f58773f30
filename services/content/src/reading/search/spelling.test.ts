import { afterAll, beforeAll, expect, test } from "vitest";
import { keysNear, keysOf, mistakesIn } from "../../search-index/spelling-keys.js";
import { contentTest } from "../../testing/content.js";
import { seeded } from "../../testing/trees.js";
import { mistakesBetween } from "./distance.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

let spaceId: string;
beforeAll(async () => {
  spaceId = await spaceWith(t, [
    "# Installation\n\nDownload the package and follow the wizard.\n",
    "# Permissions\n\n## Roles\n\nEvery administrator may invite colleagues.\n",
    "# Größenordnung\n\nEine Übersicht der Anhänge.\n",
    "# Release 2024\n\nVersion alpha17 of the compiler, and alpha18 of the linker.\n",
    "# Форма\n\nНастройка резервного копирования.\n",
  ]);
});
const found = async (query: string) => titles(await admin.search.inSpace({ spaceId, query }));

test.each([
  ["a letter too many", "packagge", "Installation"],
  ["a letter too few", "wizrd", "Installation"],
  ["another letter", "wixard", "Installation"],
  ["swapped letters", "wziard", "Installation"],
  ["a wrong first letter", "qizard", "Installation"],
  ["swapped last letters", "wizadr", "Installation"],
  ["two mistakes in a long word", "admnistrater", "Permissions"],
  ["two swaps in a long word", "amdinistrtaor", "Permissions"],
  ["a mistake in one of several words", "invite colleageus", "Permissions"],
  ["a mistake in each word", "evry adminstrator", "Permissions"],
  ["a mistake in a title", "permisions", "Permissions"],
  ["a mistake in a beginning", "instlal", "Installation"],
  ["a mistake in a long beginning", "administtra", "Permissions"],
  ["mistake and accents", "ubersciht", "Größenordnung"],
  ["another script", "настроика", "Форма"],
])("%s: %s", async (_, query, title) => {
  expect(await found(query)).toEqual([title]);
});

test.each([
  ["two mistakes in a short word", "wixrd"],
  ["a mistake in a word of three letters", "hte"],
  ["a mistake in a number or a name with digits", "alpha19"],
  ["three mistakes", "administooorr"],
  ["a mistake in quotes", '"the wizrd"'],
])("%s finds nothing: %s", async (_, query) => {
  expect(await found(query)).toEqual([]);
});

test("what is there as it was typed is found alone", async () => {
  const spaceId = await spaceWith(t, ["# One\n\nlantern\n", "# Two\n\nlanterns\n", "# Three\n\nlantirn\n"]);
  const query = "lantirn ";
  expect(titles(await admin.search.inSpace({ spaceId, query }))).toEqual(["Three"]);
  expect(titles(await admin.search.inSpace({ spaceId, query: "lantarn " }))).toEqual(["One", "Three"]);
});

test("an excerpt shows the word that was meant", async () => {
  const long = "Much is said before it. ".repeat(40);
  const spaceId = await spaceWith(t, [`# Page\n\n${long}\n\nThe hippopotamus sleeps. ${long}\n`]);
  const { items } = await admin.search.inSpace({ spaceId, query: "hipopotamus" });
  expect(items[0]!.sections![0]!.body).toContain("hippopotamus");
});

test("mistakes are corrected in an organization too, to words that the caller may read", async () => {
  const organization = "spelling-org";
  const writer = t.as({ [organization]: "admin" });
  await spaceWith(t, ["# Open\n\nA marmalade sandwich.\n"], { organization, title: "Open" });
  await spaceWith(t, ["# Closed\n\nA watermelon sandwich.\n"], {
    organization,
    title: "Closed",
    default_level: null,
  });
  const reader = t.as({ [organization]: "read" }, { id: "reader" });
  const search = async (caller: typeof writer, query: string) =>
    titles(await caller.search.inOrganization({ organizationId: organization, query }));
  expect(await search(reader, "marmelade")).toEqual(["Open"]);
  expect(await search(reader, "watermelom")).toEqual([]);
  expect(await search(writer, "watermelom")).toEqual(["Closed"]);
});

test("a word that is a mistake away shares a key with it", () => {
  const random = seeded(5);
  const letter = () => String.fromCharCode(97 + Math.floor(random() * 26));
  const place = (below: number) => Math.floor(random() * below);
  const mistake = (word: string) => {
    const at = place(word.length);
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    return [
      () => before + after,
      () => before + letter() + word.slice(at),
      () => before + letter() + after,
      () => before + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
    ][place(4)]!();
  };
  for (let round = 0; round < 5_000; round += 1) {
    const word = Array.from({ length: 4 + place(12) }, letter).join("");
    const typed = mistake(word);
    const mistakes = mistakesIn(typed);
    expect(mistakesBetween(typed, word)).toBeLessThanOrEqual(1);
    if (mistakes === 0) continue;
    const near = new Set(keysNear(typed, mistakes));
    expect(
      keysOf(word).some((key) => near.has(key)),
      `${typed} for ${word}`,
    ).toBe(true);
  }
});

test.each([
  ["", "", 0],
  ["abc", "", 3],
  ["kitten", "sitting", 3],
  ["abcd", "acbd", 1],
  ["ca", "abc", 3],
  ["𝒳y", "y𝒳", 1],
])("from %s to %s it is %i mistakes", (typed, word, mistakes) => {
  expect(mistakesBetween(typed, word)).toBe(mistakes);
  expect(mistakesBetween(word, typed)).toBe(mistakes);
});
