import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { createPrerender, type Thread } from "./prerender.js";

const PAGES = 50;
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/**
 * A reader who opens pages of so many bytes, and the numbers of those that are drawn, in the order in which their drawing
 * began: all of them, and those that were drawn ahead by thread.
 */
function reader({ draw = async (_: Thread) => {}, lengths = {} as Record<number, number> } = {}) {
  const pages = numbers(0, PAGES).map((at) => ({
    ...page(`${at}`, `Page ${at}`),
    length: lengths[at] ?? 1_000,
  }));
  const { order } = spaceFrom("space", { pages, files: [] });
  const prerender = createPrerender();
  const drawn: number[] = [];
  const drawnAhead: Record<Thread, number[]> = { main: [], worker: [] };
  return {
    drawn,
    drawnAhead,
    prerender,
    async open(at: number) {
      if (!drawn.includes(at)) drawn.push(at);
      prerender.follow({
        order,
        page: order[at]!,
        keyOf: ({ id }) => id,
        isDrawn: (key) => drawn.includes(Number(key)),
        draw: ({ id }, thread) => {
          drawn.push(Number(id));
          drawnAhead[thread].push(Number(id));
          return draw(thread);
        },
      });
      for (let turn = 0; turn < 100; turn += 1) await later();
    },
  };
}

const sorted = (some: number[]) => [...some].sort((one, other) => one - other);

test("whoever reads pages in order finds more and more of the next ones drawn, up to sixteen", async () => {
  const { drawn, open } = reader();
  await open(0);
  expect(drawn).toEqual([0]);
  await open(1);
  expect(drawn).toEqual([0, 1, 2]);
  await open(2);
  expect(sorted(drawn)).toEqual(numbers(0, 5));
  for (let at = 3; at < 20; at += 1) await open(at);
  expect(sorted(drawn)).toEqual(numbers(0, 36));
});

test("nothing is drawn ahead of whoever opens pages here and there, nor behind the last one", async () => {
  const { drawn, open } = reader();
  for (const at of [5, 20, 10, 49]) await open(at);
  expect(drawn).toEqual([5, 20, 10, 49]);
  await open(48);
  await open(49);
  expect(drawn).toEqual([5, 20, 10, 49, 48]);
});

test("two pages at a time are drawn on the main thread and one on the worker, and one that fails holds up no others", async () => {
  const now = { main: 0, worker: 0 };
  const most = { main: 0, worker: 0 };
  const { drawn, open } = reader({
    draw: async (thread) => {
      now[thread] += 1;
      most[thread] = Math.max(most[thread], now[thread]);
      for (let turn = 0; turn < 150; turn += 1) await later();
      now[thread] -= 1;
      throw new Error("away");
    },
  });
  for (let at = 0; at < 6; at += 1) await open(at);
  for (let turn = 0; turn < 1_000; turn += 1) await later();
  expect(sorted(drawn)).toEqual(numbers(0, 11));
  expect([most, now]).toEqual([
    { main: 2, worker: 1 },
    { main: 0, worker: 0 },
  ]);
});

test("while somebody waits no page is begun on the main thread, and the longest but for the next are on the worker", async () => {
  let goOn = () => {};
  let gate = new Promise<void>((resolve) => (goOn = resolve));
  const { drawnAhead, open, prerender } = reader({ draw: () => gate, lengths: { 6: 2_000, 8: 3_000 } });
  for (let at = 0; at < 5; at += 1) await open(at);
  expect(drawnAhead).toEqual({ main: [2, 3], worker: [6] });
  let fail = (_: Error) => {};
  const wanted = prerender.awaited("elsewhere", new Promise((_, reject) => (fail = reject)));
  gate = Promise.resolve();
  goOn();
  await open(4);
  expect(drawnAhead).toEqual({ main: [2, 3], worker: [6, 8, 7] });
  fail(new Error("away"));
  await expect(wanted).rejects.toThrow("away");
  await open(4);
  expect(drawnAhead).toEqual({ main: [2, 3, 5], worker: [6, 8, 7] });
});

test("whoever waits for a page that the worker draws keeps none from being begun on the main thread", async () => {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const draw = (thread: Thread) => (thread === "worker" ? gate : Promise.resolve());
  const { drawnAhead, open, prerender } = reader({ draw, lengths: { 6: 2_000 } });
  let end = () => {};
  const other = prerender.awaited("elsewhere", new Promise<void>((resolve) => (end = resolve)));
  for (let at = 0; at < 4; at += 1) await open(at);
  expect(drawnAhead).toEqual({ main: [], worker: [4] });
  const wanted = prerender.awaited("4", gate);
  end();
  await other;
  await open(3);
  expect(drawnAhead).toEqual({ main: [5, 6], worker: [4] });
  goOn();
  await wanted;
});
