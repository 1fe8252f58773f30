import { expect, test } from "vitest";
import { mountOf } from "./mounts.js";
import { createPlaces } from "./places.js";
import type { Upstreams, Visitor } from "./upstreams.js";

const ORIGIN = "https://docs.example";
const NOBODY = { jwt: undefined, inAddress: false };
const at = (path: string) => mountOf(new URL(`${ORIGIN}/sites`), path);

/** Upstreams for whom the first two segments are a site, and one that is called `de` a variant of it. */
function createUpstreams() {
  const asked: string[] = [];
  const find = async ({ url }: { url: string }) => {
    asked.push(url);
    const segments = new URL(url).pathname.split("/").slice(1);
    const depth = segments[2] === "de" ? 3 : 2;
    const siteBasePath = `/${segments.slice(0, 2).join("/")}/`;
    const basePath = `/${segments.slice(0, depth).join("/")}/`;
    const pathname = `/${segments.slice(depth).join("/")}`;
    return {
      ...{ organization: "o", site: "s", siteSpace: basePath, space: basePath, revision: "r" },
      ...{ siteBasePath, basePath, pathname, canonicalUrl: ORIGIN + new URL(url).pathname },
      apiToken: "token",
    };
  };
  const nobody = { sites: { urls: { find: { query: find } } } };
  const visitor = async () => ({ caller: {} }) as Visitor;
  // Cast: the one thing that is asked, of the hundreds that could be.
  return { asked, upstreams: { nobody, visitor } as unknown as Upstreams };
}

test("what is shown nearby is guessed for the same visitor, and for nobody else", async () => {
  const { upstreams } = createUpstreams();
  const places = createPlaces(upstreams);
  expect(places.guess(at("/sites/a/one"), NOBODY)).toBeUndefined();
  await places.at(at("/sites/a/one"), NOBODY);
  await places.at(at("/sites/a/de/one"), NOBODY);
  expect(places.guess(at("/sites/a/two"), NOBODY)?.root).toBe("/sites/a/");
  expect(places.guess(at("/sites/a/x/y/z"), NOBODY)?.root).toBe("/sites/a/");
  expect(places.guess(at("/sites/a/de/two"), NOBODY)?.root).toBe("/sites/a/de/");
  expect(places.guess(at("/sites/ab/two"), NOBODY)).toBeUndefined();
  expect(places.guess(at("/sites/a/two"), { jwt: "a.b.c", inAddress: false })).toBeUndefined();
  expect(places.guess(at("/~hosts/a.example/two"), NOBODY)).toBeUndefined();
});

test("nothing is guessed where it is known, and what is guessed is asked nevertheless", async () => {
  const { asked, upstreams } = createUpstreams();
  const places = createPlaces(upstreams);
  await places.at(at("/sites/a/one"), NOBODY);
  expect(places.guess(at("/sites/a/one"), NOBODY)).toBeUndefined();
  places.guess(at("/sites/a/two"), NOBODY);
  await places.at(at("/sites/a/two"), NOBODY);
  expect(asked).toEqual([`${ORIGIN}/sites/a/one`, `${ORIGIN}/sites/a/two`]);
});
