import { expect, test } from "vitest";
import { loadBatch } from "./print-batch.js";

const MOST = { pages: 4, length: 25 };
const ten = async (name: string) => ({ name, html: "x".repeat(10) });

test("a print ends with the page that makes it as long as one may be, and the next one begins after it", async () => {
  const { pages, count } = await loadBatch(["a", "b", "c", "d"], ten, MOST);
  expect([pages.map(({ name }) => name), count]).toEqual([["a", "b", "c"], 3]);
  const { pages: rest } = await loadBatch(["d"], ten, MOST);
  expect(rest.map(({ name }) => name)).toEqual(["d"]);
});

test("a print has a page however long it is, and no more pages than one may have", async () => {
  const long = await loadBatch(["a", "b"], async () => ({ html: "x".repeat(100) }), MOST);
  expect([long.pages.length, long.count]).toEqual([1, 1]);
  const short = await loadBatch(["a", "b", "c", "d", "e"], async () => ({ html: "x" }), MOST);
  expect([short.pages.length, short.count]).toEqual([4, 4]);
});

test("pages that are gone are passed over, and looked at once", async () => {
  const load = async (name: string) => (name === "b" ? undefined : ten(name));
  const { pages, count } = await loadBatch(["a", "b", "c"], load, MOST);
  expect([pages.map(({ name }) => name), count]).toEqual([["a", "c"], 3]);
});
