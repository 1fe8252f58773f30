import type { Caller, ReaderCaller } from "@octavo/shared/contracts/callers";
import type { Level } from "@octavo/shared/contracts/roles";
import { expect, test } from "vitest";
import { type Pinned, shownRevision, sightOf, type Visited } from "./visitor.js";

/** A visitor who came to the space `guide` when the audience of the site had been narrowed twice. */
const reader = (over: Partial<ReaderCaller> = {}): ReaderCaller => ({
  kind: "reader",
  organization: "acme",
  site: "docs",
  epoch: 2,
  token: "t",
  space: "guide",
  revision: "of the token",
  ...over,
});

const row = (over: Partial<Visited> = {}): Visited => ({
  id: "guide",
  organization: "acme",
  shown: 1,
  conditions: null,
  ...over,
});

test.each<[what: string, visitor: ReaderCaller, row: Visited, sight: ReturnType<typeof sightOf>]>([
  ["what the site shows is shown", reader(), row(), "shown"],
  ["what the site shows since the audience was narrowed last is shown", reader(), row({ shown: 2 }), "shown"],
  ["what the site shows to fewer by now is shown no more", reader(), row({ shown: 3 }), "ended"],
  ["what the site does not show is hidden", reader(), row({ shown: null }), "hidden"],
  ["another space of the site is shown", reader(), row({ id: "other" }), "shown"],
  [
    "a space whose conditions are met is shown",
    reader({ claims: { a: true, b: true } }),
    row({ conditions: ["visitor.claims.a", "visitor.claims.b"] }),
    "shown",
  ],
  [
    "a space of which one condition is not met is hidden",
    reader({ claims: { a: true } }),
    row({ conditions: ["visitor.claims.a", "visitor.claims.b"] }),
    "hidden",
  ],
  [
    "a space with a condition is hidden without claims",
    reader(),
    row({ conditions: ["visitor.claims.a"] }),
    "hidden",
  ],
  [
    "a space whose conditions are not met is hidden also when the audience was narrowed",
    reader(),
    row({ shown: 3, conditions: ["visitor.claims.a"] }),
    "hidden",
  ],
  [
    "a preview shows the space at its address before the site does",
    reader({ preview: true }),
    row({ shown: null }),
    "shown",
  ],
  ["a preview shows no other space of the site", reader({ preview: true }), row({ id: "other" }), "hidden"],
  [
    "a preview shows nothing of a space that another organization has by now",
    reader({ preview: true }),
    row({ organization: "beta" }),
    "hidden",
  ],
])("%s", (_, visitor, visited, sight) => {
  expect(sightOf(visitor, visited)).toBe(sight);
});

const member: Caller = {
  kind: "user",
  id: "eve",
  name: "Eve",
  organizations: {},
  teams: [],
  token: "t",
};
const space = (over: Partial<Pinned> = {}): Pinned => ({
  id: "guide",
  shown: 2,
  revision: "current",
  pinned: null,
  ...over,
});

test.each<[what: string, caller: Caller, space: Pinned, level: Level, revision: string]>([
  ["who may read a space reads its current revision", member, space({ pinned: "old" }), "read", "current"],
  ["others read what is pinned", member, space({ pinned: "old" }), undefined, "old"],
  ["a guest reads what is pinned", member, space({ pinned: "old" }), null, "old"],
  ["others read the current revision where none is pinned", member, space(), undefined, "current"],
  ["a visitor reads what is pinned", reader(), space({ pinned: "old" }), undefined, "old"],
  ["a visitor reads the current revision where none is pinned", reader(), space(), undefined, "current"],
  [
    "a visitor whose token is newer than the last word of the site reads the revision of the token",
    reader(),
    space({ shown: 1, pinned: "old" }),
    undefined,
    "of the token",
  ],
  [
    "such a visitor reads what is pinned of other spaces",
    reader(),
    space({ id: "other", shown: 1, pinned: "old" }),
    undefined,
    "old",
  ],
  [
    "of a space that the site has not reported yet a visitor reads what is pinned",
    reader(),
    space({ shown: null, pinned: "old" }),
    undefined,
    "old",
  ],
  [
    "a preview reads the revision of the token",
    reader({ preview: true }),
    space({ shown: null, pinned: "old" }),
    undefined,
    "of the token",
  ],
])("%s", (_, caller, pinned, level, revision) => {
  expect(shownRevision(caller, pinned, level)).toBe(revision);
});
