import { expect, test } from "vitest";
import { joinedName, joinedSheets } from "./joined-sheets.js";

const BODIES: Record<string, string> = {
  "site.a.css": "a{}",
  "navigation.b.css": "b{}",
  "customization.c.css": "c{}",
  "fonts-Inter.d.css": "d{}",
};
const find = joinedSheets((name) => {
  const body = BODIES[name] === undefined ? undefined : Buffer.from(BODIES[name]);
  return body && { type: "text/css", length: body.length, body };
});
const textAt = (...stems: string[]) => find(joinedName(stems))?.body?.toString();

test("style sheets come as one in their order", () => {
  expect(textAt("site.a", "navigation.b", "fonts-Inter.d")).toBe("a{}b{}d{}");
  expect(textAt("site.a", "customization.c")).toBe("a{}c{}");
  expect(find("site.a.fonts-Inter.d.css")).toEqual({
    type: "text/css",
    length: 6,
    body: Buffer.from("a{}d{}"),
  });
});

test("other names are of no file", () => {
  for (const stems of [
    ["site.x", "fonts-Inter.d"],
    ["site.a", "other.d"],
    ["navigation.b", "fonts-Inter.d"],
    ["site.a", "customization.c", "navigation.b"],
    ["site.a", "site.a"],
    ["site.a", "fonts-Inter.d", "fonts-Inter.d"],
    ["site.a", "fonts-Inter.d", "navigation.b"],
  ])
    expect(textAt(...stems), stems.join()).toBeUndefined();
  for (const name of [
    "",
    ".css",
    "site.css",
    "site.a.b.css",
    "site.a.fonts-Inter.d.js",
    "x/site.a.fonts-Inter.d.css",
  ])
    expect(find(name), name).toBeUndefined();
});
