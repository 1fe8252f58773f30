import { expect, test } from "vitest";
import { createOptionalParts } from "../site/optional-parts.js";
import type { Place } from "../site/places.js";
import type { Site } from "../site/site.js";
import { spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { customizationLinksOf, variantsOf } from "./variants.js";

const space = spaceFrom("key", { pages: [page("start", "Start")], files: [] });

/** The titles of the variants that are shown, and of the current one, where the one at this position is. */
async function shownAt(position: number, count: number) {
  const variants = Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    space: `space${at}`,
    revision: "r",
    title: `Variant ${at}`,
    href: `/sites/docs/${at}/`,
    canonical: `https://docs.example/${at}/`,
    current: at === position,
  }));
  const query = async () => ({ pages: [] });
  const visitor = { caller: {}, content: { content: { pages: { query } } } };
  const place = { visitor, site: "site" } as unknown as Place; // Cast: what is asked of other spaces, and no more.
  const site = { variants } as unknown as Site; // Cast: likewise.
  const shown = await variantsOf({ place, site, space, parts: createOptionalParts() }, space.order[0]!);
  return { titles: shown.map(({ title }) => title), current: shown.find(({ current }) => current)?.title };
}

test("the variant that is shown is among those that are named, however many come before it", async () => {
  for (const position of [0, 18, 19, 20, 24]) {
    const { titles, current } = await shownAt(position, 25);
    expect(current).toBe(`Variant ${position}`);
    expect(titles).toHaveLength(20);
  }
  expect((await shownAt(24, 25)).titles.slice(-2)).toEqual(["Variant 18", "Variant 24"]);
  expect((await shownAt(1, 2)).titles).toEqual(["Variant 0", "Variant 1"]);
  expect((await shownAt(0, 1)).titles).toEqual([]);
});

test("links of the header lead to pages of other spaces, whether or not there is an announcement", async () => {
  const query = async () => ({ pages: [page("intro", "Intro"), page("more", "More")] });
  const visitor = { caller: {}, content: { content: { pages: { query } } } };
  const to = { kind: "page", space: "elsewhere", page: "more" };
  for (const announcement of [undefined, {}, { link: { title: "More", to } }]) {
    const place = { visitor, space: "here", site: "links" } as unknown as Place; // Cast: what is asked, and no more.
    const spaces = [{ space: "elsewhere", revision: "r", href: "/sites/docs/elsewhere/" }];
    const customization = {
      header: { links: [{ title: "More", to }] },
      footer: { groups: [] },
      announcement,
    };
    const site = { spaces, customization, words: wordsIn("en") } as unknown as Site; // Cast: likewise.
    const links = await customizationLinksOf({ place, site, space, parts: createOptionalParts() });
    expect(links.link(to)?.href).toBe("/sites/docs/elsewhere/more");
  }
});
