import { expect, test } from "vitest";
import { feedbackIn, languageOf, recordedUrl } from "./feedback.js";
import { LONGEST_COMMENT } from "./limits.js";

test("a comment is cut without leaving half of an emoji, and what cannot be stored is left out", () => {
  const commentOf = (text: string) => feedbackIn("good", text)?.comment;
  const almost = "a".repeat(LONGEST_COMMENT - 1);
  expect(commentOf(`${almost}😀`)).toBe(almost);
  expect(commentOf(`${almost.slice(1)}😀`)).toBe(`${almost.slice(1)}😀`);
  expect(commentOf(" one\0\ud83d\r\ntwo ")).toBe("one\ntwo");
  expect(feedbackIn("good", " \0 ")).toEqual({ rating: "good" });
  expect(feedbackIn("great", "text")).toBeUndefined();
});

test("the language of a reader is the first one that the browser names, and not longer than insights store", () => {
  const of = (value?: string) => languageOf({ headers: { "accept-language": value } });
  expect([of("de-CH, en;q=0.8"), of("*"), of(undefined)]).toEqual(["de-CH", null, null]);
  expect(of(`en${"-abcdefgh".repeat(100)}`)).toBe(`en${"-abcdefgh".repeat(6)}`);
});

test("the address of a page is stored as it is, and as that of its space where it is longer than insights store", () => {
  const place = { canonical: "https://docs.example.com/" };
  expect(recordedUrl(place, "page")).toBe("https://docs.example.com/page");
  expect(recordedUrl(place, "%E9%A0%81".repeat(224))).toBe(
    `https://docs.example.com/${"%E9%A0%81".repeat(224)}`,
  );
  expect(recordedUrl(place, "%E9%A0%81".repeat(225))).toBe("https://docs.example.com/");
});
