import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAhead, type Where } from "./ahead.js";
import { spaceFrom } from "./space.js";
import { page } from "./testing.js";

const PAGES = 50;
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/**
 * A reader who opens pages of so many bytes, and the numbers of those that are drawn, in the order in which their drawing
 * began: all of them, and those that were drawn ahead by where that was.
 */
function reader({ draw = async (_: Where) => {}, lengths = {} as Record<number, number> } = {}) {
  const pages = numbers(0, PAGES).map((at) => ({
    ...page(`${at}`, `Page ${at}`),
    length: lengths[at] ?? 1_000,
  }));
  const { order } = spaceFrom("space", { pages, files: [] });
  const ahead = createAhead();
  const drawn: number[] = [];
  const drawnAhead: Record<Where, number[]> = { here: [], aside: [] };
  return {
    drawn,
    drawnAhead,
    ahead,
    async open(at: number) {
      if (!drawn.includes(at)) drawn.push(at);
      ahead.follow({
        ...{ order, page: order[at]! },
        keyOf: ({ id }) => id,
        isDrawn: (key) => drawn.includes(Number(key)),
        draw: ({ id }, where) => {
          drawn.push(Number(id));
          drawnAhead[where].push(Number(id));
          return draw(where);
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

test("two pages at a time are drawn here and one aside, and one that fails holds up no others", async () => {
  const now = { here: 0, aside: 0 };
  const most = { here: 0, aside: 0 };
  const { drawn, open } = reader({
    draw: async (where) => {
      now[where] += 1;
      most[where] = Math.max(most[where], now[where]);
      for (let turn = 0; turn < 150; turn += 1) await later();
      now[where] -= 1;
      throw new Error("away");
    },
  });
  for (let at = 0; at < 6; at += 1) await open(at);
  for (let turn = 0; turn < 1_000; turn += 1) await later();
  expect(sorted(drawn)).toEqual(numbers(0, 11));
  expect([most, now]).toEqual([
    { here: 2, aside: 1 },
    { here: 0, aside: 0 },
  ]);
});

test("while somebody waits no page is begun here, and the longest ones but for the next are drawn aside", async () => {
  let goOn = () => {};
  let gate = new Promise<void>((resolve) => (goOn = resolve));
  const { drawnAhead, open, ahead } = reader({ draw: () => gate, lengths: { 6: 2_000, 8: 3_000 } });
  for (let at = 0; at < 5; at += 1) await open(at);
  expect(drawnAhead).toEqual({ here: [2, 3], aside: [6] });
  let fail = (_: Error) => {};
  const wanted = ahead.awaited("elsewhere", new Promise((_, reject) => (fail = reject)));
  gate = Promise.resolve();
  goOn();
  await open(4);
  expect(drawnAhead).toEqual({ here: [2, 3], aside: [6, 8, 7] });
  fail(new Error("away"));
  await expect(wanted).rejects.toThrow("away");
  await open(4);
  expect(drawnAhead).toEqual({ here: [2, 3, 5], aside: [6, 8, 7] });
});

test("whoever waits for a page that is drawn aside keeps none from being begun here", async () => {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const aside = (where: Where) => (where === "aside" ? gate : Promise.resolve());
  const { drawnAhead, open, ahead } = reader({ draw: aside, lengths: { 6: 2_000 } });
  let end = () => {};
  const other = ahead.awaited("elsewhere", new Promise<void>((resolve) => (end = resolve)));
  for (let at = 0; at < 4; at += 1) await open(at);
  expect(drawnAhead).toEqual({ here: [], aside: [4] });
  const wanted = ahead.awaited("4", gate);
  end();
  await other;
  await open(3);
  expect(drawnAhead).toEqual({ here: [5, 6], aside: [4] });
  goOn();
  await wanted;
});
