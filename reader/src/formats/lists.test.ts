import { expect, test } from "vitest";
import type { Place } from "../site/places.js";
import type { Site } from "../site/site.js";
import { spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { llmsText, sitemapXml } from "./lists.js";

const canonical = "http://octavo.test/sites/a/";
const place = { base: "/sites/a/", canonical, siteCanonical: canonical, space: "s" } as Place;
const site = { title: "A [site]\n# no", visibility: "public", spaces: [] } as unknown as Site;

test("lists for machines stay what they are, whatever titles and paths hold", () => {
  const space = spaceFrom("k", { files: [], pages: [page("a", "First"), page("b&<c>'\"", "T]\n\n# (x)")] });
  expect(llmsText({ place, site, space })).toBe(
    "# A [site] # no\n\n> All pages in one text: http://octavo.test/sites/a/llms-full.txt\n\n## Pages\n\n- [First](http://octavo.test/sites/a/a.md)\n" +
      "- [T\\] # (x)](http://octavo.test/sites/a/b%26%3Cc%3E'%22.md)\n",
  );
  expect(sitemapXml({ place, site, space })).toContain(
    "<url><loc>http://octavo.test/sites/a/</loc></url><url><loc>http://octavo.test/sites/a/b%26%3Cc%3E&apos;%22</loc></url>",
  );
});
