import { expect, test } from "vitest";
import { isRightToLeft, spoken, wordsFor, wordsIn } from "./index.js";

const LANGUAGES = ["ar", "de", "en", "es", "fr", "he", "ja", "nl", "no", "pt-br", "ru", "zh"] as const;

test("each language has words of its own for everything", () => {
  const texts = (words: object): string[] =>
    Object.values(words).flatMap((word) => (typeof word === "object" ? texts(word) : String(word)));
  for (const language of LANGUAGES) {
    const words = wordsIn(language);
    expect(
      texts(words).filter((word) => word.trim() === ""),
      language,
    ).toEqual([]);
    if (language !== "en") expect(words.notFound, language).not.toBe(wordsIn("en").notFound);
    expect(words.results(3), language).toContain("3");
  }
});

test("a language is found by the names that spaces and browsers have for it", () => {
  const pairs = { "de-AT": "de", pt: "pt-br", "PT-BR": "pt-br", nb: "no", "zh-tw": "zh", iw: "he" };
  for (const [name, language] of Object.entries(pairs)) expect(spoken(name), name).toBe(language);
  for (const name of [undefined, "", "xx", "constructor", "__proto__"]) expect(spoken(name)).toBeUndefined();
  expect(wordsFor("xx, fr-CH;q=0.9, en;q=0.8").language).toBe("fr");
  expect(wordsFor(undefined).language).toBe("en");
});

test("languages that are written from right to left are recognised, also those that the frame is not translated to", () => {
  expect(["ar", "he", "fa-IR", "ur", "en", "ar-EG", "no"].filter(isRightToLeft)).toEqual([
    "ar",
    "he",
    "fa-IR",
    "ur",
    "ar-EG",
  ]);
});
