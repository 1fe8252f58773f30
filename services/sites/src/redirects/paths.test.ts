import { expect, test } from "vitest";
import { filled, isCircular, keyOf, keysFor, restOf, type Step } from "./paths.js";

test("paths are compared without case, percent-encoding and a slash at the end", () => {
  expect(keyOf("/Old/Page/")).toBe("/old/page");
  expect(keyOf("/%6Fld/caf%C3%A9")).toBe(keyOf("/OLD/caf%c3%89"));
  expect(keyOf("/a%2Fb")).not.toBe(keyOf("/a/b"));
  expect(keyOf("/a/%2A")).not.toBe(keyOf("/a/*"));
  expect(keyOf("/%FF")).toBe("/%ff");
  expect(keyOf("/Old/*")).toBe("/old/*");
});

test("for a path stand the path itself, then patterns, closest first", () => {
  expect(keysFor("/a/b/c")).toEqual(["/a/b/c", "/a/b/*", "/a/*", "/*"]);
  expect(keysFor("/a")).toEqual(["/a", "/*"]);
});

test("what lies below a pattern keeps its case, and fills the place of the star", () => {
  expect(restOf("/Old/Page/Two/", "/old/*")).toBe("/Page/Two");
  expect(restOf("/old", "/old")).toBe("");
  expect(restOf("/x", "/*")).toBe("/x");
  expect(filled("/new/*", "/Page")).toBe("/new/Page");
  expect(filled("/new", "/Page")).toBe("/new");
});

const steps = (...pairs: [string, string?][]): Step[] =>
  pairs.map(([from, to], id) => ({ id: `${id}`, from, to }));
test.each<[string, boolean, [string, string?][]]>([
  [
    "two that lead to each other",
    true,
    [
      ["/a", "/b"],
      ["/b", "/a"],
    ],
  ],
  [
    "three in a row",
    false,
    [
      ["/a", "/b"],
      ["/b", "/c"],
      ["/c", "/d"],
    ],
  ],
  [
    "three in a circle",
    true,
    [
      ["/a", "/b"],
      ["/b", "/c"],
      ["/c", "/a"],
    ],
  ],
  ["a path onto itself", true, [["/a", "/a"]]],
  ["a pattern into itself", true, [["/a/*", "/a/b/*"]]],
  ["a pattern onto a path below it", true, [["/a/*", "/a/new"]]],
  [
    "a pattern and its neighbour",
    false,
    [
      ["/a/*", "/b/*"],
      ["/b", "/a"],
    ],
  ],
  [
    "patterns that lead to each other",
    true,
    [
      ["/a/*", "/b/*"],
      ["/b/*", "/a/*"],
    ],
  ],
  [
    "patterns that grow",
    true,
    [
      ["/a/*", "/b/c/*"],
      ["/b/*", "/a/*"],
    ],
  ],
  [
    "a pattern around a path",
    true,
    [
      ["/a/b", "/c"],
      ["/c", "/a/b"],
      ["/a/*", "/d"],
    ],
  ],
  [
    "a path that a pattern takes",
    true,
    [
      ["/a", "/b/x"],
      ["/b/*", "/a"],
    ],
  ],
  ["everything, onto one path", true, [["/*", "/a"]]],
  ["everything, to somewhere else", false, [["/*"]]],
  [
    "a circle of others",
    false,
    [
      ["/x", "/b"],
      ["/b", "/c"],
      ["/c", "/b"],
    ],
  ],
])("%s: circular is %s", (_, expected, pairs) => {
  const [start, ...others] = steps(...pairs);
  expect(isCircular(others, start!)).toBe(expected);
  expect(isCircular(others.reverse(), start!)).toBe(expected);
});

test("ten thousand redirects are walked with work in proportion to them", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    id: `${at}`,
    from: `/p/${at}`,
    to: `/p/${at + 1}`,
  }));
  let reads = 0;
  const counting = many.map((step) => ({
    ...step,
    get from() {
      reads += 1;
      return step.from;
    },
  }));
  const start = { id: "start", from: "/p/10000", to: "/p/0" };
  expect(isCircular(counting, start)).toBe(true);
  expect(reads / many.length).toBeLessThan(200);
});
