import { expect, test } from "vitest";
import { collectGarbage } from "./memory.js";

test("what nothing refers to any more is collected at once, and the function that does it stays hidden", async () => {
  const gone = new WeakRef({ text: "x".repeat(1_000) });
  // What a reference was read of in one turn is kept until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.deref()).toBeUndefined();
  expect("gc" in globalThis).toBe(false);
});
