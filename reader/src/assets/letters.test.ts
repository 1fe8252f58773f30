import { expect, test } from "vitest";
import { lettersIn, lettersOf } from "./letters.js";

test("accents are seen wherever they are, and signs of English are none", () => {
  for (const text of ["caf\u00e9", "\u00bfQu\u00e9?", "\u0152uvre"])
    expect(lettersIn(text, "en"), text).toEqual({ own: "english", more: true, others: false });
  for (const text of ["A page \u00b7 A site", "\u201cSo\u201d \u2014 \u00a9 2\u00d73\u2026", "\u4e2d\u6587"])
    expect(lettersIn(text, "en"), text).toEqual({ own: "english", more: false, others: false });
});

test("what a language is written in comes with its letters, and no more", () => {
  const texts = {
    de: "\u00dcber gr\u00f6\u00dfere \u00c4nderungen, \u201eja\u201c",
    sv: "\u00c5terst\u00e4ll \u00f6vers\u00e4ttningen",
    nb: "P\u00e5 nytt s\u00f8k i \u00e6ren",
    nl: "E\u00e9n co\u00f6rdinaat, ge\u00ebist",
    es: "\u00bfQu\u00e9 a\u00f1o? \u00a1M\u00e1s all\u00e1 del ping\u00fcino!",
    fr: "\u00ab O\u00f9 est-ce \u00bb : \u0153uvre, na\u00eff, \u00c7a, f\u00eate",
    it: "Perch\u00e9 cos\u00ec, pi\u00f9 citt\u00e0",
    "pt-br": "A\u00e7\u00e3o, voc\u00ea, \u00e0s \u00faltimas li\u00e7\u00f5es",
  };
  for (const [language, text] of Object.entries(texts))
    expect(lettersIn(text, language).more, language).toBe(false);
  expect(lettersIn(texts.es, "de").more).toBe(true);
  expect(lettersIn(texts.sv, "fr").more).toBe(true);
  for (const language of ["zh", "ja", "ru", "ar", "he", "estonian", ""])
    expect(lettersOf(language), language).toBeUndefined();
});

test("a page in English has the letters of what it is written in", () => {
  const spanish = "<p>La instalaci\u00f3n est\u00e1 aqu\u00ed: \u00bfqu\u00e9 m\u00e1s?</p>".repeat(20);
  expect(lettersIn(spanish, "en")).toEqual({ own: "romance", more: false, others: false });
  expect(lettersIn(spanish.replaceAll("\u00e1", "\u00e5"), "en").own).toBe("germanic");
  expect(lettersIn(spanish, "zh").own).toBe("romance");
  expect(lettersIn(spanish, "de")).toEqual({ own: "germanic", more: true, others: false });
  const plain = "<p>Plain text of a page. ".repeat(2_000);
  for (const english of ["caf\u00e9 ".repeat(9), `${plain}${"caf\u00e9 ".repeat(20)}`])
    expect(lettersIn(english, "en")).toEqual({ own: "english", more: true, others: false });
});

test("letters that fonts have in files of their own are seen", () => {
  const others = { Greek: "\u03c0", Cyrillic: "\u041f", Vietnamese: "\u1ea1", Polish: "\u0142" };
  for (const [name, text] of Object.entries(others)) expect(lettersIn(text, "en").others, name).toBe(true);
  expect(lettersIn("\u4e2d\u6587 \u2192 \u20ac \u{1f680} \u05d0 \u0627", "en").others).toBe(false);
});
