import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { FAMILIES } from "./font-families.js";
import { findFont, fontSheet, latinFile } from "./font-files.js";
import { hasMore } from "./font-parts.js";

const { resolve } = createRequire(import.meta.url);
const sheet = (text: string, mono: string) => String(findFont(fontSheet(text, mono)!)!.body);
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

test("Latin letters are cut in two, one with those of English, both in the weights of pages alone", () => {
  const latin = facesIn(sheet("Inter", "none")).filter(({ file }) => /-latin-(?!ext)/.test(file));
  expect(latin.map(({ file }) => file)).toEqual([latinFile("Inter", "basic"), latinFile("Inter", "more")]);
  expect(latin[0]!.rule).toContain("unicode-range: U+0000-007E,U+00A0,U+00A9,U+00B7,");
  expect(latin[1]!.rule).toContain("unicode-range: U+007F-009F,U+00A1-00A8,U+00AA-00B6,");
  for (const { rule } of latin) expect(rule).toContain("font-weight: 400 700;");
  const whole = readFileSync(resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
  const [basic, more] = latin.map(({ file }) => findFont(file)!.length);
  expect(basic).toBeLessThan(16_000);
  expect(more! + basic!).toBeLessThan(0.6 * whole.length);
});

test("a font whose name is reserved is sent as it is", () => {
  const whole = readFileSync(resolve("@fontsource/lato/files/lato-latin-400-normal.woff2"));
  expect(findFont(latinFile("Lato", "basic")!)!.body).toEqual(whole);
  expect(latinFile("Lato", "more")).toBeUndefined();
});

test("no other file is read, whatever a name says", () => {
  for (const name of ["font-Inter~inter-latin-basic-wght-normal", "font-Inter~other", "font-None~inter"])
    expect(findFont(`${name}.0123456789.woff2`)).toBeUndefined();
  const [hashed = ""] = /\.[\w-]+\.woff2$/.exec(latinFile("Inter", "basic")!) ?? [];
  for (const file of ["lato-latin-400-normal", "inter-latin-ext-basic-wght-normal", "package"])
    expect(findFont(`font-Inter~${file}${hashed}`), file).toBeUndefined();
  expect(findFont("fonts-Inter-none.0123456789.css")).toBeUndefined();
});

test("accents are seen wherever they are, and signs of English are none", () => {
  for (const text of ["caf\u00e9", "\u00bfQu\u00e9?", "\u0152uvre"]) expect(hasMore(text), text).toBe(true);
  for (const text of ["A page \u00b7 A site", "\u201cSo\u201d \u2014 \u00a9 2\u00d73\u2026", "\u4e2d\u6587"])
    expect(hasMore(text), text).toBe(false);
});
