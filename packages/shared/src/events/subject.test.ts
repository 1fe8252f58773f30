import { expect, test } from "vitest";
import { mayPublish, PUBLISHERS, subjectOf, subjectsToRead } from "./subject.js";

const ALL = ["orgs", "content", "sites", "integrations"];

test("a service may publish events of its own name and the common ones, and no others", () => {
  for (const publisher of PUBLISHERS) {
    const others = ALL.filter((each) => each !== publisher);
    expect(mayPublish(publisher, `${publisher}.thing.changed`)).toBe(true);
    expect(mayPublish(publisher, "audit.deed.done")).toBe(true);
    for (const other of others) expect(mayPublish(publisher, `${other}.thing.changed`)).toBe(false);
    expect(mayPublish(publisher, `${publisher}s.thing.changed`)).toBe(false);
    expect(mayPublish(publisher, "auditor.deed.done")).toBe(false);
  }
  expect(PUBLISHERS).toEqual(ALL);
});

test("all that a service publishes lies below its own subject", () => {
  expect(subjectOf("octavo.events", "sites", "sites.site.published")).toBe(
    "octavo.events.sites.site.published",
  );
  expect(subjectOf("octavo.events", "sites", "audit.deed.done")).toBe("octavo.events.sites.audit.deed.done");
  expect(subjectOf("octavo.events", "sites", "sitesx.deed.done")).toBe(
    "octavo.events.sites.sitesx.deed.done",
  );
});

const filtersOf = (names: string[]) =>
  [...subjectsToRead("p", names, "content")].map(([publisher, { filter }]) => [publisher, filter]);

test("of one event its subject is read, of several those of their publisher without the common ones", () => {
  const names = ["orgs.user.gone", "sites.site.made", "sites.site.gone"];
  expect(filtersOf(names)).toEqual([
    ["orgs", "p.orgs.user.gone"],
    ["sites", "p.sites.*.*"],
  ]);
  expect([...subjectsToRead("p", names, "content").get("sites")!.subjects]).toEqual([
    "p.sites.site.made",
    "p.sites.site.gone",
  ]);
});

test("a common event is read of every other service", () => {
  expect(filtersOf(["audit.deed.done", "sites.site.gone"])).toEqual([
    ["orgs", "p.orgs.audit.deed.done"],
    ["sites", "p.sites.>"],
    ["integrations", "p.integrations.audit.deed.done"],
  ]);
  expect(filtersOf([])).toEqual([]);
});

test("an event whose name has more parts is read as well", () => {
  expect(filtersOf(["sites.site.gone", "sites.site.page.gone"])).toEqual([["sites", "p.sites.>"]]);
});
