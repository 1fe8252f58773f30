import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import { latinFiles } from "../assets/font-files.js";
import type { Site } from "../site/site.js";
import { customization } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { htmlOf } from "./document.js";

// Cast: what stands around a page of a site, of all that it is.
const site = {
  title: "A site",
  spaces: [],
  sections: [],
  variants: [],
  customization,
  language: "en",
  words: wordsIn("en"),
} as unknown as Site;

const pageOf = (body: string, language = "en", changes: object = {}) =>
  htmlOf({
    site: { ...site, language, ...changes },
    assets: readAssets().below("/"),
    links: { link: () => undefined } as never, // Cast: nothing of the customization is a reference.
    home: "/",
    title: "A page",
    noIndex: false,
    body,
  });

test("a page loads the letters of its language at once, and others where it has some", () => {
  const preload = (file: string) =>
    `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/~octavo/assets/${file}"/>`;
  const [english, romance] = [latinFiles("Inter", "english"), latinFiles("Inter", "romance")];
  const names = {
    ...name(english.own, "english"),
    ...name(romance.own, "romance"),
    ...name(english.more, "more"),
  };
  const loadedBy = (html: string) =>
    Object.entries(names).flatMap(([file, part]) => (html.includes(preload(file)) ? [part] : []));
  expect(loadedBy(pageOf("A cafe"))).toEqual(["english"]);
  expect(loadedBy(pageOf("A caf\u00e9"))).toEqual(["english", "more"]);
  expect(loadedBy(pageOf("Un caf\u00e9", "fr"))).toEqual(["romance"]);
  expect(loadedBy(pageOf("Um caf\u00e9 \u00f8", "pt-br"))).toEqual(["romance", "more"]);
  expect(loadedBy(pageOf("\u4e2d\u6587", "zh"))).toEqual([]);
});

const name = (files: string[], part: string) => Object.fromEntries(files.map((file) => [file, part]));

test("a page names the files of other letters where it has some", () => {
  const isNamed = (body: string) => /fonts-Inter-[A-Za-z]+-others\.[\w-]+\.css/.test(pageOf(body));
  expect(["\u041f\u0440\u0438\u0432\u0435\u0442", "\u03c0", "\u0142"].map(isNamed)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["Hello", "caf\u00e9", "\u4e2d\u6587"].map(isNamed)).toEqual([false, false, false]);
});

test("the rules of navigation and of a look come to sites that have them", () => {
  const plain = {
    ...customization.styling,
    depth: "subtle",
    sidebar: { background: "default", list: "default" },
  };
  const header = { preset: "default", links: [{ links: [] }] };
  const looks = { plain, bold: { ...plain, theme: "bold" } };
  const sheetsWith = (look: keyof typeof looks, changes: object = {}, links: object = {}) =>
    /assets\/(site\.[^"]*)\.css/
      .exec(
        pageOf("x", "en", {
          ...changes,
          customization: { ...customization, ...links, styling: looks[look] },
        }),
      )?.[1]
      ?.split(".")
      .filter((_, at) => at % 2 === 0)
      .slice(0, -1);
  const sections = [{ title: "One", href: "/", current: true }];
  expect(sheetsWith("plain")).toEqual(["site"]);
  expect(sheetsWith("plain", {}, { header })).toEqual(["site", "navigation"]);
  expect(sheetsWith("plain", { sections })).toEqual(["site", "navigation"]);
  expect(sheetsWith("bold")).toEqual(["site", "customization"]);
  expect(sheetsWith("bold", { sections })).toEqual(["site", "navigation", "customization"]);
});
