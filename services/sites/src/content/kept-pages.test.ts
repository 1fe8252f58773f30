import { expect, test } from "vitest";
import { keepPages } from "./kept-pages.js";

const asking = { requestId: "asking" };
const at = { space: "s", revision: "r", path: "p", claims: {} };

/** What looks paths up: a new one each time, and `fails` when it is told to. */
function lookUps() {
  const made = { count: 0, forWhom: [] as unknown[], fails: false };
  const lookUp = async (_: object, whom?: object) => {
    made.count += 1;
    made.forWhom.push(whom);
    if (made.fails) throw new Error("away");
    return `path-${made.count}`;
  };
  return Object.assign(made, { lookUp });
}

test("a path that is fresh is looked up once", async () => {
  const made = lookUps();
  const pageAt = keepPages(made.lookUp, { keptMs: 60_000, freshMs: 60_000 });
  expect([await pageAt(asking, at), await pageAt(asking, at)]).toEqual(["path-1", "path-1"]);
  expect(made).toMatchObject({ count: 1, forWhom: [asking] });
});

test("a path that is no longer fresh is returned at once, and looked up again for nobody who waits", async () => {
  const made = lookUps();
  const pageAt = keepPages(made.lookUp, { keptMs: 60_000, freshMs: 0 });
  await pageAt(asking, at);
  expect(await Promise.all([pageAt(asking, at), pageAt(asking, at)])).toEqual(["path-1", "path-1"]);
  expect(made).toMatchObject({ count: 2, forWhom: [asking, undefined] });
  expect(await pageAt(asking, at)).toBe("path-2");
});

test("a path that cannot be looked up again is used until it is too old", async () => {
  const made = lookUps();
  const pageAt = keepPages(made.lookUp, { keptMs: 200, freshMs: 0 });
  await pageAt(asking, at);
  made.fails = true;
  expect([await pageAt(asking, at), await pageAt(asking, at)]).toEqual(["path-1", "path-1"]);
  expect(made.count).toBe(2);
  await expect.poll(() => pageAt(asking, at).catch(() => "away")).toBe("away");
});
