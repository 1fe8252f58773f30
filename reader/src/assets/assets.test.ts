import { expect, test } from "vitest";
import { SIDE_SCRIPT } from "../frame/theme.js";
import { readAssets } from "./assets.js";
import { WEIGHTS } from "./font-parts.js";
import { placeOfIcon } from "./icons.js";

function siteCss(): string {
  const assets = readAssets();
  return String(assets.find(assets.styles(["site.css"]).split("/").at(-1)!)?.body);
}

/** Rules of symbols, which are drawn as large as text is but set in no font. */
const SYMBOLS = /icon|button|\.close/;

test("the style sheet sets texts in few sizes and weights: each pair on a page is a font to load before it is shown", () => {
  const css = siteCss();
  const values = { "font-size": new Set<string>(), "font-weight": new Set<string>() };
  for (const [, selector = "", body = ""] of css.matchAll(/([^{};]+)\{([^{}]*)\}/g))
    if (!selector.split(",").every((one) => SYMBOLS.test(one)))
      for (const [, property = "", value = ""] of body.matchAll(/\b(font-size|font-weight): ?([^;]+)/g))
        values[property as keyof typeof values].add(value.replace(/ ?!important/, "").trim());
  expect([...values["font-weight"]].toSorted()).toEqual([
    "700",
    "inherit",
    "var(--weight-bold)",
    "var(--weight-medium)",
  ]);
  // Beside them: parts of the size around, and the title of a page, which grows with the screen.
  const sizes = [...values["font-size"]].filter((value) => !/\dem$|^clamp/.test(value));
  expect(sizes.toSorted()).toEqual([
    "1.25rem",
    "1.6rem",
    "1rem",
    "var(--size-large)",
    "var(--size-small)",
    "var(--size-tiny)",
  ]);
  expect([...css.matchAll(/\bfont: ?[^;}]*\drem/g)].map(([font]) => font)).toEqual(["font:400 1rem"]);
});

test("the style sheet sets texts in weights that fonts have", () => {
  const css = siteCss();
  const weights = [...css.matchAll(/(?:font-weight|--weight-[a-z]+|font): ?(\d{3})\b/g)].map(([, weight]) =>
    Number(weight),
  );
  expect(new Set(weights)).toContain(550);
  expect(Math.min(...weights)).toBeGreaterThanOrEqual(WEIGHTS.min);
  expect(Math.max(...weights)).toBeLessThanOrEqual(WEIGHTS.max);
  expect(css).toContain("b,strong{font-weight:var(--weight-bold)");
});

test("the script of the sidebar runs from the width on at which the style sheet shows it beside the page", () => {
  const [, width] = /\((min-width:[\d.]+rem)\)/.exec(SIDE_SCRIPT) ?? [];
  const [, beside] = /@media ?\((min-width: ?[\d.]+rem)\) ?\{\s*\.side\[popover\]/.exec(siteCss()) ?? [];
  expect(width).toBe(beside?.replace(" ", ""));
  expect(width).toBeDefined();
});

test("scripts and styles of all pages are light: what a page loads has at most 10 and 12 kilobytes compressed", () => {
  const assets = readAssets();
  const sizeOf = (name: string) => assets.find(assets.url(name).split("/").at(-1)!)!.brotli!.length;
  expect(sizeOf("site.js")).toBeLessThanOrEqual(10_000);
  const asked = ["site.js", "try.js", "diagram.js"].map(sizeOf);
  expect(asked.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(10_000);
  expect(sizeOf("site.css") + sizeOf("operations.css")).toBeLessThanOrEqual(12_000);
});

test("files name others that are there: none has a placeholder left", () => {
  const assets = readAssets();
  const fileOf = (url: string) => assets.find(url.split("/").at(-1)!);
  for (const name of ["site.css", "diagram.html"]) {
    const text = String(fileOf(assets.url(name))!.body);
    expect(text, name).not.toContain("{{");
    const named = [...text.matchAll(/(?:mask:url\(|src=")([\w-]+\.[\w-]{10}\.(?:svg|js))/g)];
    expect(named.length, name).toBe(name === "site.css" ? 1 : 2);
    for (const [, file = ""] of named) expect(fileOf(file)?.length, file).toBeGreaterThan(500);
  }
});

test("the image of icons has one below the other, each where pages look for it", () => {
  const assets = readAssets();
  const image = String(assets.find(assets.url("icons.svg").split("/").at(-1)!)!.body);
  const places = [...image.matchAll(/<svg y="(\d+)"/g)].map(([, y]) => Number(y) / 512);
  expect(["copy", "markdown", "openai", "claude", "print", "book"].map(placeOfIcon)).toEqual(places);
  expect(() => placeOfIcon("other")).toThrow("The image has no icon other");
});
