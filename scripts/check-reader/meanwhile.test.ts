import { setImmediate as soon } from "node:timers/promises";
import { expect, test } from "vitest";
import { meanwhile } from "./meanwhile.js";

test("something is done until a task has ended, and by as many as are asked for", async () => {
  let [running, most, times] = [0, 0, 0];
  const other = async () => {
    running += 1;
    most = Math.max(most, running);
    times += 1;
    await soon();
    running -= 1;
  };
  const task = async () => {
    for (let turn = 0; turn < 5; turn += 1) await soon();
    return "done";
  };
  expect(await meanwhile(task, other, 3)).toBe("done");
  expect([running, most]).toEqual([0, 3]);
  expect(times).toBeGreaterThan(3);
});

test("what fails on either side is thrown once both have ended, and only there", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    let isDone = false;
    const slow = async () => {
      for (let turn = 0; turn < 20; turn += 1) await soon();
      isDone = true;
    };
    const refused = () => Promise.reject(new Error("refused"));
    await expect(meanwhile(slow, refused, 2)).rejects.toThrow("refused");
    expect(isDone).toBe(true);
    await expect(meanwhile(() => Promise.reject(new Error("broken")), soon)).rejects.toThrow("broken");
    await soon();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
