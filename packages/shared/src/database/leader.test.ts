import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestSchema, testSchema, waitFor } from "../testing/schema.js";
import { runAsLeader } from "./leader.js";

let home: TestSchema<unknown>;
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  home = await testSchema({ service: "leader" });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await home.drop();
});

test("of several copies one leads, and another takes over when it stops", async () => {
  const log = pino({ level: "silent" });
  const leading = new Set<number>();
  let most = 0;
  const turns: number[] = [];
  const copy = (n: number) => {
    const leader = runAsLeader(
      { url: home.url, schema: home.schema, role: "test", log },
      async ({ signal }) => {
        leading.add(n);
        turns.push(n);
        most = Math.max(most, leading.size);
        if (!signal.aborted)
          await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
        leading.delete(n);
      },
    );
    running.push(leader);
    return leader;
  };
  const copies = [copy(0), copy(1), copy(2)];
  for (const turn of [1, 2, 3]) {
    await waitFor(() => turns.length === turn && leading.size === 1);
    // The others request the lead at least once while it is taken.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect([most, turns.length]).toEqual([1, turn]);
    await copies[turns.at(-1)!]!.stop();
  }
  expect([...turns].sort()).toEqual([0, 1, 2]);
});
