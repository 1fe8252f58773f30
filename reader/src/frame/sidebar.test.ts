import { PLAIN_PAGE } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import { expect, test } from "vitest";
import { type Space, spaceFrom } from "../space.js";
import { group, page } from "../testing.js";
import { sidebar } from "./sidebar.js";

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
  return renderHtml(sidebar({ space, site: { version }, base, current, links: PLAIN_PAGE }));
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
