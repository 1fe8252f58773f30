import { expect, test } from "vitest";
import { z } from "zod";
import { path, positionOf, shareKey, siteTitle } from "./schema.js";

/** The message of the refusal; undefined for what is taken. */
const refusalOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;
const takes = (schema: z.ZodType, value: unknown) => refusalOf(schema, value) === undefined;
const ofLengths = (schema: z.ZodType, lengths: number[]) =>
  lengths.map((length) => takes(schema, "x".repeat(length)));

test("a title has 2 to 128 characters, a segment of an address 1 to 100, a share key 512 at most", () => {
  expect(ofLengths(siteTitle, [1, 2, 128, 129])).toEqual([false, true, true, false]);
  expect(ofLengths(path, [0, 1, 100, 101])).toEqual([false, true, true, false]);
  expect(ofLengths(shareKey, [512, 513])).toEqual([true, false]);
  expect(takes(shareKey, undefined)).toBe(true);
});

test("a segment of an address begins with a letter or digit, and has dots, dashes and underscores besides", () => {
  for (const good of ["a", "9", "größe", "日本語", "v1.2-rc_3"])
    expect(refusalOf(path, good)).toBeUndefined();
  for (const bad of ["-a", ".", "..", "_a", "a/b", "a b", "a?b", "a%2Fb"])
    expect(refusalOf(path, bad)).toBe(
      "must be letters, digits, dots, dashes and underscores, a letter or digit first",
    );
});

test("a place among siblings is named by one neighbour or by none", () => {
  const position = positionOf(z.string());
  for (const good of [{}, { before: "a" }, { after: "a" }]) expect(refusalOf(position, good)).toBeUndefined();
  expect(refusalOf(position, { before: "a", after: "b" })).toBe("takes `before` or `after`, not both");
});
