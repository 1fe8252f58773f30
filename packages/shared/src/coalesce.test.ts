import { expect, test, vi } from "vitest";
import { createCoalescer } from "./coalesce.js";

/** Work that ends when the test ends it, and returns which time it was done. */
function steered() {
  const ends: ((error?: Error) => void)[] = [];
  let begun = 0;
  const work = () => {
    begun += 1;
    const time = begun;
    return new Promise<number>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(time)));
    });
  };
  const end = async (error?: Error) => {
    ends.shift()!(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { work, end, begun: () => begun };
}

test("who comes while work is under way shares what begins after it, and nobody gets what began before they came", async () => {
  const { work, end, begun } = steered();
  const coalesce = createCoalescer();
  const first = coalesce("one", work);
  const later = [coalesce("one", work), coalesce("one", work)];
  expect(begun()).toBe(1);
  await end();
  expect(await first).toBe(1);
  expect(begun()).toBe(2);
  const last = coalesce("one", work);
  await end();
  expect(await Promise.all(later)).toEqual([2, 2]);
  await end();
  expect(await last).toBe(3);
});

test("work of another name, and work after the end of all, is done by itself", async () => {
  const { work, end, begun } = steered();
  const coalesce = createCoalescer();
  const [one, other] = [coalesce("one", work), coalesce("other", work)];
  expect(begun()).toBe(2);
  await end();
  await end();
  expect([await one, await other]).toEqual([1, 2]);
  const again = coalesce("one", work);
  await end();
  expect(await again).toBe(3);
});

test("a failure is that of all who share it, and of nobody after it", async () => {
  const { work, end } = steered();
  const coalesce = createCoalescer();
  const first = coalesce("one", work);
  const shared = [coalesce("one", work), coalesce("one", work)].map((each) => each.catch(String));
  await end();
  expect(await first).toBe(1);
  const after = coalesce("one", work);
  await end(new Error("broken"));
  expect(await Promise.all(shared)).toEqual(["Error: broken", "Error: broken"]);
  await end();
  expect(await after).toBe(3);
});

test("who comes after a first failure is served by work of their own", async () => {
  const { work, end } = steered();
  const coalesce = createCoalescer();
  const first = coalesce("one", work).catch(String);
  const next = coalesce("one", work);
  await end(new Error("broken"));
  await end();
  expect([await first, await next]).toEqual(["Error: broken", 2]);
});

test("where several wait, those who come within the pace share what they wait for, and a single one waits for nobody", async () => {
  const { work, end, begun } = steered();
  const coalesce = createCoalescer();
  const ask = () => coalesce("one", work, 1_000);
  const all = [ask(), ask(), ask()];
  await end();
  all.push(ask());
  expect(begun()).toBe(1);
  await vi.waitUntil(() => begun() > 1, 10_000);
  all.push(ask());
  await end();
  expect(begun()).toBe(3);
  await end();
  expect(await Promise.all(all)).toEqual([1, 2, 2, 2, 3]);
});
