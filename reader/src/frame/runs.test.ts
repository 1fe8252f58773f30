import { expect, test } from "vitest";
import { runsOf } from "./runs.js";

test("of a list its first entries are kept and those around one, and nothing is lost or there twice", () => {
  const all = Array.from({ length: 100 }, (_, at) => at);
  const kept = { first: 10, near: 3 };
  expect(runsOf(all, 50, kept)).toEqual([all.slice(0, 10), 37, all.slice(47, 54), 46]);
  expect(runsOf(all, -1, kept)).toEqual([all.slice(0, 10), 90]);
  for (let at = -1; at < all.length; at += 1) {
    let next = 0;
    for (const run of runsOf(all, at, kept)) {
      if (typeof run !== "number") expect(run).toEqual(all.slice(next, next + run.length));
      next += typeof run === "number" ? run : run.length;
    }
    expect(next, `around ${at}`).toBe(100);
    expect(at < 0 || runsOf(all, at, kept).flat().includes(at)).toBe(true);
  }
});
