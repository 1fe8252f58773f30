import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPool, type Pool } from "./pool.js";

const ANSWERED = "answered";
/** A thread that takes longer to load than a piece of work may take, and then does its work at once, or never. */
const slowToLoad = (answers: boolean) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from "node:worker_threads";
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      parentPort.on("message", () => ${answers} && parentPort.postMessage({ failure: "${ANSWERED}" }));
      parentPort.postMessage({ loaded: true });`)}`,
  );

test("the time that a thread takes to load is no part of that of its first piece of work", async () => {
  const pool = createPool({ module: slowToLoad(true), deadline: 2_000 });
  await expect(pool.run("any", {})).rejects.toBe(ANSWERED);
  await pool.close();
});

test("a piece of work that does not end is ended, also the first one of a thread", async () => {
  const pool = createPool({ module: slowToLoad(false), deadline: 100 });
  await expect(pool.run("any", {})).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await pool.close();
});

test("of threads that have nothing to do for a while one stays", async () => {
  const pool = createPool({ module: slowToLoad(true), threads: 2, deadline: 2_000, rest: 50 });
  await Promise.allSettled([pool.run("any", {}), pool.run("any", {})]);
  await expect.poll(() => pool.running).toBe(1);
  await expect(pool.run("any", {})).rejects.toBe(ANSWERED);
  await pool.close();
});

/** A thread that says which one it is, as many milliseconds later as it is told. */
const named = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ input }) => setTimeout(() => parentPort.postMessage({ failure: threadId }), input));
    parentPort.postMessage({ loaded: true });`)}`,
);
const threadOf =
  (pool: Pool) =>
  (ms: number): Promise<unknown> =>
    pool.run("any", ms).catch((thread: unknown) => thread);

test("where none is kept the last thread ends as well, and the next piece of work starts another one", async () => {
  const pool = createPool({ module: named, threads: 1, kept: 0, rest: 50 });
  const first = await threadOf(pool)(0);
  await expect.poll(() => pool.running).toBe(0);
  expect(await threadOf(pool)(0)).not.toBe(first);
  await pool.close();
});

test("a thread that is used again and again does not end", async () => {
  const pool = createPool({ module: named, threads: 2, rest: 1_500 });
  const threadFor = threadOf(pool);
  const used = new Set<unknown>();
  for (let time = 0; time < 13; time += 1) {
    for (const one of await Promise.all([threadFor(20), threadFor(20)])) used.add(one);
    await sleep(150);
  }
  expect(used.size).toBe(2);
  await pool.close();
});

test("work goes to the thread that was started first of those that have nothing to do", async () => {
  const pool = createPool({ module: named, threads: 2 });
  const threadFor = threadOf(pool);
  const [first, second] = await Promise.all([threadFor(0), threadFor(500)]);
  expect(first).not.toBe(second);
  for (let time = 0; time < 3; time += 1) expect(await threadFor(0)).toBe(first);
  await pool.close();
});
