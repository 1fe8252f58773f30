import { expect, test } from "vitest";
import { gather } from "./gather.js";

test("pieces come back as one, and many small ones take no more room than one large one", () => {
  const gathered = gather(100_000);
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256));
  for (let at = 0; at < bytes.length; at += 1) gathered.add(bytes.subarray(at, at + 1));
  expect(gathered.bytes().equals(bytes)).toBe(true);
  expect(gathered.length).toBe(100_000);
  expect(gathered.room).toBe(100_000);
  expect(gather(10).bytes()).toHaveLength(0);
});
