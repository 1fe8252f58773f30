import { createUrls } from "@octavo/shared/urls";
import { atOnce, inTurns } from "@octavo/shared/workers/yield";
import { expect, test } from "vitest";
import type { PageEntry } from "../store/version.js";
import { PAGES_IN_ONE_GO, pageTree, pageWithTree } from "./view.js";

const urls = createUrls({ base: "http://octavo.test", app: "http://app.test", sites: "http://sites.test" });
const options = { urls, space: "s", metadata: false };
const entry = (id: string, parent: string | null): PageEntry => ({
  id,
  kind: "page",
  parent,
  position: id,
  slug: `slug-${id}`,
  title: `Page ${id}`,
  body: null,
  git_path: null,
  git_oid: null,
  props: { type: "document" },
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
});

/** Ten pages, each with pages below it in turn. */
const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => entry(`p${at}`, at < 10 ? null : `p${Math.floor(at / 10) - 1}`));

interface Nested {
  id: string;
  path: string;
  pages?: Nested[];
}
const lines = (nested: Nested[], above = ""): string[] =>
  nested.flatMap(({ id, path, pages = [] }) => {
    expect(path).toBe(`${above}slug-${id}`);
    return [id, ...lines(pages, `${path}/`)];
  });

test("a tree of thousands of pages is made in steps of a few hundred, and holds all of them in their order", async () => {
  const entries = pages(5000);
  const steps = pageTree(entries, options);
  let count = 1;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  expect(count).toBe(Math.floor(5000 / PAGES_IN_ONE_GO) + 1);
  const made = lines(step.value as Nested[]);
  expect(made).toHaveLength(5000);
  expect(made.slice(0, 3)).toEqual(["p0", "p10", "p110"]);
  expect(await inTurns(pageTree(entries, options))).toEqual(step.value);
});

test("the pages below one page are made in steps as well", () => {
  const below = pages(5000).filter(({ parent }) => parent !== null);
  const steps = pageWithTree([entry("p0", null)], below, options, {});
  expect(steps.next().done).toBe(false);
  const page = atOnce(pageWithTree([entry("p0", null)], below, options, {})) as Nested;
  expect(page.pages!.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `p${10 + at}`));
});
