import { expect, test } from "vitest";
import { createUpstreamCache } from "./upstream-cache.js";

test("a response is reused for a moment, and while the service is away; never after a refusal", async () => {
  let now = 0;
  const cache = createUpstreamCache<{ value: number }>({ max: 10, fresh: 100, stale: 1_000 }, () => now);
  let loads = 0;
  const load = async () => ({ value: ++loads });
  const away = () => Promise.reject(new TypeError("fetch failed"));
  const refused = () => Promise.reject(Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } }));
  expect(await Promise.all([cache.get("a", load), cache.get("a", load)])).toEqual([
    { value: 1 },
    { value: 1 },
  ]);
  now = 99;
  expect(await cache.get("a", load)).toEqual({ value: 1 });
  now = 101;
  expect(await cache.get("a", away)).toEqual({ value: 1 });
  expect(await cache.get("a", load)).toEqual({ value: 2 });
  now = 300;
  await expect(cache.get("a", refused)).rejects.toThrow("no");
  await expect(cache.get("a", away)).rejects.toThrow("fetch failed");
});

test("no more is kept than fits, and what was asked for last stays", async () => {
  const size = { of: ({ length }: { length: number }) => length, most: 10 };
  const cache = createUpstreamCache<{ length: number }>({ max: 10, size, fresh: 100, stale: 1_000 }, () => 0);
  const asked: string[] = [];
  const ask = (key: string, length: number) =>
    cache.get(key, async () => {
      asked.push(key);
      return { length };
    });
  for (const key of ["a", "b", "a", "c"]) await ask(key, 5);
  expect(asked).toEqual(["a", "b", "c"]);
  for (const key of ["a", "b"]) await ask(key, 5);
  expect(asked).toEqual(["a", "b", "c", "b"]);
  for (const key of ["long", "long", "b"]) await ask(key, key === "long" ? 11 : 5);
  expect(asked).toEqual(["a", "b", "c", "b", "long", "b"]);
});
