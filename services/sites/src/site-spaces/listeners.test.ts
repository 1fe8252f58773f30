import {
  SpaceDeleted,
  SpacePurged,
  SpaceRestored,
  SpaceTransferred,
} from "@octavo/shared/contracts/events/content";
import { SiteAudience, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { startConsumer } from "@octavo/shared/events/consumer";
import { testEvents } from "@octavo/shared/testing/events";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../db/database.js";
import { testSites } from "../testing/sites.js";
import type { Ctx } from "../trpc.js";
import { listeners } from "./listeners.js";

let service: Awaited<ReturnType<typeof testSites>>;
let content: Awaited<ReturnType<typeof testEvents>>;
let consumer: ReturnType<typeof startConsumer<Ctx, Database>>;

beforeAll(async () => {
  service = await testSites();
  content = await testEvents();
  content.relay();
  const { db, schema, url: databaseUrl } = service;
  const { stream, prefix, verifier, log } = content;
  const natsUrl = process.env.NATS_URL!;
  const context = (base: Pick<Ctx, "db">): Ctx => ({
    ...service.contextOf({ kind: "service", service: "sites" }),
    ...base,
  });
  consumer = startConsumer<Ctx, Database>({
    service: "sites",
    subscriptions: listeners,
    context,
    db,
    schema,
    databaseUrl,
    natsUrl,
    stream,
    prefix,
    verifier,
    log,
  });
});
afterAll(async () => {
  await consumer.stop();
  await content.end();
  await service.end();
});

/** Sends an event as content does, and waits until sites has handled it. */
async function happens(...[event, payload]: Happening) {
  const id = await content.emit<typeof event.payload>(event, payload.space, payload);
  await waitFor(() =>
    service.db
      .selectFrom("inbox")
      .select("id")
      .where("id", "=", id)
      .where("handled_at", "is not", null)
      .executeTakeFirst(),
  );
}
type Happening =
  | [typeof SpaceTransferred, { space: string; from: string; to: string }]
  | [typeof SpaceDeleted, { space: string; organization: string }];

async function published(titles: string[]) {
  const api = await service.as({ acme: "create", beta: "create" });
  const spaces = titles.map((title) => service.content.space({ organization: "acme", title }));
  const { id: siteId } = await api.sites.create({
    organizationId: "acme",
    spaces: spaces.map(({ id }) => id),
  });
  const one = { organizationId: "acme", siteId };
  await api.publishing.publish(one);
  const paths = async () =>
    (await api.siteSpaces.list(one)).items.map((item) => item.path + (item.default ? "!" : ""));
  const audience = async () =>
    (await service.emitted(SiteAudience)).filter(({ site }) => site === siteId).at(-1)!;
  return { api, spaces: spaces.map(({ id }) => id), one, paths, audience };
}

test("content.space.transferred: the site lets go of the space, the next one becomes its default", async () => {
  const { spaces, paths, audience, api, one } = await published(["A", "B", "C"]);
  await happens(SpaceTransferred, { space: spaces[0]!, from: "acme", to: "beta" });
  expect(await paths()).toEqual(["b!", "c"]);
  expect(await audience()).toMatchObject({
    published: true,
    spaces: [{ space: spaces[1], url: `http://octavo.test/sites/${one.siteId}/` }, { space: spaces[2] }],
  });
  await happens(SpaceTransferred, { space: spaces[2]!, from: "acme", to: "beta" });
  expect(await paths()).toEqual(["b!"]);
  expect(await api.sites.get(one)).toMatchObject({ published: true, siteSpaces: 1 });
});

test("content.space.transferred of a default in the middle is followed by the next one, of the last by the first", async () => {
  const { spaces, paths, api, one } = await published(["A", "B", "C"]);
  const [, middle] = (await api.siteSpaces.list(one)).items;
  await api.sites.update({ ...one, defaultSiteSpace: middle!.id });
  await happens(SpaceTransferred, { space: spaces[1]!, from: "acme", to: "beta" });
  expect(await paths()).toEqual(["a", "c!"]);
  await happens(SpaceTransferred, { space: spaces[2]!, from: "acme", to: "beta" });
  expect(await paths()).toEqual(["a!"]);
});

test("content.space.deleted of what is not the default leaves the default where it is", async () => {
  const { spaces, paths } = await published(["A", "B", "C"]);
  await happens(SpaceDeleted, { space: spaces[1]!, organization: "acme" });
  expect(await paths()).toEqual(["a!", "c"]);
});

test("content.space.transferred of the last space unpublishes the site", async () => {
  const { spaces, audience, api, one } = await published(["A"]);
  await happens(SpaceTransferred, { space: spaces[0]!, from: "acme", to: "beta" });
  expect(await api.sites.get(one)).toMatchObject({ published: false, siteSpaces: 0 });
  expect(await audience()).toMatchObject({ published: false, spaces: [] });
  expect((await service.emitted(SiteUnpublished)).filter(({ site }) => site === one.siteId)).toHaveLength(1);
});

test("content.space.transferred leaves the space on sites of its new organization", async () => {
  const { spaces, paths } = await published(["A", "B"]);
  await happens(SpaceTransferred, { space: spaces[0]!, from: "beta", to: "acme" });
  expect(await paths()).toEqual(["a!", "b"]);
});

test("content.space.deleted hides the space until content.space.restored, and keeps its place and path", async () => {
  const { spaces, paths, audience, api, one } = await published(["A", "B", "C"]);
  await happens(SpaceDeleted, { space: spaces[1]!, organization: "acme" });
  expect(await paths()).toEqual(["a!", "c"]);
  expect((await audience()).spaces.map(({ space }) => space)).toEqual([spaces[0], spaces[2]]);
  expect((await api.sites.get(one)).siteSpaces).toBe(2);
  expect((await api.sites.list({ organizationId: "acme", space: spaces[1] })).count).toBe(0);
  await happens(SpaceDeleted, { space: spaces[1]!, organization: "acme" });
  await happens(SpaceRestored, { space: spaces[1]!, organization: "acme" });
  expect(await paths()).toEqual(["a!", "b", "c"]);
});

test("content.space.deleted of all spaces unpublishes the site; a restored one is its default again", async () => {
  const { spaces, paths, api, one } = await published(["A", "B"]);
  for (const space of spaces) await happens(SpaceDeleted, { space, organization: "acme" });
  expect(await api.sites.get(one)).toMatchObject({ published: false, siteSpaces: 0 });
  await expect(api.publishing.publish(one)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await happens(SpaceRestored, { space: spaces[1]!, organization: "acme" });
  expect(await paths()).toEqual(["b!"]);
  expect(await api.sites.get(one)).toMatchObject({ published: false, siteSpaces: 1 });
});

test("content.space.purged removes the space for good, and frees its path", async () => {
  const { spaces, paths, api, one } = await published(["A", "B"]);
  await happens(SpaceDeleted, { space: spaces[1]!, organization: "acme" });
  await happens(SpacePurged, { space: spaces[1]!, organization: "acme" });
  await happens(SpaceRestored, { space: spaces[1]!, organization: "acme" });
  const next = service.content.space({ organization: "acme", title: "B" });
  await api.siteSpaces.add({ ...one, spaceId: next.id });
  expect(await paths()).toEqual(["a!", "b"]);
});

test("POST …/site-spaces of a space that is transferred right after content returned it leaves it on no site", async () => {
  const { api, one, paths } = await published(["A"]);
  const space = service.content.space({ organization: "acme", title: "Leaving" });
  let left: Promise<void> | undefined;
  const seen = await service.as(
    { acme: "create" },
    {
      content: {
        ...service.content.client,
        lookup: async (asking, ids) => {
          const found = await service.content.client.lookup(asking, ids);
          space.organization = "beta";
          left = happens(SpaceTransferred, { space: space.id, from: "acme", to: "beta" });
          await waitFor(() =>
            service.db.selectFrom("inbox").select("id").where("aggregate", "=", space.id).executeTakeFirst(),
          );
          return found;
        },
      },
    },
  );
  await seen.siteSpaces.add({ ...one, spaceId: space.id });
  await left;
  expect(await paths()).toEqual(["a!"]);
  expect((await api.sites.get(one)).siteSpaces).toBe(1);
});

test("content.space.deleted of the only space of a section hides it until content.space.restored, and purging ends it", async () => {
  const { spaces, api, one, paths } = await published(["A"]);
  const { id: spaceId } = service.content.space({ organization: "acme", title: "Beta" });
  await api.sections.create({ ...one, spaceId });
  const sections = async () =>
    (await api.sections.list(one)).items.map(({ path, default: first }) => path + (first ? "!" : ""));
  await happens(SpaceDeleted, { space: spaces[0]!, organization: "acme" });
  expect(await sections()).toEqual(["beta!"]);
  expect(await paths()).toEqual(["beta!"]);
  await happens(SpaceRestored, { space: spaces[0]!, organization: "acme" });
  expect(await sections()).toEqual(["docs", "beta!"]);
  await happens(SpaceTransferred, { space: spaceId, from: "acme", to: "beta" });
  expect(await sections()).toEqual(["docs!"]);
  expect(await api.sites.get(one)).toMatchObject({ published: true, siteSpaces: 1 });
});
