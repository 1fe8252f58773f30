import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { FAMILIES } from "./font-families.js";
import type { SheetLetters } from "./font-files.js";
import { findFont, fontSheet, latinFiles } from "./font-files.js";

const { resolve } = createRequire(import.meta.url);
const sheet = (text: string, mono: string, letters: SheetLetters = "english") =>
  String(findFont(fontSheet(text, mono, letters)!)!.body);
const facesIn = (css: string) =>
  [...css.matchAll(/@font-face \{[^}]*\}/g)].map(([rule]) => ({
    rule,
    file: /url\(([^)]+)\)/.exec(rule)![1]!,
  }));

test("the names of fonts are reserved whose licenses say so, and no others", () => {
  for (const [name, { package: from, reserved = false }] of Object.entries(FAMILIES)) {
    const license = readFileSync(resolve(`${from}/LICENSE`), "utf8");
    expect(reserved, name).toBe(/with Reserved Font Name|UBUNTU FONT LICENCE/i.test(license));
  }
});

test("each file that a style sheet names is there, is a font, and waits for nothing", () => {
  for (const name of Object.keys(FAMILIES))
    for (const { rule, file } of facesIn(sheet(name, "IBMPlexMono"))) {
      expect(rule, name).toContain("font-display: optional");
      expect(findFont(file)?.body?.subarray(0, 4).toString(), file).toBe("wOF2");
    }
});

const latinIn = (css: string) => facesIn(css).filter(({ file }) => /-latin-(?!ext)/.test(file));

test("Latin letters are cut in two, one with those of the language, both in the weights of pages alone", () => {
  const latin = latinIn(sheet("Inter", "none"));
  expect(latin.map(({ file }) => file)).toEqual(Object.values(latinFiles("Inter", "english")).flat());
  expect(latin[0]!.rule).toContain("unicode-range: U+0000-007E,U+00A0,U+00A9,U+00B7,");
  expect(latin[1]!.rule).toContain("unicode-range: U+007F-009F,U+00A1-00A8,U+00AA-00B6,");
  const romance = latinIn(sheet("Inter", "none", "romance"));
  expect(romance.map(({ file }) => file)).toEqual(Object.values(latinFiles("Inter", "romance")).flat());
  expect(romance[1]!.file).toBe(latin[1]!.file);
  expect(romance[0]!.rule).toContain("U+00A0-00A1,U+00A9-00AB,U+00B7,U+00BA-00BB,U+00BF-00C4,");
  expect(romance[1]!.rule).toContain("U+00A2-00A8,U+00AC-00B6,");
  for (const { rule } of latin) expect(rule).toContain("font-weight: 400 700;");
  const whole = readFileSync(resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
  const [basic, more] = latin.map(({ file }) => findFont(file)!.length);
  expect(basic).toBeLessThan(15_000);
  expect(more! + basic!).toBeLessThan(0.6 * whole.length);
});

test("a font whose name is reserved is sent as it is", () => {
  const whole = readFileSync(resolve("@fontsource/lato/files/lato-latin-400-normal.woff2"));
  for (const letters of ["english", "romance"] as const) {
    const { own, more } = latinFiles("Lato", letters);
    expect(findFont(own[0]!)!.body).toEqual(whole);
    expect(more).toEqual([]);
  }
});

test("a font whose weights are files of their own has all of them at once", () => {
  const { own, more } = latinFiles("Poppins", "romance");
  const names = [...own, ...more].map((file) => file.replace(/^.*~|\.[\w-]+\.woff2$/g, ""));
  const part = (name: string, weight: number) => `poppins-latin-${name}-${weight}-normal`;
  expect(names).toEqual([part("romance", 400), part("romance", 700), part("more", 400), part("more", 700)]);
  expect(latinFiles("Lato", "english").own).toHaveLength(2);
  expect(latinFiles("None", "english")).toEqual({ own: [], more: [] });
});

test("no other file is read, whatever a name says", () => {
  for (const name of ["font-Inter~inter-latin-english-wght-normal", "font-Inter~other", "font-None~inter"])
    expect(findFont(`${name}.0123456789.woff2`)).toBeUndefined();
  const [hashed = ""] = /\.[\w-]+\.woff2$/.exec(latinFiles("Inter", "english").own[0]!) ?? [];
  for (const file of ["lato-latin-400-normal", "inter-latin-ext-english-wght-normal", "package"])
    expect(findFont(`font-Inter~${file}${hashed}`), file).toBeUndefined();
  expect(findFont("fonts-Inter-none-english.0123456789.css")).toBeUndefined();
  const english = fontSheet("Inter", "none", "english")!;
  for (const letters of ["romance", "other", "constructor"])
    expect(findFont(english.replace("english", letters)), letters).toBeUndefined();
});
