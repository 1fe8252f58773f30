import { expect, test } from "vitest";
import { group, page } from "../testing.js";
import { findPage, nearest, pageNamed, pathOf } from "./find.js";
import { spaceFrom } from "./space.js";

const space = spaceFrom("k", {
  files: [],
  pages: [
    page("welcome", "Welcome"),
    group("guides", "Guides", [
      page("guides/set-up", "Set up", [page("guides/set-up/linux", "Linux")]),
      { ...page("guides/secret", "Secret"), hidden: true },
    ]),
    page("reference", "Reference"),
  ],
});
const at = (path: string) => findPage(space, path);

test("the first page is at the base, and its own path leads there", () => {
  expect(at("")).toMatchObject({ page: { title: "Welcome" } });
  expect(at("welcome")).toEqual({ moved: "" });
  expect(pathOf(space, space.order[0]!)).toBe("");
});

test("a page is at its path, and other spellings lead there in one hop", () => {
  expect(at("guides/set-up")).toMatchObject({ page: { title: "Set up" } });
  for (const path of [
    "Guides/Set-Up",
    "guides/set-up/",
    "guides/set-up.html",
    "guides/set-up/README",
    "guides",
  ])
    expect(at(path), path).toEqual({ moved: "guides/set-up" });
  expect(at("readme")).toEqual({ moved: "" });
});

test("a page that is called index, or ends like a file, is found at its path", () => {
  const odd = spaceFrom("k", {
    files: [],
    pages: [page("start", "Start"), page("sql", "SQL", [page("sql/index", "Index")]), page("a.html", "A")],
  });
  expect(findPage(odd, "sql/index")).toMatchObject({ page: { title: "Index" } });
  expect(findPage(odd, "a.html")).toMatchObject({ page: { title: "A" } });
  expect(findPage(odd, "sql/readme")).toEqual({ moved: "sql" });
  expect(findPage(odd, "SQL/Index")).toEqual({ moved: "sql/index" });
});

test("a path names one document: that of the base, of a group its first one, however it is written", () => {
  const names = {
    "": "Welcome",
    welcome: "Welcome",
    README: "Welcome",
    "Guides/": "Set up",
    "guides/set-up.md": "Set up",
    "guides/secret": "Secret",
    nothing: undefined,
    "nothing/readme": undefined,
  };
  for (const [path, title] of Object.entries(names)) expect(pageNamed(space, path)?.title, path).toBe(title);
  const empty = spaceFrom("k", { files: [], pages: [group("none", "None", [])] });
  for (const path of ["", "readme", "none"]) expect(pageNamed(empty, path), path).toBeUndefined();
});

test("the markdown of the first page is at its own path, and other spellings lead there", () => {
  expect(findPage(space, "welcome", { asFile: true })).toMatchObject({ page: { title: "Welcome" } });
  for (const path of ["", "readme", "Welcome"])
    expect(findPage(space, path, { asFile: true }), path).toEqual({ moved: "welcome" });
  expect(findPage(space, "guides", { asFile: true })).toEqual({ moved: "guides/set-up" });
});

test("a hidden page is found by its path, and listed nowhere", () => {
  expect(at("guides/secret")).toMatchObject({ page: { hidden: true } });
  expect(space.order.map(({ title }) => title)).toEqual(["Welcome", "Set up", "Linux", "Reference"]);
});

test("where nothing is, three pages are named: the most alike first, then the first ones but for the home page", () => {
  const near = (path: string, of = space) => nearest(of, path).map(({ title }) => title);
  expect(near("old/setup-on-linux")).toEqual(["Linux", "Set up", "Reference"]);
  expect(near("welcome-to-linux")).toEqual(["Welcome", "Linux", "Set up"]);
  expect(near("nothing-of-it")).toEqual(["Set up", "Linux", "Reference"]);
  expect(near("__proto__")).toEqual(["Set up", "Linux", "Reference"]);
  const alone = spaceFrom("k", { pages: [page("welcome", "Welcome")], files: [] });
  expect(near("nothing-of-it", alone)).toEqual([]);
});

test("the titles of a space are read once, however many of its paths lead to none", () => {
  const reads: string[] = [];
  const read = spaceFrom("k", {
    files: [],
    pages: [page("a", "Alpha"), page("b", "Beta"), page("c", "Gamma")],
  });
  for (const entry of read.order)
    Object.defineProperty(entry, "title", { get: () => `Title ${reads.push(entry.id)}` });
  for (const path of ["old/a", "title", "nothing"]) nearest(read, path);
  expect(reads).toEqual(["a", "b", "c"]);
});

test("a tree of ten thousand pages, and one that is a thousand deep, is read", () => {
  const wide = Array.from({ length: 10_000 }, (_, index) => page(`p${index}`, `P ${index}`));
  expect(spaceFrom("k", { pages: wide, files: [] }).order).toHaveLength(10_000);
  let deep = page("d", "D");
  for (let level = 0; level < 1_000; level += 1) deep = page(`d${level}`, "D", [deep]);
  expect(spaceFrom("k", { pages: [deep], files: [] }).order).toHaveLength(1_001);
});
