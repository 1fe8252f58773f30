import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { startConsumer } from "@octavo/shared/events/consumer";
import { testEvents } from "@octavo/shared/testing/events";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "./db/database.js";
import { subscriptions } from "./subscriptions.js";
import { contentTest } from "./testing/content.js";
import type { Ctx } from "./trpc.js";

let t: Awaited<ReturnType<typeof contentTest>>;
let sites: Awaited<ReturnType<typeof testEvents>>;
let consumer: ReturnType<typeof startConsumer<Ctx, Database>>;

beforeAll(async () => {
  [t, sites] = await Promise.all([contentTest(), testEvents({ service: "sites" })]);
  sites.relay();
  const { db, schema, url: databaseUrl } = t;
  const { stream, prefix, verifier, log } = sites;
  consumer = startConsumer<Ctx, Database>({
    service: "content",
    subscriptions,
    context: (base) => ({ ...t.ctx, ...base }),
    db,
    schema,
    databaseUrl,
    natsUrl: process.env.NATS_URL!,
    stream,
    prefix,
    verifier,
    log,
  });
});
afterAll(async () => {
  await consumer.stop();
  await sites.end();
  await t.drop();
});

test("GET /spaces/{spaceId} shows what a site publishes over the broker", async () => {
  const admin = t.as({ acme: "admin" });
  const { id: spaceId } = await admin.spaces.create({ organizationId: "acme", title: "Guide" });
  const url = "http://sites.test/guide";
  const audience = { site: "site", organization: "acme", published: true };
  const spaces = [{ space: spaceId, visibility: "public", url }];
  await sites.emit(SiteAudience, "site", { ...audience, spaces });
  const shown = await waitFor(async () => {
    const space = await admin.spaces.get({ spaceId });
    return space.visibility === "public" ? space : undefined;
  });
  expect(shown.urls).toMatchObject({ published: url, public: url });
  expect(await t.emitted("content.space.visibilityChanged")).toEqual([
    { space: spaceId, organization: "acme", previous: "private", visibility: "public" },
  ]);
});
