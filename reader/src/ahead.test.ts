import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAhead } from "./ahead.js";
import { spaceFrom } from "./space.js";
import { page } from "./testing.js";

const { order } = spaceFrom("space", {
  pages: Array.from({ length: 30 }, (_, at) => page(`page-${at}`, `Page ${at}`)),
  files: [],
});

/** A reader who opens pages, and the numbers of those that are drawn, in the order in which their drawing began. */
function reader(draw = async () => {}) {
  const ahead = createAhead();
  const drawn: number[] = [];
  return {
    drawn,
    ahead,
    async open(at: number) {
      if (!drawn.includes(at)) drawn.push(at);
      ahead.follow({
        ...{ order, page: order[at]! },
        isDrawn: (one) => drawn.includes(order.indexOf(one)),
        draw: (one) => {
          drawn.push(order.indexOf(one));
          return draw();
        },
      });
      for (let turn = 0; turn < 50; turn += 1) await later();
    },
  };
}

test("whoever reads pages in order finds more and more of the next ones drawn, up to eight", async () => {
  const { drawn, open } = reader();
  await open(0);
  expect(drawn).toEqual([0]);
  await open(1);
  expect(drawn).toEqual([0, 1, 2]);
  await open(2);
  expect(drawn).toEqual([0, 1, 2, 3, 4]);
  for (let at = 3; at < 12; at += 1) await open(at);
  expect(drawn).toEqual(Array.from({ length: 20 }, (_, at) => at));
});

test("nothing is drawn ahead of whoever opens pages here and there, nor behind the last one", async () => {
  const { drawn, open } = reader();
  for (const at of [5, 20, 10, 29]) await open(at);
  expect(drawn).toEqual([5, 20, 10, 29]);
  await open(28);
  await open(29);
  expect(drawn).toEqual([5, 20, 10, 29, 28]);
});

test("one page at a time is drawn ahead, and one that fails holds up no others", async () => {
  let [now, most] = [0, 0];
  const { drawn, open } = reader(async () => {
    now += 1;
    most = Math.max(most, now);
    await later();
    now -= 1;
    throw new Error("away");
  });
  for (let at = 0; at < 6; at += 1) await open(at);
  expect(drawn).toEqual(Array.from({ length: 11 }, (_, at) => at));
  expect([most, now]).toEqual([1, 0]);
});

test("no page is begun ahead while somebody waits for one, even if that fails", async () => {
  const { drawn, open, ahead } = reader();
  let fail = (_: Error) => {};
  const wanted = ahead.awaited(new Promise((_, reject) => (fail = reject)));
  for (let at = 0; at < 3; at += 1) await open(at);
  expect(drawn).toEqual([0, 1, 2]);
  fail(new Error("away"));
  await expect(wanted).rejects.toThrow("away");
  await open(2);
  expect(drawn).toEqual([0, 1, 2, 3, 4]);
});
