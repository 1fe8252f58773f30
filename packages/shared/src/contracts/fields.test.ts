import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { skipOutputValidation } from "../rest/skip-output-validation.js";
import { encodeCursor } from "./cursor.js";
import {
  defaultLevel,
  emoji,
  httpUrl,
  icon,
  id,
  language,
  listOf,
  order,
  paging,
  permissions,
  roleOrGuest,
  text,
  time,
  timestamp,
  uri,
  urls,
} from "./fields.js";

const takes = (schema: z.ZodType, ...values: unknown[]) =>
  values.map((value) => schema.safeParse(value).success);

test("text has its bounds in characters, and holds only what PostgreSQL can store", () => {
  const title = text(3, 1);
  expect(takes(title, "a", "abc", "é\n\t")).toEqual([true, true, true]);
  expect(takes(title, "", "abcd", "a\0", "\ud83d", "\ude00a", 1, null)).toEqual(Array(7).fill(false));
  expect(takes(text(3), "", "😀")).toEqual([true, true]);
});

test("an id is any short text: what has another form is simply unknown", () => {
  expect(takes(id, "a", "x".repeat(100), "../x", "", "x".repeat(101))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("icons are names, emojis short texts", () => {
  expect(takes(icon, "gear", "arrow-up-2")).toEqual([true, true]);
  expect(takes(icon, "Gear", "-gear", "a--b", "", "a b", "<svg>")).toEqual(Array(6).fill(false));
  expect(takes(emoji, "1f600", "😀", "x".repeat(51))).toEqual([true, true, false]);
});

test("addresses: any scheme for a URI, else http alone", () => {
  expect(takes(uri, "mailto:a@b.c", "https://a.b/c", "nothing")).toEqual([true, true, false]);
  expect(takes(httpUrl, "http://a.b", "https://a.b/c?d", "ftp://a.b", "javascript:alert(1)", "//a")).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("a given time is read in UTC to the millisecond, and lies where it can be stored", () => {
  expect(time.parse("9999-12-31T23:59:59.9999999Z")).toBe("9999-12-31T23:59:59.999Z");
  expect(time.parse("2026-01-01T00:00:00-23:00")).toBe("2026-01-01T23:00:00.000Z");
  const wrong = ["0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00", "tomorrow", 7];
  expect(wrong.map((value) => time.safeParse(value).error?.issues.length)).toEqual(wrong.map(() => 1));
});

test("timestamps are ISO 8601 in UTC", () => {
  expect(takes(timestamp, "2026-11-21T06:11:29.100Z", "2026-11-21T06:11:29Z")).toEqual([true, true]);
  expect(takes(timestamp, "2026-11-21", "2026-11-21T06:11:29+01:00", 0, "yesterday")).toEqual(
    Array(4).fill(false),
  );
});

test("roles: a guest is null, a default level may be inherited", () => {
  expect(takes(roleOrGuest, "admin", "read", null, "owner", undefined)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(takes(defaultLevel, "edit", null, "inherit", "none")).toEqual([true, true, true, false]);
  expect(takes(language, "en", "pt-br", "xx", "EN")).toEqual([true, true, false, false]);
});

test("paging: 50 items by default, 0 to 1000, whole numbers", () => {
  const schema = z.object(paging);
  expect(schema.parse({})).toEqual({ limit: 50 });
  expect(
    takes(schema, { limit: 0 }, { limit: 1000 }, { limit: -1 }, { limit: 1001 }, { limit: 1.5 }),
  ).toEqual([true, true, false, false, false]);
  expect(takes(schema, { limit: "5" }, { page: "x".repeat(5001) })).toEqual([false, false]);
  expect([order.parse(undefined), order.parse("asc")]).toEqual(["desc", "asc"]);
});

test("envelopes have exactly the given keys", () => {
  expect(
    takes(listOf(id), { items: ["a"], count: 1 }, { items: ["a"], count: 1, next: { page: "x" } }),
  ).toEqual([true, true]);
  expect(takes(listOf(id), { items: [""], count: 1 }, { items: [] })).toEqual([false, false]);
  expect(Object.keys(urls("location", "app").shape)).toEqual(["location", "app"]);
  expect(takes(permissions("view"), { view: true }, { view: "true" }, {})).toEqual([true, false, false]);
});

test("booleans and numbers take nothing for something else", () => {
  expect(takes(z.boolean(), true, false, "true", 1, null)).toEqual([true, true, false, false, false]);
  expect(takes(z.number(), 1, "1", null, Number.NaN)).toEqual([true, false, false, false]);
});

afterEach(() => vi.unstubAllEnvs());

test("the output of a schema that skips validation is checked in tests and development, and passed on in production", async () => {
  const thing = z.object({ id: z.string() });
  const output = skipOutputValidation(thing);
  expect(() => output.parse({ id: 1 })).toThrow();
  expect(output.parse({ id: "a", secret: 1 })).toEqual({ id: "a" });
  vi.stubEnv("NODE_ENV", "production");
  const given = { id: 1 };
  expect(output.parse(given)).toBe(given);
  expect(await output.parseAsync(given)).toBe(given);
  expect(() => thing.parse(given)).toThrow();
});

test("a page that is no cursor is reported together with a limit that is too large", () => {
  const { error } = z.object(paging).safeParse({ page: "zzz", limit: 1001 });
  expect(error?.issues.map(({ path, message }) => [...path, message])).toEqual([
    ["page", "is not a cursor of this list"],
    ["limit", "Too big: expected number to be <=1000"],
  ]);
  const page = encodeCursor(["some title", 12]);
  expect(z.object(paging).parse({ page })).toEqual({ page, limit: 50 });
});
