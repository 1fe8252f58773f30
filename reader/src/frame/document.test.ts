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

const pageOf = (body: string, language = "en") =>
  htmlOf({
    site: { ...site, language },
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
  const filesIn = (html: string) =>
    [...latinFiles("Inter", "english"), ...latinFiles("Inter", "romance")].filter((file) =>
      html.includes(preload(file)),
    );
  const [english, more] = latinFiles("Inter", "english");
  const [romance] = latinFiles("Inter", "romance");
  expect(filesIn(pageOf("A cafe"))).toEqual([english]);
  expect(filesIn(pageOf("A caf\u00e9"))).toEqual([english, more, more]);
  expect(filesIn(pageOf("Un caf\u00e9", "fr"))).toEqual([romance]);
  expect(filesIn(pageOf("Un caf\u00e9 sur l\u2019\u00f8", "pt-br"))).toEqual([more, romance, more]);
  expect(filesIn(pageOf("\u4e2d\u6587", "zh"))).toEqual([]);
});
