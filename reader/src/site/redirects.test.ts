import { expect, test } from "vitest";
import { group, page } from "../testing.js";
import type { Place } from "./places.js";
import { redirectFrom } from "./redirects.js";
import type { Site } from "./site.js";
import { spaceFrom } from "./space.js";

const CANONICAL = "https://docs.example/";
const pages = [
  page("welcome", "Welcome"),
  page("setup", "Setup"),
  group("more", "More", [page("more/a", "A")]),
];
const space = spaceFrom("key", { pages, files: [] });

let visitors = 0;

/** Where a path without a page leads on a site that has a second space at `api/`, when sites says that it leads there. */
function ledTo(target: string, { query = "", path = "old" } = {}) {
  visitors += 1;
  return redirectOf({
    token: `visitor ${visitors}`,
    canonical: CANONICAL,
    targetFor: () => target,
    query,
    path,
  });
}

interface Asked {
  token: string;
  /** The address of the site, with the key where it is shared by one. */
  canonical: string;
  shareKey?: string;
  targetFor: (shareKey: string | undefined) => string;
  query?: string;
  path?: string;
}

async function redirectOf({ token, canonical, shareKey, targetFor, query = "", path = "old" }: Asked) {
  const getBySource = async (asked: { shareKey?: string }) => ({ target: targetFor(asked.shareKey) });
  const visitor = {
    caller: { token },
    sites: { redirects: { getBySource: { query: getBySource } } },
    content: { content: { pages: { query: async () => ({ pages }) } } },
  };
  const root = `/sites/docs/${canonical.slice(CANONICAL.length)}`;
  const link = (path: string) => ({ id: path, space: path, revision: "r", href: root + path });
  const spaces = [
    { ...link(""), current: true },
    { ...link("api/"), current: false },
  ];
  const place = {
    visitor,
    organization: "acme",
    site: "site",
    root,
    siteRoot: root,
    siteBase: root,
    siteCanonical: canonical,
    shareKey,
  } as unknown as Place; // Cast: a visitor with the two operations that are called.
  const site = { version: "1", spaces } as unknown as Site; // Cast: what is looked at of a site.
  return redirectFrom({ place, site, space, path, query }, { asFile: path.endsWith(".md") });
}

test("a redirect to a page leads to the address that the page has, of the first one the root of its space", async () => {
  expect(await ledTo(`${CANONICAL}welcome`)).toBe("/sites/docs/");
  expect(await ledTo(`${CANONICAL}api/welcome`)).toBe("/sites/docs/api/");
  expect(await ledTo(`${CANONICAL}setup`)).toBe("/sites/docs/setup");
  expect(await ledTo(`${CANONICAL}api/SETUP/`)).toBe("/sites/docs/api/setup");
  expect(await ledTo(`${CANONICAL}more`)).toBe("/sites/docs/more/a");
  expect(await ledTo(`${CANONICAL}nothing`)).toBe("/sites/docs/nothing");
  expect(await ledTo(`${CANONICAL}%`)).toBe("/sites/docs/%");
  expect(await ledTo("https://elsewhere.example/welcome", { query: "?a=b" })).toBe(
    "https://elsewhere.example/welcome",
  );
});

test("the query goes along unless the redirect has one, and the ending of markdown stays", async () => {
  const query = "?a=b";
  expect(await ledTo(`${CANONICAL}welcome`, { query })).toBe("/sites/docs/?a=b");
  expect(await ledTo(`${CANONICAL}welcome?c=d#e`, { query })).toBe("/sites/docs/?c=d#e");
  expect(await ledTo(`${CANONICAL}welcome`, { query, path: "old.md" })).toBe("/sites/docs/welcome.md?a=b");
  expect(await ledTo(CANONICAL, { query, path: "old.md" })).toBe("/sites/docs/?a=b");
});

test("whoever comes by a share key is led to an address with this key, and everybody else to one without", async () => {
  const [one, other] = ["1".repeat(40), "2".repeat(40)];
  const canonicalOf = (key?: string) => CANONICAL + (key === undefined ? "" : `${key}/`);
  const targetFor = (key?: string) => `${canonicalOf(key)}setup`;
  for (const shareKey of [one, other, undefined, one])
    expect(
      await redirectOf({ token: "anybody", canonical: canonicalOf(shareKey), shareKey, targetFor }),
    ).toBe(`/sites/docs/${canonicalOf(shareKey).slice(CANONICAL.length)}setup`);
});
