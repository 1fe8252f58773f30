import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { ContentUpdated, SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { WebhookPaused } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { emitted } from "@octavo/shared/testing/emitted";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prune } from "../events/prune.js";
import { startIntegrations } from "../testing/integrations.js";
import { listen, shut } from "../testing/listening.js";
import { webhookListeners } from "./listeners.js";
import { announce } from "./queue.js";
import { send } from "./send.js";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let home: Awaited<ReturnType<typeof startIntegrations>>;
let address: string;
const received: Received[] = [];
let statuses: number[] = [];
const receiver = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  received.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
  res.writeHead(statuses.shift() ?? 200, { location: "http://127.0.0.1:1/" }).end("heard");
});
beforeAll(async () => {
  home = await startIntegrations();
  address = await listen(receiver);
});
afterAll(async () => {
  await home.end();
  await shut(receiver);
});
beforeEach(() => {
  received.length = 0;
  statuses = [];
  home.clock.now = () => new Date();
});

const setClock = (time: number) => {
  home.clock.now = () => new Date(time);
};

const DAY_MS = 86_400_000;

/** An organization with a webhook for changes of content. */
async function acme() {
  const organizationId = home.orgs.add();
  const { call } = await home.as({ [organizationId]: "admin" });
  const { secret, ...webhook } = await call.webhooks.create({
    organizationId,
    url: `${address}/hook`,
    types: ["space.content.updated"],
  });
  return { organizationId, call, secret, webhook, one: { organizationId, webhookId: webhook.id } };
}

type Acme = Awaited<ReturnType<typeof acme>>;

/** Something happens, and the listener handles its event as on the platform; returns the ids of the deliveries. */
async function happens({ organizationId, one, call }: Acme, revision = newId()): Promise<string[]> {
  const listener = webhookListeners.find(({ event }) => event === ContentUpdated)!;
  const payload = { space: newId(), organization: organizationId, revision };
  const event = { id: newId(), name: "", aggregate: payload.space, occurredAt: "" };
  await transact(home.ownContext(), (ctx) => listener.handle({ ctx, payload, event }));
  const { items } = await call.webhookDeliveries.list({ ...one, limit: 50 });
  return items
    .filter(({ payload: { data } }) => (data as { revision?: string }).revision === revision)
    .map(({ id }) => id);
}

const signatureOf = (secret: string, { headers, body }: Received) =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
    .digest("base64")}`;

test("events are sent with the headers of Standard Webhooks, and the log has the outcome", async () => {
  const home_ = await acme();
  const { call, one, secret } = home_;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [id = ""] = await happens(home_, "rev1");
  expect(await home.queued(`webhook ${id}`)).toBeDefined();
  await send(home.ownContext(), id);
  const [delivery, ...more] = received;
  expect(more).toEqual([]);
  expect(delivery!.headers).toMatchObject({ "webhook-id": id, "content-type": "application/json" });
  expect(delivery!.headers["webhook-signature"]).toBe(signatureOf(secret, delivery!));
  const time = Number(delivery!.headers["webhook-timestamp"]) * 1000;
  expect(Math.abs(time - home.ownContext().clock().getTime())).toBeLessThan(60_000);
  expect(JSON.parse(delivery!.body)).toEqual({
    type: "space.content.updated",
    timestamp: expect.any(String),
    data: { space: expect.any(String), revision: "rev1" },
  });
  expect(await call.webhookDeliveries.get({ ...one, deliveryId: id })).toMatchObject({
    status: "success",
    message: id,
    attempts: [{ status: 200, response: "heard" }],
    payload: JSON.parse(delivery!.body),
  });
  // What was delivered is not sent again by a job that runs twice.
  await send(home.ownContext(), id);
  expect(received).toHaveLength(1);
});

test("nobody but administrators of the organization has to do with its webhooks", async () => {
  const { organizationId, one } = await acme();
  const creator = await home.as({ [organizationId]: "create" });
  const other = home.orgs.add();
  const stranger = await home.as({ [other]: "admin" });
  const create = { url: `${address}/x`, types: ["site.published" as const] };
  for (const [{ call }, code] of [
    [creator, "FORBIDDEN"],
    [stranger, "NOT_FOUND"],
  ] as const) {
    const attempts = [
      () => call.webhooks.list({ organizationId, limit: 5 }),
      () => call.webhooks.create({ organizationId, ...create }),
      () => call.webhooks.get(one),
      () => call.webhooks.update({ ...one, status: "paused" }),
      () => call.webhooks.rotateSecret(one),
      () => call.webhooks.test(one),
      () => call.webhooks.replay({ ...one, from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" }),
      () => call.webhookDeliveries.list({ ...one, limit: 5 }),
      () => call.webhookDeliveries.get({ ...one, deliveryId: "x" }),
      () => call.webhookDeliveries.replay({ ...one, deliveryId: "x" }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code });
  }
  // By the address of one's own organization, another's webhook is not there.
  const foreign = { organizationId: other, webhookId: one.webhookId };
  await expect(stranger.call.webhooks.get(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await stranger.call.webhooks.remove(foreign);
  const { call } = await home.as({ [organizationId]: "admin" });
  expect((await call.webhooks.list({ organizationId, limit: 5 })).items.map(({ id }) => id)).toEqual([
    one.webhookId,
  ]);
});

test("an organization receives its own events alone, and of the types that it selected", async () => {
  const mine = await acme();
  const theirs = await acme();
  await happens(mine);
  expect((await theirs.call.webhookDeliveries.list({ ...theirs.one, limit: 5 })).items).toEqual([]);
  await transact(home.ownContext(), (ctx) => announce(ctx, mine.organizationId, "site.published", {}));
  expect((await mine.call.webhookDeliveries.list({ ...mine.one, limit: 5 })).items).toHaveLength(1);
  // Of a transfer each side receives its own part.
  await mine.call.webhooks.update({ ...mine.one, types: ["space.transferred"] });
  await theirs.call.webhooks.update({ ...theirs.one, types: ["space.transferred"] });
  const listener = webhookListeners.find(({ event }) => event === SpaceTransferred)!;
  const payload = { space: "s", from: mine.organizationId, to: theirs.organizationId };
  const event = { id: newId(), name: "", aggregate: "s", occurredAt: "" };
  await transact(home.ownContext(), (ctx) => listener.handle({ ctx, payload, event }));
  const [out] = (await mine.call.webhookDeliveries.list({ ...mine.one, limit: 1 })).items;
  const [into] = (await theirs.call.webhookDeliveries.list({ ...theirs.one, limit: 1 })).items;
  expect([out!.payload.data, into!.payload.data]).toEqual([
    { space: "s", direction: "out" },
    { space: "s", direction: "in" },
  ]);
});

test("addresses must be https, are reached by the egress client, and are never redirected from", async () => {
  const { organizationId, call, one } = await acme();
  const { send: request } = await home.as({ [organizationId]: "admin" });
  for (const url of [
    "http://example.com/",
    "ftp://example.com/",
    "https://user:pass@example.com/",
    "nowhere",
  ]) {
    const refused = await request("PATCH", `/orgs/${organizationId}/webhooks/${one.webhookId}`, { url });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, "body.url"]);
  }
  statuses = [302];
  const tested = await call.webhooks.test(one);
  await send(home.ownContext(), tested.id);
  expect(await call.webhookDeliveries.get({ ...one, deliveryId: tested.id })).toMatchObject({
    status: "failed",
    type: "test",
    attempts: [{ status: 302 }],
  });
  expect(received).toHaveLength(1);
  await call.webhooks.update({ ...one, url: "https://10.0.0.1/" });
  const again = await call.webhooks.test(one);
  await send(home.ownContext(), again.id);
  const refused = await call.webhookDeliveries.get({ ...one, deliveryId: again.id });
  expect(refused).toMatchObject({
    status: "failed",
    attempts: [{ error: expect.stringMatching(/not allowed/) }],
  });
});

test("what fails is tried again for three days, ever later, under the same id", async () => {
  const home_ = await acme();
  const { call, one } = home_;
  const [id = ""] = await happens(home_);
  const pauses: number[] = [];
  for (let tries = 0; ; tries++) {
    statuses = [500];
    const before = home.ownContext().clock().getTime();
    await send(home.ownContext(), id);
    const delivery = await call.webhookDeliveries.get({ ...one, deliveryId: id });
    if (delivery.status !== "waiting") break;
    expect(await home.queued(`webhook ${id}`)).toMatchObject({});
    pauses.push(Date.parse(delivery.nextAttemptAt!) - before);
    setClock(Date.parse(delivery.nextAttemptAt!));
    if (tries > 30) throw new Error("it never ends");
  }
  expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
  expect(pauses.length).toBeGreaterThan(8);
  pauses.slice(0, 6).forEach((pause, at) => {
    expect(pause).toBeGreaterThanOrEqual(5_000 * 4 ** at * 0.79);
    expect(pause).toBeLessThanOrEqual(5_000 * 4 ** at * 1.21);
  });
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeGreaterThan(2 * DAY_MS);
  expect(total).toBeLessThanOrEqual(3 * DAY_MS);
  const { status, attempts } = await call.webhookDeliveries.get({ ...one, deliveryId: id });
  expect([status, attempts.length]).toEqual(["failed", pauses.length + 1]);
});

test("after three days of nothing but failures a webhook is paused with a notice; what comes meanwhile is held", async () => {
  const home_ = await acme();
  const { call, one } = home_;
  const [first = ""] = await happens(home_);
  statuses = [500];
  await send(home.ownContext(), first);
  const began = await call.webhooks.get(one);
  expect(began).toMatchObject({ status: "active", failingSince: expect.any(String) });
  setClock(home.ownContext().clock().getTime() + 3 * DAY_MS + 1_000);
  const [second = ""] = await happens(home_);
  statuses = [500];
  await send(home.ownContext(), second);
  expect(await call.webhooks.get(one)).toMatchObject({ status: "paused", paused: { because: "failing" } });
  const notices = (await emitted(home, WebhookPaused)).filter(({ webhook }) => webhook === one.webhookId);
  expect(notices).toMatchObject([{ because: "failing", organization: one.organizationId }]);
  const audits = (await emitted(home, AuditRecorded)).filter(({ target }) => target.id === one.webhookId);
  expect(audits.map(({ action }) => action)).toContain("webhook.pause");
  const [third = ""] = await happens(home_);
  expect((await call.webhookDeliveries.get({ ...one, deliveryId: third })).status).toBe("held");
  await expect(call.webhookDeliveries.replay({ ...one, deliveryId: third })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await call.webhooks.update({ ...one, status: "active" })).toMatchObject({ status: "active" });
  const again = await call.webhookDeliveries.replay({ ...one, deliveryId: third });
  expect(again).toMatchObject({ status: "waiting", message: third });
  received.length = 0;
  await send(home.ownContext(), again.id);
  expect(received[0]!.headers["webhook-id"]).toBe(third);
});

test("410 pauses a webhook at once, and a success ends a failure", async () => {
  const failing = await acme();
  const [lost = ""] = await happens(failing);
  statuses = [503];
  await send(home.ownContext(), lost);
  const [delivered = ""] = await happens(failing);
  await send(home.ownContext(), delivered);
  expect((await failing.call.webhooks.get(failing.one)).failingSince).toBeUndefined();
  const gone = await acme();
  const [last = ""] = await happens(gone);
  statuses = [410];
  await send(home.ownContext(), last);
  expect(await gone.call.webhooks.get(gone.one)).toMatchObject({
    status: "paused",
    paused: { because: "gone" },
  });
});

test("after a rotation both secrets sign for a while, then the new one alone; neither is stored or returned", async () => {
  const home_ = await acme();
  const { call, one, secret } = home_;
  const { secret: next } = await call.webhooks.rotateSecret({ ...one, keepPreviousHours: 1 });
  const [during = ""] = await happens(home_);
  await send(home.ownContext(), during);
  const [delivery] = received;
  expect(delivery!.headers["webhook-signature"]).toBe(
    `${signatureOf(next, delivery!)} ${signatureOf(secret, delivery!)}`,
  );
  setClock(home.ownContext().clock().getTime() + 3_600_001);
  const [after = ""] = await happens(home_);
  await send(home.ownContext(), after);
  expect(received[1]!.headers["webhook-signature"]).toBe(signatureOf(next, received[1]!));
  const stored = JSON.stringify(await home.db.selectFrom("webhook").selectAll().execute());
  const returned = JSON.stringify([await call.webhooks.get(one), await emitted(home, AuditRecorded)]);
  for (const one of [secret, next]) {
    expect(stored).not.toContain(one);
    expect(returned).not.toContain(one);
  }
});

test("one delivery is sent again by itself, as a delivery of its own, and of a paused webhook by nobody", async () => {
  const home_ = await acme();
  const { call, one, secret } = home_;
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.push(...(await happens(home_)));
  for (const id of ids) await send(home.ownContext(), id);
  const again = await call.webhookDeliveries.replay({ ...one, deliveryId: ids[1]! });
  expect(again).toMatchObject({ status: "waiting", message: ids[1], attempts: [] });
  expect(again.id).not.toBe(ids[1]);
  expect(await home.queued(`webhook ${again.id}`)).toBeDefined();
  await send(home.ownContext(), again.id);
  expect(received).toHaveLength(4);
  const [, first, , last] = received;
  // The receiver knows it by the id that it had, and it is signed at its own time.
  expect(last!.headers["webhook-id"]).toBe(ids[1]);
  expect(last!.body).toBe(first!.body);
  expect(last!.headers["webhook-signature"]).toBe(signatureOf(secret, last!));
  const { items } = await call.webhookDeliveries.list({ ...one, limit: 50 });
  expect(items.map(({ id, status }) => [id, status])).toEqual(
    [again.id, ...ids.toReversed()].map((id) => [id, "success"]),
  );
  const unknown = { ...one, deliveryId: newId() };
  await expect(call.webhookDeliveries.replay(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const other = await acme();
  const foreign = { ...other.one, deliveryId: ids[1]! };
  await expect(other.call.webhookDeliveries.replay(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await call.webhooks.update({ ...one, status: "paused" });
  const paused = call.webhookDeliveries.replay({ ...one, deliveryId: ids[1]! });
  await expect(paused).rejects.toMatchObject({ code: "CONFLICT" });
  expect(received).toHaveLength(4);
});

test("a time can be replayed in its order, by what came of it", async () => {
  const home_ = await acme();
  const { call, one } = home_;
  const from = new Date(Date.now() - DAY_MS).toISOString();
  const to = new Date(Date.now() + DAY_MS).toISOString();
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.push(...(await happens(home_)));
  statuses = [500];
  for (const id of ids) await send(home.ownContext(), id);
  expect(await call.webhooks.replay({ ...one, from, to, status: "success" })).toEqual({ replayed: 2 });
  const { items } = await call.webhookDeliveries.list({ ...one, status: "waiting", limit: 50 });
  const again = items.filter(({ id, message }) => id !== message).reverse();
  expect(again.map(({ message }) => message)).toEqual(ids.slice(1));
  // Replays are no part of a time.
  expect((await call.webhooks.replay({ ...one, from, to })).replayed).toBe(3);
  await expect(call.webhooks.replay({ ...one, from: to, to: from })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("an organization has a hundred webhooks at most, and the log goes with its webhook, or with time", async () => {
  const home_ = await acme();
  const { call, one, organizationId } = home_;
  const create = () => call.webhooks.create({ organizationId, url: address, types: ["site.deleted"] });
  for (let at = 1; at < 100; at++) await create();
  await expect(create()).rejects.toMatchObject({ code: "CONFLICT" });
  const [id = ""] = await happens(home_);
  await send(home.ownContext(), id);
  await prune(home.ownContext());
  expect((await call.webhookDeliveries.list({ ...one, limit: 5 })).items).toHaveLength(1);
  await sql`update webhook_delivery set ended_at = now() - interval '31 days' where id = ${id}`.execute(
    home.db,
  );
  await prune(home.ownContext());
  expect((await call.webhookDeliveries.list({ ...one, limit: 5 })).items).toEqual([]);
  await happens(home_);
  await call.webhooks.remove(one);
  const left = await home.db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook", "=", one.webhookId)
    .execute();
  expect(left).toEqual([]);
  await call.webhooks.remove(one);
});
