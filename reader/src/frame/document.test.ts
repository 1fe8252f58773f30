import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import { latinFile } from "../assets/font-files.js";
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

const pageOf = (body: string) =>
  htmlOf({
    site,
    assets: readAssets().below("/"),
    links: { link: () => undefined } as never, // Cast: nothing of the customization is a reference.
    home: "/",
    title: "A page",
    noIndex: false,
    body,
  });

test("a page loads the letters of English at once, and those with accents where it has some", () => {
  const [basic, more] = [latinFile("Inter", "basic")!, latinFile("Inter", "more")!];
  const preload = (file: string) =>
    `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/~octavo/assets/${file}"/>`;
  const [plain, accented] = [pageOf("A cafe"), pageOf("A caf\u00e9")];
  for (const html of [plain, accented]) expect(html).toContain(preload(basic));
  expect(accented).toContain(preload(more));
  expect(plain).not.toContain(more);
});
