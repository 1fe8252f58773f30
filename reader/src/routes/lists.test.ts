import { expect, test } from "vitest";
import { createBodyCache } from "../cache/body-cache.js";
import type { Place } from "../site/places.js";
import { spaceFrom } from "../site/space.js";
import { keptResponse, page } from "../testing.js";
import { sendList } from "./lists.js";
import type { PageRequest } from "./page-request.js";

const ROOT = "https://docs.example/";
const PATHS = { guides: "", api: "api/", hidden: "api/v1&2/" };
type Id = keyof typeof PATHS;

interface Seen extends Partial<Place> {
  /** What tells what the visitor sees of the space and of the site from what others see. */
  key?: string;
  version?: string;
  title?: string;
  visibility?: string;
}

/** What is sent at a list of a site for machines, as somebody who is in one of its spaces. */
async function listAt(
  path: string,
  spaces: Id[],
  here: Id = "guides",
  { visibility = "public", key = "k", version = "1", title = "Start", ...seen }: Seen = {},
  bodies = createBodyCache(),
) {
  const { res, sent } = keptResponse();
  const links = spaces.map((id) => ({ id, space: id, title: `The ${id}`, canonical: ROOT + PATHS[id] }));
  const place = { siteSpace: here, space: here, siteCanonical: ROOT, canonical: ROOT + PATHS[here], ...seen };
  const site = { title: "Docs", version, visibility, spaces: links };
  const pages = [page("start", title), { ...page("draft", "Draft"), noIndex: true }, page("more", "More")];
  const space = spaceFrom(key, { files: [], pages });
  const req = { method: "GET", headers: {} };
  // Cast: what lists are made of. No service is asked for any of it.
  await sendList({ req, res, place, site, space, path } as unknown as PageRequest, bodies);
  return sent.text();
}
const namedIn = (map: string) => [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);

test("the sitemap of a site with one space lists its pages, as it does by its own name", async () => {
  for (const name of ["sitemap.xml", "sitemap-pages.xml"]) {
    const map = await listAt(name, ["guides"]);
    expect(map).toContain("<urlset ");
    expect(namedIn(map)).toEqual([ROOT, `${ROOT}more`]);
  }
});

test("the sitemap of a site with several spaces names that of each, which lists the pages", async () => {
  const index = await listAt("sitemap.xml", ["guides", "api", "hidden"]);
  expect(index).toContain("<sitemapindex ");
  const maps = ["sitemap-pages.xml", "api/sitemap-pages.xml", "api/v1&amp;2/sitemap-pages.xml"];
  expect(namedIn(index)).toEqual(maps.map((path) => ROOT + path));
  expect(namedIn(await listAt("sitemap-pages.xml", ["guides", "api"]))).toEqual([ROOT, `${ROOT}more`]);
  for (const name of ["sitemap.xml", "sitemap-pages.xml"])
    expect(namedIn(await listAt(name, ["guides", "api"], "api"))).toEqual([`${ROOT}api/`, `${ROOT}api/more`]);
});

test("robots are told of the sitemap of the whole site, wherever they ask, and of none that is private", async () => {
  for (const here of ["guides", "api"] as const)
    expect(await listAt("robots.txt", ["guides", "api"], here)).toMatch(
      /^Sitemap: https:\/\/docs\.example\/sitemap\.xml$/m,
    );
  const shared = { isPrivate: true };
  expect(await listAt("robots.txt", ["guides"], "guides", shared)).toBe("User-agent: *\nDisallow: /\n");
  for (const name of ["sitemap.xml", "sitemap-pages.xml"])
    expect(await listAt(name, ["guides", "api"], "guides", shared)).toBe("");
});

test("robots may fetch an unlisted site, which has no sitemap, and none that not everybody may see", async () => {
  const robots = (visibility: string) => listAt("robots.txt", ["guides"], "guides", { visibility });
  expect(await robots("unlisted")).toBe("User-agent: *\nAllow: /\n");
  expect(await listAt("sitemap.xml", ["guides"], "guides", { visibility: "unlisted" })).toBe("");
  for (const closed of ["share-link", "visitor-auth"])
    expect(await robots(closed)).toBe("User-agent: *\nDisallow: /\n");
});

test("the list of pages leads to those of the other spaces", async () => {
  const list = await listAt("llms.txt", ["guides", "api"]);
  expect(list.split("## Other sections")[1]).toBe(`\n\n- [The api](${ROOT}api/llms.txt)\n`);
  expect(await listAt("llms.txt", ["guides"])).not.toContain("## Other");
});

test("a list is made once for all who see the same at the same addresses, and for nobody else", async () => {
  const bodies = createBodyCache();
  const other = { siteCanonical: "https://other.example/", canonical: "https://other.example/" };
  const seen: Record<string, Seen> = {
    first: {},
    space: { key: "l" },
    site: { version: "2" },
    shared: { isPrivate: true },
    address: other,
  };
  for (const [title, some] of Object.entries(seen))
    expect(await listAt("llms.txt", ["guides"], "guides", { title, ...some }, bodies)).toContain(
      `[${title}]`,
    );
  const again = await listAt("llms.txt", ["guides"], "guides", { title: "again" }, bodies);
  expect(again).toContain("[first]");
  expect(await listAt("robots.txt", ["guides"], "guides", {}, bodies)).toContain("Sitemap:");
});
