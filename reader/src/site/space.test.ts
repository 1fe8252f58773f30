import { expect, test } from "vitest";
import { page } from "../testing.js";
import type { Place } from "./places.js";
import { spaceOf } from "./space.js";

/** Content whose spaces have so many pages, and that keeps a list of the revisions that it was asked for. */
function createContent(count = 1) {
  const asked: string[] = [];
  const query = async ({ revisionId }: { revisionId: string }) => {
    asked.push(revisionId);
    const pages = Array.from({ length: count }, (_, at) => page(at === 0 ? "home" : `${at}`, revisionId));
    return { pages, files: [] };
  };
  const patient = { content: { shownPages: { space: { query } } } };
  const titleAt = async (revision: string, epoch = 0) => {
    const visitor = { caller: { epoch }, patient };
    // Cast: what a space is asked for by, of all that a place is.
    const place = { visitor, site: "s", space: `space of ${expect.getState().currentTestName}`, revision };
    const space = await spaceOf(place as unknown as Place);
    return space.byId.get("home")?.title;
  };
  return { titleAt, newlyAsked: () => asked.splice(0) };
}

test("the last two revisions of a space are kept for an audience, and no former one", async () => {
  const { titleAt, newlyAsked } = createContent();
  for (const revision of ["one", "two", "one", "two"]) expect(await titleAt(revision)).toBe(revision);
  expect(newlyAsked()).toEqual(["one", "two"]);
  await titleAt("three");
  expect(await titleAt("two")).toBe("two");
  expect(newlyAsked()).toEqual(["three"]);
  expect(await titleAt("one")).toBe("one");
  expect(newlyAsked()).toEqual(["one"]);
});

test("what one audience asks for takes nothing from another one", async () => {
  const { titleAt, newlyAsked } = createContent();
  await titleAt("one");
  for (const revision of ["one", "two", "three"]) await titleAt(revision, 1);
  expect(newlyAsked()).toEqual(["one", "one", "two", "three"]);
  await titleAt("one");
  expect(newlyAsked()).toEqual([]);
});

test("a space with very many pages is asked for once", async () => {
  const { titleAt, newlyAsked } = createContent(20_000);
  for (let time = 0; time < 2; time += 1) await titleAt("one");
  expect(newlyAsked()).toEqual(["one"]);
});
