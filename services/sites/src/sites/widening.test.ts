import { expect, test } from "vitest";
import type { Row } from "../store/sites.js";
import { widensAudience } from "./widening.js";

const site = { visibility: "unlisted", basename: "docs", proxy: "example.com/docs" } as Row;
type Change = Omit<Parameters<typeof widensAudience>[1], "organizationId" | "siteId">;
const widens = (change: Change, before = site) =>
  widensAudience(before, { organizationId: "acme", siteId: "site_1", ...change });

/** Fewest visitors first. */
const visibilities = ["visitor-auth", "share-link", "unlisted", "public"] as const;
const steps = visibilities.flatMap((from, low) =>
  visibilities.map((to, high) => [from, to, high > low] as const),
);

test.each(steps)("from %s to %s shows a site to more people: %s", (from, to, wider) => {
  expect(widens({ visibility: to }, { ...site, visibility: from })).toBe(wider);
});

test.each<[what: string, Change, wider: boolean]>([
  ["nothing", {}, false],
  ["a title", { title: "Other" }, false],
  ["its own name", { basename: "docs" }, false],
  ["another name", { basename: "other" }, true],
  ["its own foreign address", { proxy: "example.com/docs" }, false],
  ["another foreign address", { proxy: "example.com/other" }, true],
  ["no foreign address", { proxy: null }, false],
  ["another root", { defaultSiteSpace: "sitesp_1" }, true],
])("an update with %s shows a site to more people, or elsewhere: %o, %s", (_, change, wider) => {
  expect(widens(change)).toBe(wider);
});

test("a name or a foreign address for a site that has none shows it elsewhere", () => {
  const bare = { ...site, basename: null, proxy: null };
  expect([widens({ basename: "docs" }, bare), widens({ proxy: "example.com/docs" }, bare)]).toEqual([
    true,
    true,
  ]);
  expect([widens({}, bare), widens({ proxy: null }, bare)]).toEqual([false, false]);
});
