import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changed, createAudit } from "./audit.js";
import { AuditRecorded } from "./contracts/events/audit.js";
import { inboxTables, outboxTables, type SharedTables } from "./database/shared-tables.js";
import { transact } from "./database/transact.js";
import { emitted } from "./testing/emitted.js";
import { type TestSchema, testSchema } from "./testing/schema.js";
import { createUrls } from "./urls.js";

let home: TestSchema<SharedTables>;
beforeAll(async () => {
  const up = async (db: Parameters<typeof outboxTables>[0]) => {
    await outboxTables(db);
    await inboxTables(db);
  };
  home = await testSchema<SharedTables>({ service: "audit", migrations: { "0001-events": { up } } });
});
afterAll(() => home.drop());

const audit = createAudit("content");
const contextOf = (caller: object) => ({
  get db() {
    return home.db;
  },
  caller: caller as never,
  requestId: "request-1",
  ip: "203.0.113.7",
  reply: { headers: {} },
  log: pino({ level: "silent" }),
  urls: createUrls({ base: "http://octavo.test", app: "http://octavo.test", sites: "http://octavo.test" }),
  clock: () => new Date("2026-01-02T03:04:05.678Z"),
});
const ada = contextOf({
  kind: "user",
  id: "ada",
  name: "Ada",
  organizations: {},
  teams: [],
  token: "token-id",
});
const deed = { organization: "acme", action: "space.update", target: { type: "space", id: "s1" } } as const;

test("a write is recorded with who, what, when, from where and with which token", async () => {
  await transact(ada, (ctx) => audit(ctx, { ...deed, details: { title: { from: "A", to: "B" } } }));
  expect(await emitted(ada, AuditRecorded)).toEqual([
    {
      ...deed,
      id: expect.any(String),
      service: "content",
      actor: { type: "user", id: "ada", displayName: "Ada" },
      token: "token-id",
      ip: "203.0.113.7",
      requestId: "request-1",
      occurredAt: "2026-01-02T03:04:05.678Z",
      details: { title: { from: "A", to: "B" } },
    },
  ]);
});

test("a service that acts for nobody is the actor itself, without a token", async () => {
  await transact(contextOf({ kind: "service", service: "content" }), (ctx) => audit(ctx, deed));
  const entry = (await emitted(ada, AuditRecorded)).at(-1)!;
  expect(entry.actor).toEqual({ type: "service", id: "content", displayName: "content" });
  expect(entry).not.toHaveProperty("token");
});

test("nothing is recorded of a transaction that fails, nor outside of one", async () => {
  const before = await emitted(ada, AuditRecorded);
  const failing = transact(ada, async (ctx) => {
    await audit(ctx, deed);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await expect(audit(ada, deed)).rejects.toThrow("outside a transaction");
  expect(await emitted(ada, AuditRecorded)).toEqual(before);
});

test("a long text is cut between two characters, and a long list", async () => {
  const details = { title: "🦉".repeat(600), spaces: Array.from({ length: 50_000 }, () => "0".repeat(22)) };
  await transact(ada, (ctx) => audit(ctx, { ...deed, details }));
  const kept = (await emitted(ada, AuditRecorded)).at(-1)!.details!;
  expect(kept.title).toBe(`${"🦉".repeat(500)}…`);
  expect(kept.spaces).toHaveLength(1000);
});

test("changed returns what differs, by the names of the wire, and for structures only that they differ", () => {
  const row = { title: "A", default_level: null, language: "en", proxy: { a: 1 }, tags: ["a"] };
  const set = { title: "A", default_level: "read", language: undefined, proxy: { a: 2 }, tags: ["a", "b"] };
  expect(changed(row, set)).toEqual({
    defaultLevel: { from: null, to: "read" },
    proxy: "changed",
    tags: { from: ["a"], to: ["a", "b"] },
  });
});
