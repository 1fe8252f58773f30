import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { recordAll } from "../event-queue/record.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { startTunnel } from "../testing/tunnel.js";
import { deliverWaiting } from "./deliver-waiting.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let tunnel: Awaited<ReturnType<typeof startTunnel>>;
let publisher: string;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());
beforeEach(async () => {
  tunnel = await startTunnel();
  publisher = home.orgs.add();
});
afterEach(() => tunnel.end());

/** Integrations of one publisher that it installed itself, each with an event of that, in the order of their ids. */
async function installed(count: number) {
  const { call } = await home.as({ [publisher]: "create" });
  const all: { id: string; integration: string; integrationName: string; organization: string }[] = [];
  for (let at = 0; at < count; at++) {
    const input = publication({ organization: publisher });
    const { integrationName } = input;
    await call.integrations.publish(input);
    await call.devMode.enable({ integrationName, tunnelUrl: tunnel.url });
    const { id } = await call.installations.install({ integrationName, organization: publisher });
    const { integration } = await home.db
      .selectFrom("installation")
      .select("integration")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    all.push({ id, integration, integrationName, organization: publisher });
  }
  return { call, all: all.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
}

const change = (revisionId: string) => ({
  type: "space_content_updated" as const,
  spaceId: "space",
  revisionId,
});
const waiting = () =>
  home.db
    .selectFrom("event")
    .selectAll()
    .where("publisher", "=", publisher)
    .where("status", "is", null)
    .orderBy("id")
    .execute();
/** What an installation received, by type or revision, in the order of arrival. */
const receivedBy = (installation: string) =>
  tunnel.deliveries
    .filter(({ event }) => event.installationId === installation)
    .map(({ event }) => event.revisionId ?? event.type);
/** A context that counts the statements that are run by it. */
function counting() {
  const ctx = home.ownContext();
  let statements = 0;
  const db = ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { ctx: { ...ctx, db }, count: () => statements };
}
const away = () => Promise.reject(new Error("away"));
/** A context in which nobody knows who publishes an integration. */
const lost = () => ({ ...home.ownContext(), orgs: { organizations: away, membership: away } });

const laterKey = ([event]: { not_before: string | null }[]) =>
  `deliveries ${publisher} ${new Date(event!.not_before!).toISOString()}`;
const inAnHour = <Ctx extends { clock: () => Date }>(ctx: Ctx) => ({
  ...ctx,
  clock: () => new Date(Date.now() + 3_600_000),
});

test("each installation receives its events in their order, many at a time, and each is recorded with its trace", async () => {
  const { call, all } = await installed(12);
  await recordAll(home.ownContext(), all, ["one", "two", "three"].map(change));
  expect(await waiting()).toHaveLength(48);
  await deliverWaiting(home.ownContext(), publisher);
  expect(await waiting()).toEqual([]);
  for (const { id, integrationName } of all) {
    expect(receivedBy(id)).toEqual(["installation_setup", "one", "two", "three"]);
    const { items } = await call.events.list({ integrationName });
    expect(items.map(({ status }) => status)).toEqual(Array(4).fill("success"));
    const { trace } = await call.events.get({ integrationName, eventId: items[0]!.id });
    expect(trace!.logs.at(-1)!.message).toBe("The integration returned 200");
  }
});

test("what is read and recorded is so for many events by one statement", async () => {
  const { all } = await installed(40);
  await deliverWaiting(home.ownContext(), publisher);
  await recordAll(home.ownContext(), all, [change("one")]);
  const { ctx, count } = counting();
  await deliverWaiting(ctx, publisher);
  expect(tunnel.deliveries).toHaveLength(80);
  expect(count()).toBeLessThan(40);
});

test("an integration that does not respond keeps no other one waiting, nor all of what is under way", async () => {
  const { all } = await installed(2);
  await deliverWaiting(home.ownContext(), publisher);
  const [slow, quick] = all;
  const { call } = await home.as({ [publisher]: "create" });
  const silent = await startTunnel();
  silent.response.waitMs = 2_000;
  await call.devMode.enable({ integrationName: slow!.integrationName, tunnelUrl: silent.url, all: true });
  // Many organizations have it installed.
  const others = Array.from({ length: 40 }, (_, at) => ({ ...slow!, id: `${slow!.id}${at + 10}` }));
  await recordAll(home.ownContext(), [...others, quick!], [change("one"), change("two")]);
  await deliverWaiting(home.ownContext(), publisher, 1_000);
  expect(receivedBy(quick!.id)).toEqual(["installation_setup", "one", "two"]);
  expect(silent.deliveries.length).toBeLessThanOrEqual(16);
  await silent.end();
});

test("what could not be sent for a reason of our own is tried again later, before the later events of its installation", async () => {
  const { all } = await installed(2);
  await deliverWaiting(lost(), publisher);
  expect((await waiting()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  await recordAll(home.ownContext(), [all[0]!], [change("one")]);
  // It is not its time yet.
  await deliverWaiting(home.ownContext(), publisher);
  expect(tunnel.deliveries).toEqual([]);
  expect((await home.queued(laterKey(await waiting())))?.job).toBe("events.deliverWaiting");
  await deliverWaiting(inAnHour(home.ownContext()), publisher);
  expect(receivedBy(all[0]!.id)).toEqual(["installation_setup", "one"]);
  expect(receivedBy(all[1]!.id)).toEqual(["installation_setup"]);
});

test("an event that cannot be sent is recorded as failed after its eighth try, and the next one is sent", async () => {
  const { call, all } = await installed(1);
  const [{ id, integrationName }] = all as [(typeof all)[number]];
  await home.db.updateTable("event").set({ attempts: 7 }).where("installation", "=", id).execute();
  await deliverWaiting(lost(), publisher);
  const { items } = await call.events.list({ integrationName });
  const { event, trace } = await call.events.get({ integrationName, eventId: items[0]!.id });
  expect([event.status, trace!.logs.at(-1)!.message]).toEqual([
    "failed",
    expect.stringMatching(/not available/),
  ]);
  await recordAll(home.ownContext(), all, [change("one")]);
  await deliverWaiting(home.ownContext(), publisher);
  expect(receivedBy(id)).toEqual(["one"]);
});

test("an event whose installation is gone meanwhile keeps no other one from being sent", async () => {
  const { all } = await installed(3);
  const [gone] = all;
  await home.db.deleteFrom("integration").where("id", "=", gone!.integration).execute();
  await recordAll(home.ownContext(), all, [change("one")]);
  await deliverWaiting(home.ownContext(), publisher);
  expect(await waiting()).toEqual([]);
  expect(tunnel.deliveries).toHaveLength(4);
});

test("events of another publisher are left alone", async () => {
  await installed(1);
  await deliverWaiting(home.ownContext(), home.orgs.add());
  expect(tunnel.deliveries).toEqual([]);
  expect(await waiting()).toHaveLength(1);
});
