import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { awaitContent } from "./await-content.js";

let service: Awaited<ReturnType<typeof testSites>>;
let told: { event: string; msg: string }[];
const log = pino({ level: "warn" }, { write: (line: string) => void told.push(JSON.parse(line)) });
beforeAll(async () => {
  service = await testSites();
});
beforeEach(() => {
  told = [];
});
afterAll(() => service.end());

/** What content responds when it is asked whether it has heard of an event; returns the events it was asked about. */
function asking(response: () => boolean) {
  const asked: string[] = [];
  const content = {
    ...service.content.client,
    hears: async (_: unknown, event: string) => {
      asked.push(event);
      return response();
    },
  };
  return { ctx: { ...service.contextOf(service.self), log, content }, asked };
}

test("content is asked about an event, and about none when there is none", async () => {
  const { ctx, asked } = asking(() => true);
  await awaitContent(ctx, "e1");
  await awaitContent(ctx, undefined);
  expect([asked, told]).toEqual([["e1"], []]);
});

test("an event that content has not heard of yet, or cannot be asked about, is told and no failure", async () => {
  await awaitContent(asking(() => false).ctx, "e1");
  const away = asking(() => {
    throw new Error("content is away");
  });
  await awaitContent(away.ctx, "e2");
  expect(told.map(({ event, msg }) => [event, msg])).toEqual([
    ["e1", "content has not heard yet of what was changed"],
    ["e2", "content cannot be asked whether it has heard of what was changed"],
  ]);
});
