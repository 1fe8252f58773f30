import { expect, test, vi } from "vitest";
import { gathered } from "./gathered.js";

/** A source of things whose lookups end when the test ends them. */
function source() {
  const lookups: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const lookUp = (ids: string[]) => {
    lookups.push(ids);
    return new Promise<{ id: string }[]>((resolve, reject) => {
      ends.push((error) =>
        error ? reject(error) : resolve(ids.filter((id) => !id.startsWith("none")).map((id) => ({ id }))),
      );
    });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (error?: Error) => {
    ends.shift()!(error);
    await turn();
  };
  return { lookups, lookUp, end };
}

test("lookups that come while one is under way are one, and each gets its own things", async () => {
  const { lookups, lookUp, end } = source();
  const find = gathered(lookUp, { most: 10 });
  const [first, second, third] = [find(["a"]), find(["b", "none"]), find(["b", "c"])];
  expect(lookups).toEqual([["a"]]);
  await end();
  expect(await first).toEqual([{ id: "a" }]);
  expect(lookups).toEqual([["a"], ["b", "none", "c"]]);
  await end();
  expect([await second, await third]).toEqual([[{ id: "b" }], [{ id: "b" }, { id: "c" }]]);
  const later = find(["a"]);
  expect(lookups).toEqual([["a"], ["b", "none", "c"], ["a"]]);
  await end();
  expect(await later).toEqual([{ id: "a" }]);
});

test("a lookup takes as many ids as fit, one lookup at least, and leaves the others to the next", async () => {
  const { lookups, lookUp, end } = source();
  const find = gathered(lookUp, { most: 2 });
  const all = [find(["a"]), find(["b", "c", "d"]), find(["e"]), find(["f"]), find(["g"])];
  for (let lookup = 0; lookup < 4; lookup += 1) await end();
  expect(lookups).toEqual([["a"], ["b", "c", "d"], ["e", "f"], ["g"]]);
  expect((await Promise.all(all)).map((found) => found.length)).toEqual([1, 3, 1, 1, 1]);
});

test("a lookup that fails fails for those that share it, and the next one is made", async () => {
  const { lookups, lookUp, end } = source();
  const find = gathered(lookUp, { most: 10 });
  const [first, ...others] = [find(["a"]), find(["b"]), find(["c"])];
  await end();
  await first;
  const refused = Promise.allSettled(others);
  const next = find(["d"]);
  await end(new Error("away"));
  expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(lookups.at(-1)).toEqual(["d"]);
  await end();
  expect(await next).toEqual([{ id: "d" }]);
});

test("where several wait, those that come within the pace travel with them, and a single one waits for nobody", async () => {
  const { lookups, lookUp, end } = source();
  const find = gathered(lookUp, { most: 10, paceMs: 1_000 });
  const all = [find(["a"]), find(["b"]), find(["c"])];
  await end();
  all.push(find(["d"]));
  expect(lookups).toEqual([["a"]]);
  await vi.waitUntil(() => lookups.length > 1, 10_000);
  expect(lookups).toEqual([["a"], ["b", "c", "d"]]);
  all.push(find(["e"]));
  await end();
  expect(lookups.slice(2)).toEqual([["e"]]);
  await end();
  expect((await Promise.all(all)).flat().map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
});
