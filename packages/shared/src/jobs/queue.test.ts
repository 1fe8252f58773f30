import { pino } from "pino";
import { expect, test } from "vitest";
import { queueLogger } from "./queue.js";

test("messages of the queue are warnings when they are errors about no job, and debug messages otherwise", () => {
  const told: { level: number; msg: string; queue: boolean }[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void told.push(JSON.parse(line)) });
  const logger = queueLogger(log);
  logger.error("no connection");
  logger.warn("slow");
  logger.info("started");
  logger.debug("looked");
  logger.error("a job failed", { failure: {} });
  logger.error("broken", { failure: null });
  expect(told.map(({ level, msg, queue }) => [level, msg, queue])).toEqual([
    [40, "no connection", true],
    [40, "slow", true],
    [20, "started", true],
    [20, "looked", true],
    [20, "a job failed", true],
    [40, "broken", true],
  ]);
});
