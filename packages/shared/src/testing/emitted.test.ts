import { afterAll, beforeAll, expect, test } from "vitest";
import { SpaceCreated, SpacePurged } from "../contracts/events/content.js";
import { inboxTables, outboxTables, type SharedTables } from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import { createListener } from "../events/listen.js";
import { emit } from "../events/outbox.js";
import { deliver, emitted } from "./emitted.js";
import { type TestSchema, testSchema } from "./schema.js";

let home: TestSchema<SharedTables>;
const migrations = {
  "0001": { up: (db: Parameters<typeof outboxTables>[0]) => outboxTables(db).then(() => inboxTables(db)) },
};
beforeAll(async () => {
  home = await testSchema<SharedTables>({ service: "emitted", migrations, jobs: true });
});
afterAll(() => home.drop());

test("what is delivered reaches the handlers of its event, and what they emit can be read", async () => {
  const on = createListener<Pick<TestSchema<SharedTables>, "db">>();
  const ctx = { db: home.db };
  const purge = on(SpaceCreated, ({ ctx, payload }) => emit(ctx, SpacePurged, payload.space, payload));
  const payload = { space: "s", organization: "o" };
  await deliver(ctx, [purge], SpaceCreated, "s", payload);
  await transact(ctx, (ctx) => emit(ctx, SpaceCreated, "s", payload));
  expect(await emitted(ctx, SpacePurged)).toEqual([payload]);
  expect(await emitted(ctx, SpaceCreated)).toEqual([payload]);
});
