import { expect, test } from "vitest";
import { randomText, seeded } from "../testing/random.js";
import { fileSlug, slugGiver, slugify, uniqueSlug } from "./slug.js";

test.each([
  ["Getting Started", "getting-started"],
  ["Credentials & Data", "credentials-and-data"],
  ["  What's  new?! ", "whats-new"],
  ["Éléphant Ångström straße", "elephant-angstrom-strasse"],
  ["U.S. State API v2.1", "u.s.-state-api-v2.1"],
  ["pg_dump", "pg_dump"],
  ["🚀 Introduction", "introduction"],
  ["簡介 與 安裝", "簡介-與-安裝"],
  ["한국어 문서", "한국어-문서"],
  ["ไทย", "ไทย"],
  ["й ё", "й-ё"],
  ["...", "page"],
  ["🚀", "page"],
])("slugify(%j) is %j", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("slugify returns the caller's fallback when nothing is left, and cuts long titles", () => {
  expect(slugify("🎉", "group")).toBe("group");
  expect(slugify("a".repeat(500))).toHaveLength(100);
});

test.each([
  ["v2.1.4-migration-guide", "v2.1.4-migration-guide"],
  ["the-pg_hba.conf-file", "the-pg_hba.conf-file"],
  ["CHANGELOG", "CHANGELOG"],
  ["My Page", "My-Page"],
  ["a - b", "a-b"],
  ["Größe (neu)", "Grosse-neu"],
  ["日本語", "日本語"],
  ["..", "page"],
  ["🎉", "page"],
])("fileSlug(%j) is %j", (name, slug) => {
  expect(fileSlug(name)).toBe(slug);
});

test("slugs of any text are safe in a URL path", () => {
  const random = seeded(1);
  for (let round = 0; round < 500; round += 1) {
    const text = randomText(random);
    for (const slug of [slugify(text), fileSlug(text)]) {
      expect(slug).toMatch(/^[\p{L}\p{N}\p{M}._~-]+$/u);
      expect(slug).not.toMatch(/^\.+$/);
    }
  }
});

test("uniqueSlug counts up to the first free slug", () => {
  expect(uniqueSlug("a", new Set())).toBe("a");
  expect(uniqueSlug("a", new Set(["a", "a-1"]))).toBe("a-2");
});

test("slugGiver never returns a slug twice, also when a numbered one is requested by name", () => {
  const give = slugGiver();
  expect(["a", "a", "a-1", "a", "b"].map(give)).toEqual(["a", "a-1", "a-1-1", "a-2", "b"]);
});
