import { expect, test } from "vitest";
import { mountOf } from "../http/mounts.js";
import type { Credentials } from "../http/visitor.js";
import { createPlaces } from "./places.js";
import type { Upstreams, Visitor } from "./upstreams.js";

const ORIGIN = "https://docs.example";
const NOBODY: Credentials = { jwt: undefined, inAddress: false };
const at = (path: string) => mountOf(new URL(`${ORIGIN}/sites`), path);

const LATER = 1_600;

/**
 * Places of sites, each the first segment, with a variant `de` and what no visitor is shown at `hidden`. The spaces have
 * the pages that are named.
 */
function createSites(pages: string[]) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const shown = { variants: ["de"], isUnavailable: false };
  const visitors: unknown[] = [];
  const find = async ({ url, visitor }: { url: string; visitor?: unknown }) => {
    asked.push(url);
    visitors.push(visitor);
    if (shown.isUnavailable) throw new TypeError("not reachable");
    const segments = new URL(url).pathname.split("/").slice(1);
    const preview = new URL(url).searchParams.get("preview_token");
    if (segments[2] === "hidden" || preview === "over")
      throw Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } });
    const isVariant = shown.variants.includes(segments[2] ?? "");
    const depth = isVariant ? 3 : 2;
    const siteBasePath = `/${segments.slice(0, 2).join("/")}/`;
    const basePath = `/${segments.slice(0, depth).join("/")}/`;
    const pathname = `/${segments.slice(depth).join("/")}`;
    return {
      organization: "o",
      site: "s",
      siteSpace: basePath,
      space: basePath,
      revision: "r",
      siteSection: `section of ${basePath}`,
      siteBasePath,
      basePath,
      pathname,
      canonicalUrl: ORIGIN + new URL(url).pathname,
      others: isVariant ? [] : [...shown.variants, "hidden"],
      apiToken: "token",
    };
  };
  const nobody = { sites: { urls: { find: { query: find } } } };
  const visitor = async () => ({ caller: {} }) as Visitor;
  // Cast: the one thing that is asked, of the hundreds that could be.
  const upstreams = { nobody, visitor } as unknown as Upstreams;
  const hasPage = async (_: unknown, path: string) => pages.includes(path);
  const places = createPlaces(upstreams, hasPage, () => clock.now);
  const rootAt = async (path: string, credentials = NOBODY) => {
    const found = await places.at(at(path), credentials);
    return "place" in found ? found.place.root : undefined;
  };
  /** The paths that were asked for since this was called last. */
  const newlyAsked = () => asked.splice(0).map((url) => url.slice(ORIGIN.length));
  return { places, rootAt, newlyAsked, pages, clock, shown, visitors };
}

test("sites is asked about no page of a space that it confirmed just now, and about every other address", async () => {
  const { rootAt, newlyAsked } = createSites(["", "one", "two", "de/two", "hidden", "DE"]);
  expect(await rootAt("/sites/a/one")).toBe("/sites/a/");
  expect(newlyAsked()).toEqual(["/sites/a/one"]);
  for (const path of ["/sites/a/two", "/sites/a/", "/sites/a/one"])
    expect(await rootAt(path)).toBe("/sites/a/");
  expect(newlyAsked()).toEqual([]);
  const others = {
    "/sites/a/de/two": "/sites/a/de/",
    "/sites/a/hidden": undefined,
    "/sites/a/nothing": "/sites/a/",
    "/sites/a/%64e/one": "/sites/a/",
    "/sites/b/two": "/sites/b/",
  };
  for (const [path, root] of Object.entries(others)) expect(await rootAt(path), path).toBe(root);
  expect(newlyAsked()).toEqual(Object.keys(others));
  expect(await rootAt("/sites/a/de/one")).toBe("/sites/a/de/");
  expect(newlyAsked()).toEqual([]);
});

test("a place names the section that its space is in", async () => {
  const found = await createSites([]).places.at(at("/sites/a/de/one"), NOBODY);
  expect("place" in found && found.place.siteSection).toBe("section of /sites/a/de/");
});

test("what one visitor was shown decides nothing for another, nor for who brings a JWT in the address", async () => {
  const { rootAt, newlyAsked } = createSites(["one", "two"]);
  await rootAt("/sites/a/one");
  newlyAsked();
  const known = { jwt: "a.b.c", inAddress: false };
  await rootAt("/sites/a/two", known);
  await rootAt("/sites/a/one", known);
  await rootAt("/sites/a/one", { jwt: "a.b.c", inAddress: true });
  await rootAt("/sites/a/one", { jwt: "d.e.f", inAddress: false });
  expect(newlyAsked()).toEqual(["/sites/a/two", "/sites/a/one", "/sites/a/one"]);
});

test("what is claimed is passed on to sites, for each claim by itself, and what an address claims is private", async () => {
  const { places, visitors } = createSites(["one"]);
  const isPrivate = async (claims: object, kept?: string) => {
    const credentials = { ...NOBODY, ...(Object.keys(claims).length > 0 && { claims: { ...claims } }), kept };
    const found = await places.at(at("/sites/a/one"), credentials);
    return "place" in found && found.place.isPrivate;
  };
  expect(await isPrivate({})).toBe(false);
  expect(await isPrivate({ beta: true })).toBe(false);
  expect(await isPrivate({ beta: false })).toBe(false);
  expect(await isPrivate({ beta: true }, '{"beta":true}')).toBe(true);
  expect(await isPrivate({}, "")).toBe(true);
  expect(visitors).toEqual([
    undefined,
    ...[true, false, true].map((beta) => ({ jwtToken: undefined, unsignedClaims: { beta } })),
    undefined,
  ]);
});

test("a preview is asked for by its token and is private; one that is over shows the site as it is, but at its own address", async () => {
  const { places, rootAt, newlyAsked } = createSites([]);
  const show = (preview: string, inAddress = false) => ({ jwt: undefined, preview, inAddress });
  const found = await places.at(at("/sites/a/one"), show("v.x"));
  expect("place" in found && found.place.isPrivate).toBe(true);
  expect(await rootAt("/sites/a/one", show("over"))).toBe("/sites/a/");
  expect(await rootAt("/sites/a/one", show("over", true))).toBeUndefined();
  const over = "/sites/a/one?preview_token=over";
  expect(newlyAsked()).toEqual(["/sites/a/one?preview_token=v.x", over, "/sites/a/one", over]);
});

test("after a moment the space is asked for once for all its pages, and a page that is another space's by then leads there", async () => {
  const { rootAt, newlyAsked, clock, shown } = createSites(["one", "two", "fr/one"]);
  await rootAt("/sites/a/one");
  await rootAt("/sites/a/fr/one");
  expect(newlyAsked()).toEqual(["/sites/a/one"]);
  clock.now += LATER;
  shown.variants.push("fr");
  const together = ["/sites/a/one", "/sites/a/two", "/sites/a/fr/one"];
  expect(await Promise.all(together.map((path) => rootAt(path)))).toEqual([
    "/sites/a/",
    "/sites/a/",
    "/sites/a/fr/",
  ]);
  expect(newlyAsked()).toEqual(["/sites/a", "/sites/a/fr/one"]);
});

test("while sites is away pages of what it confirmed before are found; `again` asks whatever is known", async () => {
  const { places, rootAt, newlyAsked, clock, shown } = createSites(["one", "two"]);
  await rootAt("/sites/a/one");
  clock.now += LATER;
  shown.isUnavailable = true;
  expect(await rootAt("/sites/a/two")).toBe("/sites/a/");
  await expect(rootAt("/sites/a/three")).rejects.toThrow("not reachable");
  shown.isUnavailable = false;
  await rootAt("/sites/a/one");
  newlyAsked();
  await places.at(at("/sites/a/two"), NOBODY, true);
  expect(newlyAsked()).toEqual(["/sites/a/two"]);
});

test("on a host that forwards paths every address is asked for, since others of them may be other sites", async () => {
  const { rootAt, newlyAsked } = createSites(["one", "two"]);
  for (const path of ["/~hosts/docs.example/help/docs/one", "/~hosts/docs.example/help/docs/two"])
    await rootAt(path);
  expect(newlyAsked().map((url) => url.split("/").at(-1))).toEqual(["one", "two"]);
});

test("what sites said of a long path is not remembered, and what it said of a short one is, of who proves much as well", async () => {
  const { rootAt, newlyAsked } = createSites([]);
  const long = `/sites/a/${"x".repeat(1_024)}`;
  const known = { jwt: `a.${"b".repeat(4_000)}.c`, inAddress: false };
  for (const [path, credentials] of [
    ["/sites/a/short", NOBODY],
    ["/sites/a/short", known],
    [long, NOBODY],
  ] as const) {
    for (let time = 0; time < 2; time += 1) expect(await rootAt(path, credentials)).toBe("/sites/a/");
    expect(newlyAsked()).toHaveLength(path === long ? 2 : 1);
  }
});

test("what is shown nearby is guessed for the same visitor where it has to be asked for, and for nobody else", async () => {
  const { places, rootAt, clock } = createSites(["one"]);
  const guess = (path: string, credentials = NOBODY) => places.guess(at(path), credentials)?.root;
  expect(guess("/sites/a/one")).toBeUndefined();
  await rootAt("/sites/a/one");
  await rootAt("/sites/a/de/one");
  expect([guess("/sites/a/one"), guess("/sites/a/two")]).toEqual([undefined, undefined]);
  clock.now += LATER;
  expect(guess("/sites/a/two")).toBe("/sites/a/");
  expect(guess("/sites/a/x/y/z")).toBe("/sites/a/");
  expect(guess("/sites/a/de/two")).toBe("/sites/a/de/");
  expect(guess("/sites/ab/two")).toBeUndefined();
  expect(guess("/sites/a/two", { jwt: "a.b.c", inAddress: false })).toBeUndefined();
  expect(guess("/~hosts/a.example/two")).toBeUndefined();
});
