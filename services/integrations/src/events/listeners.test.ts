import {
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpacePurged,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteVisited } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { startConsumer } from "@octavo/shared/events/consumer";
import { newId } from "@octavo/shared/ids";
import { testEvents } from "@octavo/shared/testing/events";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../schemas/manifest.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { listeners } from "./listeners.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let content: Awaited<ReturnType<typeof testEvents>>;
let consumer: { stop(): Promise<void> };
beforeAll(async () => {
  home = await startIntegrations();
  content = await testEvents();
  content.relay();
  consumer = startConsumer({
    service: "integrations",
    db: home.db,
    databaseUrl: home.url,
    schema: home.schema,
    natsUrl: process.env.NATS_URL ?? "",
    log: content.log,
    stream: content.stream,
    prefix: content.prefix,
    verifier: content.verifier,
    subscriptions: listeners,
    context: (base) => ({ ...home.ownContext(), ...base }),
  });
});
afterAll(async () => {
  await consumer.stop();
  await content.end();
  await home.end();
});

/** An installation in the organization of an integration with these scopes; returns its id. */
async function installed(organization: string, scopes: Scope[], over: { space_selection?: "selected" } = {}) {
  const { call } = await home.as({ [organization]: "create" });
  const { name: integrationName } = await call.integrations.publish(publication({ organization, scopes }));
  const { id } = await call.installations.install({ integrationName, organization });
  await call.installations.update({ integrationName, installationId: id, ...over });
  return id;
}

async function eventsOf(installation: string) {
  const rows = await home.db
    .selectFrom("event")
    .select("payload")
    .where("installation", "=", installation)
    .orderBy("id")
    .execute();
  return rows.map(({ payload }) => payload).filter(({ type }) => type !== "installation_setup");
}

/** Waits until the listeners have handled everything that was emitted so far. */
const handled = (id: string) =>
  waitFor(() =>
    home.db
      .selectFrom("inbox")
      .select("id")
      .where("id", "=", id)
      .where("handled_at", "is not", null)
      .executeTakeFirst(),
  );

test("content.content.updated reaches the organization's installations that may read content and work in all spaces", async () => {
  const [acme, rival] = [home.orgs.add(), home.orgs.add()];
  const reader = await installed(acme, ["space:content:read", "space:metadata:read"]);
  const others = [
    await installed(acme, ["space:metadata:read"]),
    await installed(acme, ["space:content:read"], { space_selection: "selected" }),
    await installed(rival, ["space:content:read"]),
  ];
  const [space, revision] = [newId(), newId()];
  await handled(
    await content.emit(ContentUpdated, space, {
      space,
      organization: acme,
      revision,
      changeRequest: newId(),
    }),
  );
  const [event, ...more] = await eventsOf(reader);
  expect(more).toEqual([]);
  expect(event).toEqual({
    eventId: expect.any(String),
    installationId: reader,
    type: "space_content_updated",
    spaceId: space,
    revisionId: revision,
  });
  for (const id of others) expect(await eventsOf(id)).toEqual([]);
});

test("content.space.visibilityChanged reaches installations that may read metadata", async () => {
  const acme = home.orgs.add();
  const [reader, other] = [
    await installed(acme, ["space:metadata:read"]),
    await installed(acme, ["space:content:read"]),
  ];
  const space = newId();
  const changed = { space, organization: acme, previous: "private", visibility: "public" };
  await handled(await content.emit(SpaceVisibilityChanged, space, changed));
  expect(await eventsOf(reader)).toMatchObject([
    { type: "space_visibility_updated", spaceId: space, previousVisibility: "private", visibility: "public" },
  ]);
  expect(await eventsOf(other)).toEqual([]);
});

test("content.space.transferred drops the waiting events of the space for the old organization", async () => {
  const [acme, rival] = [home.orgs.add(), home.orgs.add()];
  const [old, next] = [
    await installed(acme, ["space:content:read"]),
    await installed(rival, ["space:content:read"]),
  ];
  const [space, stays] = [newId(), newId()];
  for (const id of [space, stays]) {
    await handled(
      await content.emit(ContentUpdated, id, { space: id, organization: acme, revision: newId() }),
    );
  }
  await content.emit(SpaceTransferred, space, { space, from: acme, to: rival });
  await handled(await content.emit(ContentUpdated, space, { space, organization: rival, revision: newId() }));
  expect(await eventsOf(old)).toMatchObject([{ spaceId: stays }]);
  expect(await eventsOf(next)).toMatchObject([{ spaceId: space }]);
});

test("content.space.purged drops all waiting events of the space", async () => {
  const acme = home.orgs.add();
  const reader = await installed(acme, ["space:content:read"]);
  const [space, stays] = [newId(), newId()];
  for (const id of [space, stays]) {
    await handled(
      await content.emit(ContentUpdated, id, { space: id, organization: acme, revision: newId() }),
    );
  }
  await handled(await content.emit(SpacePurged, space, { space, organization: acme }));
  expect(await eventsOf(reader)).toMatchObject([{ spaceId: stays }]);
});

test("content.gitsync reaches installations that may read content when a sync starts and how it ends", async () => {
  const acme = home.orgs.add();
  const [reader, other] = [
    await installed(acme, ["space:content:read"]),
    await installed(acme, ["space:metadata:read"]),
  ];
  const [space, revision] = [newId(), newId()];
  const about = { space, organization: acme };
  await content.emit(GitSyncStarted, space, { ...about, commit: "c0ffee", revision });
  await content.emit(GitSyncCompleted, space, { ...about, state: "success", commit: "c0ffee", revision });
  await handled(await content.emit(GitSyncCompleted, space, { ...about, state: "failure", revision }));
  const base = { eventId: expect.any(String), installationId: reader, spaceId: space };
  expect(await eventsOf(reader)).toEqual([
    { ...base, type: "space_gitsync_started", commitId: "c0ffee", revisionId: revision },
    { ...base, type: "space_gitsync_completed", state: "success", commitId: "c0ffee", revisionId: revision },
    // No commit was read.
    { ...base, type: "space_gitsync_completed", state: "failure", commitId: "", revisionId: revision },
  ]);
  expect(await eventsOf(other)).toEqual([]);
});

test("an installation on a space decides for that space: pending receives no events, active does, whatever is selected", async () => {
  const acme = home.orgs.add();
  const { call } = await home.as({ [acme]: "create" });
  const form = { properties: { key: { type: "string" as const } }, required: ["key"] };
  const input = publication({
    organization: acme,
    scopes: ["space:content:read"],
    configurations: { space: form },
  });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName, organization: acme });
  const key = { integrationName, installationId: id };
  const spaces = [home.content.space(acme), home.content.space(acme), home.content.space(acme)];
  const [ready, pending, plain] = spaces;
  for (const space of [ready!, pending!]) await call.installationSpaces.install({ ...key, space });
  await call.installationSpaces.update({ ...key, spaceId: ready!, configuration: { key: "k" } });
  const update = async () => {
    for (const space of spaces)
      await handled(
        await content.emit(ContentUpdated, space, { space, organization: acme, revision: newId() }),
      );
    const all = await eventsOf(id);
    return all.flatMap((event) => (event.type === "space_content_updated" ? [event.spaceId] : []));
  };
  expect(await update()).toEqual([ready, plain]);
  await call.installations.update({ ...key, space_selection: "selected" });
  expect(await update()).toEqual([ready, plain, ready]);
});

test("views of a site and feedback reach installations whose scopes allow it, without cookies", async () => {
  const organization = home.orgs.add();
  const both = await installed(organization, ["site:views:read", "page:feedback:read"]);
  const views = await installed(organization, ["site:views:read"]);
  const none = await installed(organization, ["space:content:read"]);
  const elsewhere = await installed(home.orgs.add(), ["site:views:read", "page:feedback:read"]);
  const site = home.sites.site(organization);
  const visit = {
    url: "https://docs.example/a",
    referrer: "",
    page: "p",
    siteSpace: "ss",
    space: "s",
    visitor: { anonymousId: "v", userAgent: "agent", ip: "203.0.113.9", language: "en" },
  };
  const feedback = [{ ...visit, rating: "good" as const, comment: "Clear" }];
  const listener = listeners.find(({ event }) => event === SiteVisited)!;
  const payload = { site, organization, views: [visit], feedback };
  const event = { id: newId(), name: SiteVisited.name, aggregate: site, occurredAt: "" };
  await transact(home.ownContext(), (ctx) => listener.handle({ ctx, payload, event }));
  const told_ = { siteId: site, url: visit.url, pageId: "p", visitor: { ...visit.visitor, cookies: {} } };
  expect(await eventsOf(both)).toMatchObject([
    { type: "site_view", siteSpaceId: "ss", ...told_ },
    { type: "page_feedback", feedback: { rating: "good", comment: "Clear" }, ...told_ },
  ]);
  expect(await eventsOf(views)).toMatchObject([{ type: "site_view" }]);
  for (const other of [none, elsewhere]) expect(await eventsOf(other)).toEqual([]);
});
