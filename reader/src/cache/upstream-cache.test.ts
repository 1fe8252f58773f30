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
  now = 201;
  expect(await cache.get("a", load)).toEqual({ value: 2 });
  now = 301;
  await expect(cache.get("a", refused)).rejects.toThrow("no");
  await expect(cache.get("a", away)).rejects.toThrow("fetch failed");
});

test("while a service is away one request at a time finds that out, and no other one waits for it", async () => {
  let now = 0;
  const cache = createUpstreamCache<{ value: number }>({ max: 10, fresh: 100, stale: 1_000 }, () => now);
  let asked = 0;
  let fail = () => {};
  const hang = () => {
    asked += 1;
    return new Promise<never>((_, reject) => {
      fail = () => reject(new TypeError("timed out"));
    });
  };
  const old = await cache.get("a", async () => ({ value: 1 }));
  cache.put("b", old);
  now = 100;
  const waiting = [cache.get("a", hang), cache.get("a", hang)];
  now = 600;
  fail();
  expect(await Promise.all(waiting)).toEqual([old, old]);
  // By both of its keys, from the time on at which it was known that the service is away.
  now = 699;
  expect([await cache.get("a", hang), await cache.get("b", hang), asked]).toEqual([old, old, 1]);
  now = 700;
  const again = cache.get("a", hang);
  expect([await cache.get("a", hang), cache.isFresh("a"), asked]).toEqual([old, true, 2]);
  fail();
  expect(await again).toBe(old);
  now = 800;
  const refused = () => Promise.reject(Object.assign(new Error("no"), { data: { code: "NOT_FOUND" } }));
  await expect(cache.get("a", refused)).rejects.toThrow("no");
  now = 1_000;
  await expect(cache.get("b", () => Promise.reject(new TypeError("away")))).rejects.toThrow("away");
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
