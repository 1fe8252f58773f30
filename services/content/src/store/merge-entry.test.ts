import { expect, test } from "vitest";
import { seeded } from "../testing/trees.js";
import { blobOid } from "./bodies.js";
import { combine, type EntryFields, equal, same, withFields } from "./merge-entry.js";
import {
  allParts,
  changed,
  mergedParts,
  pageOf,
  pageWith,
  propertiesOf,
  textsInMemory,
} from "./testing-sides.js";
import type { Entry } from "./version.js";

const { texts, keep } = textsInMemory();
/** The content of a page without its time and its Git object. */
const withoutOrigin = ({ updated_at: _, git_oid: _oid, ...rest }: Entry) => rest;

test("combining takes what one side changed, part by part, and reports what both changed differently", async () => {
  const random = seeded(41);
  let conflicting = 0;
  for (let round = 0; round < 4000; round += 1) {
    const first = changed(random, allParts(), 0.2);
    const sides = {
      base: random() < 0.9 ? first : undefined,
      primary: changed(random, first, 0.12),
      own: changed(random, first, 0.12),
    };
    const entry = (parts: typeof first) => pageOf(parts, random, keep);
    const base = sides.base && entry(sides.base);
    const [primary, own] = [entry(sides.primary), entry(sides.own)];
    const { parts, conflicts } = mergedParts(sides);
    const combined = await combine({ base, primary, own }, texts);
    if (conflicts.length === 0) {
      if ("conflict" in combined) expect.fail(`in conflict: ${JSON.stringify({ ...sides, combined })}`);
      expect(withoutOrigin(combined.entry!)).toEqual(withoutOrigin(entry(parts)));
    } else {
      conflicting += 1;
      if (!("conflict" in combined)) expect.fail(`no conflict: ${JSON.stringify({ ...sides, combined })}`);
      expect(combined.conflict).toMatchObject({ id: own.id, kind: own.kind, title: own.title });
      expect(combined.conflict.properties.toSorted()).toEqual(propertiesOf(conflicts));
      expect(combined.conflict.sides).toEqual({ base, primary, own });
    }
  }
  expect(conflicting).toBeGreaterThan(500);
  expect(conflicting).toBeLessThan(3500);
});

const [was, changedHere, changedThere] = ["Was", "Own", "Primary"].map((title) => pageWith({ title }));

test("what one side removed is gone when the other left it as it was, and comes back for nobody", async () => {
  expect(await combine({ base: was, primary: was, own: undefined }, texts)).toEqual({ entry: undefined });
  expect(await combine({ base: was, primary: undefined, own: was }, texts)).toEqual({ entry: undefined });
  expect(await combine({ base: was, primary: undefined, own: undefined }, texts)).toEqual({
    entry: undefined,
  });
  expect(await combine({ base: undefined, primary: undefined, own: was }, texts)).toEqual({ entry: was });
  expect(await combine({ base: undefined, primary: was, own: undefined }, texts)).toEqual({ entry: was });
});

test("what one side removed and the other changed is in conflict, named as the one that is there", async () => {
  for (const sides of [
    { base: was, primary: undefined, own: changedHere },
    { base: was, primary: changedThere, own: undefined },
  ]) {
    const { id, kind, title } = (sides.own ?? sides.primary)!;
    const conflict = { id, kind, title, properties: ["deleted"], sides };
    expect(await combine(sides, texts)).toEqual({ conflict });
  }
});

const document = (...blocks: string[]) => keep(`${blocks.join("\n\n")}\n`);
const [first, ours, theirs] = [document("A", "B"), document("A1", "B"), document("A", "B2")];

test("a text that both sides changed is returned with the git blob that it makes, for what lies in a repository", async () => {
  const combined = (git_path: string | null) => {
    const side = (body: string) => pageWith({ git_path, body, git_oid: `oid of ${body}` });
    return combine({ base: side(first!), primary: side(ours!), own: side(theirs!) }, texts);
  };
  const merged = "A1\n\nB2\n";
  const body = keep(merged);
  expect(await combined("a.md")).toMatchObject({ text: merged, entry: { body, git_oid: blobOid(merged) } });
  expect(await combined(null)).toMatchObject({ text: merged, entry: { body, git_oid: null } });
});

test("a text that one side changed is taken with the git blob of that side, and none is made anew", async () => {
  const side = (body: string, title: string) => pageWith({ title, body, git_oid: `oid of ${body}` });
  for (const [primary, own] of [
    [side(first, "Primary"), side(ours, "Was")],
    [side(ours, "Was"), side(first, "Own")],
    [side(ours, "Primary"), side(ours, "Was")],
  ] as const) {
    const combined = await combine({ base: side(first, "Was"), primary, own }, texts);
    expect(combined).toMatchObject({ entry: { body: ours, git_oid: `oid of ${ours}` } });
    expect(combined).toMatchObject({ text: undefined });
  }
});

test.each<
  [what: string, kind: Entry["kind"], base: string | null, primary: string | null, own: string | null]
>([
  ["files", "file", first, ours, theirs],
  ["texts that had none in common", "page", null, ours, theirs],
  ["a text that own removed", "page", first, ours, null],
  ["a text that the primary content removed", "page", first, null, theirs],
])("%s that both sides changed are in conflict as a whole", async (_, kind, ...bodies) => {
  const [base, primary, own] = bodies.map((body) => pageWith({ kind, body }));
  const combined = await combine({ base, primary, own }, texts);
  expect(combined).toMatchObject({ conflict: { kind, properties: ["document"] } });
});

test("what is combined was created when the primary content's was, and changed when the later side was", async () => {
  const [early, late] = ["2026-01-01T23:00:00-02:00", "2026-01-02T02:00:00Z"];
  const side = (title: string, slug: string, updated_at: string | null) =>
    pageWith({ title, slug, updated_at });
  for (const [one, other, latest] of [
    [early, late, late],
    [late, early, late],
    [early, null, early],
    [null, early, early],
    [null, null, null],
  ] as const) {
    const combined = await combine(
      { base: side("Was", "was", null), primary: side("New", "was", one), own: side("Was", "new", other) },
      texts,
    );
    expect(combined).toMatchObject({ entry: { updated_at: latest } });
  }
});

test("two states of a page are the same when their contents are, whenever they were written", () => {
  const one = pageWith({ props: { a: 1, b: { c: 2, d: [1, 2] } } });
  expect(same(one, pageWith({ props: { b: { d: [1, 2], c: 2 }, a: 1 } }))).toBe(true);
  expect(same(one, { ...one, updated_at: "2026-02-02T00:00:00Z", git_oid: "any" })).toBe(true);
  const others: EntryFields[] = [
    { kind: "file" as const },
    { slug: "other" },
    { title: "Other" },
    { git_path: "other.md" },
    { parent: "other" },
    { position: "a1" },
    { body: "other" },
    { props: {} },
    { props: { a: 1, b: { c: 2, d: [2, 1] } } },
  ];
  for (const other of others) expect(same(one, withFields(one, other))).toBe(false);
  expect([same(undefined, undefined), same(one, undefined), same(undefined, one)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("values are equal when they are the same JSON, in any order of keys alone", () => {
  expect(equal({ a: [{ b: 1, c: null }] }, { a: [{ c: null, b: 1 }] })).toBe(true);
  expect(equal({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  for (const other of [{ a: [{ b: 1 }] }, [], null, undefined, "a", { a: null }])
    expect(equal({}, other)).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal([], {})).toBe(false);
});
