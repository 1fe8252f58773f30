import { expect, test } from "vitest";
import { seeded } from "../testing/trees.js";
import { hashOf } from "./bodies.js";
import { decide } from "./decide-entry.js";
import { type EntryFields, type Sides, same } from "./merge-entry.js";
import { allParts, changed, mergedParts, pageOf, pageWith, textsInMemory } from "./testing-sides.js";
import type { Entry } from "./version.js";

const { texts, keep } = textsInMemory();

/** A question about a page; nothing of it is confirmed or misplaced by default. */
const ask = (question: Sides & { wanted: Entry | undefined; confirmed?: boolean; misplaced?: boolean }) =>
  decide({ confirmed: false, misplaced: false, ...question }, texts);

test("a decision moves the base of what was in conflict and is not as it was, and of nothing else", async () => {
  const random = seeded(61);
  const always = ["layout.width", "variables.a"];
  let decided = 0;
  for (let round = 0; round < 3000; round += 1) {
    const first = changed(random, allParts(), 0.2, always);
    const primary = changed(random, first, 0.25, always);
    const own = changed(random, first, 0.25, always);
    const wanted = random() < 0.1 ? own : changed(random, own, 0.3, always);
    const confirmed = random() < 0.3;
    const reported = confirmed ? wanted : own;
    const moved = { ...first };
    const equal = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
    for (const names of mergedParts({ base: first, primary, own: reported }).conflicts)
      for (const name of names)
        if (confirmed || !equal(reported[name], wanted[name])) moved[name] = primary[name];
    const entry = (parts: typeof first) => pageOf(parts, random, keep);
    const sides = { base: entry(first), primary: entry(primary), own: entry(own), wanted: entry(wanted) };
    if (same(sides.wanted, sides.primary)) continue;
    const decision = await ask({ ...sides, confirmed });
    expect(decision ? decision.base : sides.base).toEqual(entry(moved));
    if (decision?.text !== undefined) expect(decision.base?.body).toBe(keep(decision.text));
    if (same(sides.own, sides.wanted) && !confirmed) expect(decision).toBeUndefined();
    if (decision) decided += 1;
  }
  expect(decided).toBeGreaterThan(300);
  expect(decided).toBeLessThan(2500);
});

const titled = (title: string, other: EntryFields = {}) => pageWith({ title, ...other });
const [base, primary, own] = [titled("Was"), titled("Primary"), titled("Own")];

test("what is now as in the primary content is decided, unless it never was in doubt", async () => {
  expect(await ask({ base, primary, own, wanted: primary })).toEqual({ base: primary });
  expect(await ask({ base: primary, primary, own, wanted: primary })).toBeUndefined();
  expect(await ask({ base, primary: undefined, own, wanted: undefined })).toEqual({ base: undefined });
  expect(await ask({ base: undefined, primary: undefined, own, wanted: undefined })).toBeUndefined();
});

test("of a page that is there on one side alone any change decides whether it shall be", async () => {
  const wanted = titled("Other");
  expect(await ask({ base, primary: undefined, own, wanted })).toEqual({ base: undefined });
  expect(await ask({ base, primary: undefined, own, wanted: own })).toBeUndefined();
  expect(await ask({ base, primary: undefined, own, wanted: own, confirmed: true })).toEqual({
    base: undefined,
  });
  expect(await ask({ base, primary, own, wanted: undefined })).toEqual({ base: primary });
  expect(await ask({ base, primary, own: undefined, wanted })).toBeUndefined();
  expect(await ask({ base, primary, own: undefined, wanted: undefined })).toBeUndefined();
  expect(await ask({ base, primary, own: undefined, wanted: undefined, confirmed: true })).toEqual({
    base: primary,
  });
});

test("a page that both sides made is decided by confirming it, and by no other change", async () => {
  const made = { base: undefined, primary, own };
  expect(await ask({ ...made, wanted: titled("Other") })).toBeUndefined();
  expect(await ask({ ...made, wanted: own, confirmed: true })).toEqual({ base: primary });
});

test("a place that stands in the way of others is decided by a move, or by confirming it", async () => {
  const at = (position: string) => pageWith({ position });
  const sides = { base: at("a0"), primary: at("a0"), own: at("a1") };
  expect(await ask({ ...sides, wanted: at("a2") })).toBeUndefined();
  expect(await ask({ ...sides, wanted: at("a2"), misplaced: true })).toEqual({ base: at("a0") });
  expect(await ask({ ...sides, wanted: at("a1"), misplaced: true })).toBeUndefined();
  expect(await ask({ ...sides, wanted: at("a1"), misplaced: true, confirmed: true })).toEqual({
    base: at("a0"),
  });
  const titles = {
    ...sides,
    base: titled("Was"),
    primary: titled("Primary"),
    own: titled("Was", { position: "a1" }),
  };
  expect(await ask({ ...titles, wanted: titled("Was", { position: "a2" }), misplaced: true })).toEqual({
    base: titled("Was"),
  });
});

const fields = (layout: Record<string, string> | undefined) => pageWith({ props: layout ? { layout } : {} });

test("a property of fields that one side removed is decided as a whole", async () => {
  const sides = {
    base: fields({ width: "wide" }),
    primary: fields({ width: "full" }),
    own: fields(undefined),
  };
  expect(await ask({ ...sides, wanted: titled("Other") })).toBeUndefined();
  for (const wanted of [fields({ width: "small" }), fields({})])
    expect(await ask({ ...sides, wanted })).toEqual({ base: fields({ width: "full" }) });
  const removed = { ...sides, primary: fields(undefined), own: fields({ width: "full" }) };
  expect(await ask({ ...removed, wanted: fields({ width: "small" }) })).toEqual({ base: fields(undefined) });
});

const [was, theirs, ours] = ["A\n\nB\n", "A1\n\nB1\n", "A2\n\nB2\n"].map(keep);

test.each<
  [
    what: string,
    kind: Entry["kind"],
    base: string | null,
    primary: string | null,
    own: string | null,
    wanted: string | null,
  ]
>([
  ["a file", "file", was!, theirs!, ours!, keep("other")],
  ["a page without a text at first", "page", null, theirs!, ours!, keep("other")],
  ["a page without one in the primary content", "page", was!, null, ours!, keep("other")],
  ["a page whose text had been removed", "page", was!, theirs!, null, keep("other")],
])("the text of %s is decided as a whole", async (_, kind, ...bodies) => {
  const entry = (body: string | null) => pageWith({ kind, body, git_oid: body && `oid of ${body}` });
  const [base, primary, own, wanted] = bodies.map(entry);
  expect(await ask({ base, primary, own, wanted })).toEqual({ base: primary });
  expect(await ask({ base, primary, own, wanted: own, confirmed: true })).toEqual({ base: primary });
  expect(await ask({ base, primary, own, wanted: { ...own!, title: "Other" } })).toBeUndefined();
});

test("a text that is removed now decides each block of it", async () => {
  const entry = (body: string | null) => pageWith({ body });
  const decision = await ask({
    base: entry(was!),
    primary: entry(theirs!),
    own: entry(ours!),
    wanted: entry(null),
  });
  expect(decision).toEqual({ base: entry(theirs!), text: "A1\n\nB1\n" });
  expect(decision!.base!.body).toBe(hashOf(decision!.text!));
});
