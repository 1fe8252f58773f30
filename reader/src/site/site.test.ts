import { expect, test } from "vitest";
import type { Place } from "./places.js";
import { siteOf } from "./site.js";

test("each space of a site names the section that it is in, also in groups of sections", async () => {
  const root = "https://docs.example/";
  const siteSpace = (id: string) => ({
    ...{ object: "site-space", id, title: id, space: { id, revision: "r" } },
    urls: { published: `${root}${id}/` },
  });
  const section = (id: string, ...spaces: string[]) => ({
    ...{ object: "site-section", id, title: id, urls: { published: `${root}${id}/` } },
    siteSpaces: spaces.map(siteSpace),
  });
  const group = { object: "site-section-group", id: "g", title: "g", children: [section("b", "three")] };
  const site = { title: "Docs", internationalization: { locale: "en" } };
  const published = {
    site: { title: "Docs", visibility: "public", urls: { published: root } },
    structure: { structure: [section("a", "one", "two"), group, siteSpace("four")] },
    customizations: { site, siteSpaces: {} },
  };
  const visitor = {
    caller: { token: "token" },
    sites: { publishing: { getPublished: { query: async () => published } } },
  };
  const addresses = { siteBase: "/sites/docs/", siteCanonical: root };
  // Cast: what is looked at of a place, and what is called.
  const { spaces, variants } = await siteOf({ visitor, siteSpace: "two", ...addresses } as unknown as Place);
  const sectionOf = Object.fromEntries(spaces.map(({ id, section }) => [id, section]));
  expect(sectionOf).toEqual({ one: "a", two: "a", three: "b", four: undefined });
  expect(variants.map(({ section }) => section)).toEqual(["a", "a"]);
});
