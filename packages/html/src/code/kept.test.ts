import { expect, test } from "vitest";
import { createKept } from "./kept.js";

test("what was used last is kept, as long as the texts fit", () => {
  const kept = createKept<{ of: string }>(10);
  for (const text of ["aaaa", "bbbb"]) kept.set(text, { of: text });
  expect(kept.get("aaaa")).toEqual({ of: "aaaa" });
  kept.set("cccc", { of: "cccc" });
  expect(["aaaa", "bbbb", "cccc"].map(kept.has)).toEqual([true, false, true]);
});

test("a text that is longer than all that may be kept leaves nothing behind, and takes no room", () => {
  const kept = createKept<object>(10);
  kept.set("a".repeat(11), {});
  expect(kept.has("a".repeat(11))).toBe(false);
  kept.set("aaaaa", {});
  kept.set("bbbbb", {});
  kept.set("bbbbb", {});
  expect([kept.has("aaaaa"), kept.has("bbbbb")]).toEqual([true, true]);
});
