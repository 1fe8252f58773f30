import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { awaitContent } from "./await-content.js";

let service: Awaited<ReturnType<typeof testSites>>;
let logged: { event: string; msg: string }[];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeAll(async () => {
  service = await testSites();
});
beforeEach(() => {
  logged = [];
});
afterAll(() => service.end());

/** What content responds to whether it has received an event; returns the events of the calls. */
function contextWith(response: () => boolean) {
  const calls: string[] = [];
  const content = {
    ...service.content.client,
    hears: async (_: unknown, event: string) => {
      calls.push(event);
      return response();
    },
  };
  return { ctx: { ...service.contextOf(service.self), log, content }, calls };
}

test("content is called for an event, and not without one", async () => {
  const { ctx, calls } = contextWith(() => true);
  await awaitContent(ctx, "e1");
  await awaitContent(ctx, undefined);
  expect([calls, logged]).toEqual([["e1"], []]);
});

test("an event that content has not received yet, or a failed call, is logged and no failure", async () => {
  await awaitContent(contextWith(() => false).ctx, "e1");
  const away = contextWith(() => {
    throw new Error("content is away");
  });
  await awaitContent(away.ctx, "e2");
  expect(logged.map(({ event, msg }) => [event, msg])).toEqual([
    ["e1", "content has not heard yet of what was changed"],
    ["e2", "content cannot be asked whether it has heard of what was changed"],
  ]);
});
