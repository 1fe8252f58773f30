import { PLAIN_PAGE } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import { expect, test } from "vitest";
import { type Space, spaceFrom } from "../site/space.js";
import { group, page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { entryAt } from "./contents.js";
import { allOf, sidebar, sidebarBelow } from "./sidebar.js";

// What pages have in common is drawn once: none may be shown what was drawn for another one, or for other readers.

const pages = [
  page("home", "Home"),
  page("guide", "Guide", [page("guide/first", "First", [page("guide/first/deep", "Deep")])]),
  group("more", "More", [
    page("more/one", "One", [page("more/one/inner", "Inner")]),
    page("more/two", "Two"),
  ]),
  ...Array.from({ length: 60 }, (_, at) => page(`other-${at}`, `Other ${at}`)),
];
const spaceOf = (key: string) => spaceFrom(key, { files: [], pages });
const drawn = (space: Space, id: string | undefined, version = "1", base = "/sites/a/") => {
  const current = id === undefined ? undefined : space.byId.get(id);
  return renderHtml(
    sidebar({ space, site: { version, words: wordsIn("en") }, base, current, links: PLAIN_PAGE }),
  );
};

test("the sidebar of a page is the same, whichever pages were drawn before it", () => {
  const ids = [undefined, ...spaceOf("").byId.keys()];
  const alone = new Map(ids.map((id) => [id, drawn(spaceOf(`alone ${id}`), id)]));
  const space = spaceOf("together");
  for (const id of [...ids, ...ids.toReversed()]) expect(drawn(space, id), id).toBe(alone.get(id));
  for (const [id, html] of alone)
    expect(html.match(/aria-current/g)?.length ?? 0, id).toBe(id === undefined || id === "more" ? 0 : 1);
});

test("the current page is marked and open, with what stands around it, and nothing else is", () => {
  const space = spaceOf("open");
  drawn(space, "home");
  const html = drawn(space, "guide/first");
  expect(html).toContain('<a href="/sites/a/guide/first" aria-current="page">');
  expect(html).toContain('href="/sites/a/guide/first/deep"');
  expect(html).not.toContain("more/one/inner");
  expect(drawn(space, "more/one")).toContain("more/one/inner");
  expect(drawn(space, "home")).not.toContain("guide/first");
});

test("another address, another look and other readers have a sidebar of their own", () => {
  const space = spaceOf("first");
  drawn(space, "home");
  expect(drawn(space, "home", "1", "/sites/a/KEY/")).toContain('href="/sites/a/KEY/guide"');
  expect(drawn(space, "home", "2")).toBe(drawn(spaceOf("second"), "home", "2"));
  const fewer = spaceFrom("third", { files: [], pages: pages.slice(0, 1) });
  expect(drawn(fewer, "home")).not.toContain("guide");
});

test("entries that lead to other sites open tabs of their own where the site sets that", () => {
  const elsewhere = (path: string, url: string) => ({
    id: path,
    type: "link" as const,
    kind: "link" as const,
    title: path,
    slug: path,
    path,
    target: { kind: "url", url },
    pages: [],
  });
  const own = "https://docs.example/";
  const pages = [page("home", "Home"), elsewhere("out", "https://a.example/"), elsewhere("in", `${own}in`)];
  const space = spaceFrom("links", { files: [], pages });
  const given = { space, site: { version: "1", words: wordsIn("en") }, base: own, current: undefined };
  const html = renderHtml(sidebar({ ...given, links: { ...PLAIN_PAGE, site: own, newTab: true } }));
  expect(html).toContain('<a href="https://a.example/" rel="noopener" target="_blank">');
  expect(html).toContain(`<a href="${own}in"><span>`);
  expect(html).toContain(`<a href="${own}"><span>`);
});

const long = (path: string, count: number) =>
  Array.from({ length: count }, (_, at) => page(`${path}${at}`, `Page ${at}`));
const linksIn = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);

test("of thousands of pages side by side a sidebar shows the first ones, those around the page, and where the rest is", () => {
  const space = spaceFrom("flat", { files: [], pages: long("p", 3_000) });
  const html = drawn(space, "p1500");
  const hrefs = linksIn(html);
  expect(hrefs.length).toBeLessThan(80);
  for (const at of [1, 29, 1485, 1500, 1515]) expect(hrefs).toContain(`/sites/a/p${at}`);
  expect(hrefs).not.toContain("/sites/a/p1516");
  const left = [...html.matchAll(/<a href="\/sites\/a\/~octavo\/contents"[^>]*>(\d+) more/g)];
  expect(left.map(([, count]) => Number(count))).toEqual([1_455, 1_484]);
  const given = { space, site: { version: "1", words: wordsIn("en") }, base: "/sites/a/", links: PLAIN_PAGE };
  expect(linksIn(renderHtml(allOf(given, space.top)))).toHaveLength(3_000);
});

test("long groups share the room that they have, and every page is reached from page to page", () => {
  const groups = Array.from({ length: 12 }, (_, at) =>
    group(`g${at}`, `Group ${at}`, [
      group(`g${at}/in`, "Inner", long(`g${at}/in/`, 30)),
      ...long(`g${at}/`, 70),
    ]),
  );
  const pages = [page("home", "Home", long("home/", 200)), ...groups];
  const space = spaceFrom("groups", { files: [], pages });
  const given = { space, site: { version: "1", words: wordsIn("en") }, base: "/sites/a/", links: PLAIN_PAGE };
  expect(linksIn(drawn(space, "home")).length).toBeLessThan(300);
  expect(linksIn(sidebarBelow(given, space.byId.get("home"))).length).toBeLessThan(80);
  const seen = new Set<string>();
  const open = ["/sites/a/"];
  for (let href = open.pop(); href; href = open.pop()) {
    if (seen.has(href)) continue;
    seen.add(href);
    const { pathname, searchParams } = new URL(href, "https://octavo.test");
    const path = searchParams.get("page");
    const listed = path === null ? space.top : entryAt(space, path)!.children;
    const html = pathname.endsWith("/~octavo/contents")
      ? renderHtml(allOf(given, listed))
      : drawn(space, pathname.slice("/sites/a/".length) || "home");
    open.push(...linksIn(html));
  }
  for (const { path, type } of space.byId.values())
    if (type === "document" && path !== "home") expect(seen, path).toContain(`/sites/a/${path}`);
});
