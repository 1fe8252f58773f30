import { expect, test } from "vitest";
import { customization } from "../testing.js";
import type { Place } from "./places.js";
import { siteOf } from "./site.js";

test("each space of a site names the section that it is in, also in groups of sections", async () => {
  const root = "https://docs.example/";
  const siteSpace = (id: string) => ({
    object: "site-space",
    id,
    title: id,
    space: { id, revision: "r" },
    urls: { published: `${root}${id}/` },
  });
  const section = (id: string, ...spaces: string[]) => ({
    object: "site-section",
    id,
    title: id,
    urls: { published: `${root}${id}/` },
    siteSpaces: spaces.map(siteSpace),
  });
  const group = { object: "site-section-group", id: "g", title: "g", children: [section("b", "three")] };
  const site = { ...customization, title: "Docs", internationalization: { locale: "en" } };
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

test("a site is called what the look of the space that is shown says, and else by its own title", async () => {
  const look = { ...customization, internationalization: { locale: "en" } };
  const titleOf = async (siteSpace: string, title: string | undefined) => {
    const published = {
      site: { title: "Acme", visibility: "public", urls: {} },
      structure: { structure: [] },
      customizations: { site: { ...look, title }, siteSpaces: { manual: { ...look, title: "Manual" } } },
    };
    const sites = { publishing: { getPublished: { query: async () => published } } };
    const visitor = { caller: { token: `${siteSpace} ${title}` }, sites };
    const at = { siteSpace, siteBase: "/", siteCanonical: "https://docs.example/" };
    // Cast: what a site is read from, and no more.
    return (await siteOf({ visitor, ...at } as unknown as Place)).title;
  };
  expect(await titleOf("manual", "Handbook")).toBe("Manual");
  expect(await titleOf("guide", "Handbook")).toBe("Handbook");
  expect(await titleOf("guide", undefined)).toBe("Acme");
});
