import pg from "pg";
import { expect, test } from "vitest";
import { ignoreOtherQueues } from "./other-queues.js";

test("a client passes on all but the migrations that its own queue has behind it", () => {
  const client = new pg.Client();
  const seen: unknown[] = [];
  client.on("notification", ({ channel, payload }) => seen.push([channel, payload]));
  ignoreOtherQueues(client, 18);
  const passedOn = [
    ["worker:migrate", '{"migrationNumber":19,"breaking":true}'],
    ["worker:migrate", "what"],
    ["worker:migrate", '{"breaking":true}'],
    ["worker:migrate", undefined],
    ["jobs:insert", '{"count":1}'],
    ["jobs:insert", '{"migrationNumber":1}'],
  ];
  const others = [1, 11, 18].map((one) => ["worker:migrate", JSON.stringify({ migrationNumber: one })]);
  for (const [channel, payload] of [...others, ...passedOn])
    client.emit("notification", { channel, payload, processId: 1 });
  expect(seen).toEqual(passedOn);
  client.emit("drain");
});
