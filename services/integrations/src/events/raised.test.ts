import {
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteVisited } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeContent } from "../content-sources/compute.js";
import type { PlatformEvent } from "../schemas/event.js";
import { PlatformEvent as Schema } from "../schemas/event.js";
import type { Scope } from "../schemas/manifest.js";
import { around, sender } from "../testing/identities.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";
import { listeners } from "./listeners.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let rival: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
});
afterAll(() => home.end());

/** The types of events of the interface, and the task of its later releases. */
const TYPES = [
  "installation_setup",
  "installation_deleted",
  "space_installation_setup",
  "space_installation_deleted",
  "site_installation_setup",
  "site_installation_deleted",
  "space_view",
  "site_view",
  "page_feedback",
  "space_content_updated",
  "space_gitsync_started",
  "space_gitsync_completed",
  "space_visibility_updated",
  "fetch",
  "fetch_published_script",
  "fetch_visitor_authentication",
  "ui_render",
  "content_compute_revision",
  "content_compute_document",
  "task",
] as const satisfies PlatformEvent["type"][];
type Type = (typeof TYPES)[number];

const SCRIPT = moduleOf(`
  const type = "integration:" + environment.integration.name + ":models";
  if (event.type === "content_compute_revision")
    return Response.json({ pages: [{ type: "document", id: "a", title: "A", computed: { type, props: {} } }] });
  if (event.type === "content_compute_document")
    return Response.json({ document: { object: "document", data: {}, nodes: [] } });
  if (event.type === "ui_render") return Response.json({ type: "complete", returnValue: {} });
  return new Response("OK");`);

/** Every scope that lets an event through. */
const SCOPES: Scope[] = [
  ...(["space:content:read", "space:content:write", "space:metadata:read", "space:views:read"] as const),
  ...(["site:views:read", "site:script:inject", "site:visitor:auth", "page:feedback:read"] as const),
];

interface Place {
  organization: string;
  space: string;
  site: string;
}

const placeIn = (organization: string): Place => ({
  organization,
  space: home.content.space(organization),
  site: home.sites.site(organization),
});

/** An integration of an organization that installed it there. */
async function installed(organization: string, scopes: Scope[] = SCOPES) {
  const { call, caller } = await home.as({ [organization]: "admin" });
  const contentSources = [{ id: "models", title: "Models", configuration: { componentId: "form" } }];
  const input = publication({ organization, script: SCRIPT, scopes, contentSources });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName, organization });
  return { call, caller, integrationName, id, one: { integrationName, installationId: id } };
}
type Installed = Awaited<ReturnType<typeof installed>>;

/** Has this service hear what another one emitted. */
async function hear<Event extends (typeof listeners)[number]["event"]>(event: Event, payload: object) {
  const { handle } = listeners.find((listener) => listener.event === event)!;
  const meta = { id: newId(), name: event.name, aggregate: "a", occurredAt: "" };
  await transact(home.ownContext(), (ctx) => handle({ ctx, payload, event: meta } as never));
}

const onSpace = async ({ call, one }: Installed, { space }: Place) =>
  call.installationSpaces.install({ ...one, space, extended: false });
const onSite = async ({ call, one }: Installed, { site }: Place) =>
  call.installationSites.install({ ...one, siteId: site, extended: false });
const get = ({ integrationName, id }: Installed, path: string) =>
  fetch(`${home.address}/v1/integrations/${integrationName}/installations/${id}${path}`);
const compute = async ({ integrationName }: Installed, { organization, space }: Place) => {
  const source = { key: newId(), inputs: "i", type: `integration:${integrationName}:models` };
  home.content.computed.wanted.set(space, [{ ...source, props: {}, dependencies: {} }]);
  await computeContent(home.ownContext(), { organization, space }, new AbortController().signal);
};
const visitIn = ({ space }: Place) => ({
  url: "https://docs.example/a",
  referrer: "",
  page: "p",
  siteSpace: "ss",
  space,
  visitor: { anonymousId: "v", userAgent: "agent", ip: "203.0.113.9" },
});
const revision = "r";

interface Cause {
  /** The scope without which an installation is not notified. */
  scope?: Scope;
  /** Whether the cause lies in the space or site, and concerns all that work there; else it is one installation's own. */
  shared?: true;
  raise(of: Installed, place: Place): Promise<unknown>;
}

/** What raises each type. */
const CAUSES: Record<Type, Cause> = {
  installation_setup: {
    raise: ({ call, one }) => call.installations.update({ ...one, configuration: { a: newId() } }),
  },
  installation_deleted: { raise: ({ call, one }) => call.installations.uninstall(one) },
  space_installation_setup: { raise: onSpace },
  space_installation_deleted: {
    raise: async (of, place) => {
      await onSpace(of, place);
      await of.call.installationSpaces.uninstall({ ...of.one, spaceId: place.space });
    },
  },
  site_installation_setup: { raise: onSite },
  site_installation_deleted: {
    raise: async (of, place) => {
      await onSite(of, place);
      await of.call.installationSites.uninstall({ ...of.one, siteId: place.site });
    },
  },
  space_view: {
    scope: "space:views:read",
    shared: true,
    raise: (_, place) => hear(SiteVisited, { ...place, views: [visitIn(place)], feedback: [] }),
  },
  site_view: {
    scope: "site:views:read",
    shared: true,
    raise: (_, place) => hear(SiteVisited, { ...place, views: [visitIn(place)], feedback: [] }),
  },
  page_feedback: {
    scope: "page:feedback:read",
    shared: true,
    raise: (_, place) =>
      hear(SiteVisited, { ...place, views: [], feedback: [{ ...visitIn(place), rating: "good" }] }),
  },
  space_content_updated: {
    scope: "space:content:read",
    shared: true,
    raise: (_, place) => hear(ContentUpdated, { ...place, revision }),
  },
  space_gitsync_started: {
    scope: "space:content:read",
    shared: true,
    raise: (_, place) => hear(GitSyncStarted, { ...place, revision, commit: "c0ffee" }),
  },
  space_gitsync_completed: {
    scope: "space:content:read",
    shared: true,
    raise: (_, place) => hear(GitSyncCompleted, { ...place, revision, commit: "c0ffee", state: "success" }),
  },
  space_visibility_updated: {
    scope: "space:metadata:read",
    shared: true,
    raise: (_, place) =>
      hear(SpaceVisibilityChanged, { ...place, previous: "private", visibility: "public" }),
  },
  fetch: { raise: (of) => get(of, "/public/hook") },
  fetch_published_script: {
    scope: "site:script:inject",
    raise: (of, { site }) => get(of, `/sites/${site}/script`),
  },
  fetch_visitor_authentication: {
    scope: "site:visitor:auth",
    raise: async (of, place) => {
      await onSite(of, place);
      await get(of, `/sites/${place.site}/visitor-auth?location=a`);
    },
  },
  ui_render: {
    raise: ({ call, integrationName }, { space: spaceId }) =>
      call.render.post({
        integrationName,
        componentId: "block",
        props: {},
        context: { type: "document", theme: "light", spaceId, editable: false },
      }),
  },
  content_compute_revision: { scope: "space:content:write", raise: compute },
  content_compute_document: { scope: "space:content:write", raise: compute },
  task: {
    raise: async ({ integrationName }, { organization }) => {
      const token = {
        kind: "integration" as const,
        integration: integrationName,
        organization,
        token: newId(),
      };
      const identity = await around.sign({ ...token, scopes: ["integration:update"] });
      const path = `/integrations/${integrationName}/tasks`;
      await sender(home.address, identity)("POST", path, { task: { type: "sync" } });
    },
  },
};

/** How many events of a type an integration was notified of, or is to be. */
async function count({ integrationName }: Installed, type: Type): Promise<number> {
  const rows = await home.db
    .selectFrom("event")
    .innerJoin("integration", "integration.id", "event.integration")
    .select("payload")
    .where("integration.name", "=", integrationName)
    .execute();
  return rows.filter(({ payload }) => payload.type === type).length;
}

test("every type of the interface has a cause here, and nothing else is raised", () => {
  const declared = Schema.options.map(({ shape }) => shape.type.value);
  expect([...declared].sort()).toEqual([...TYPES].sort());
  expect(Object.keys(CAUSES).sort()).toEqual([...TYPES].sort());
});

test.each(TYPES)(
  "%s is raised for the installations that it concerns, by their scopes, and for no other",
  async (type) => {
    const { scope, shared, raise } = CAUSES[type];
    const place = placeIn(acme);
    const own = await installed(acme);
    const bystander = await installed(acme);
    const stranger = await installed(rival);
    const elsewhere = await installed(acme);
    const selected = { space_selection: "selected", site_selection: "selected" } as const;
    await elsewhere.call.installations.update({ ...elsewhere.one, ...selected });
    const others = shared ? [stranger, elsewhere] : [stranger, elsewhere, bystander];
    const before = await Promise.all([own, ...others].map((one) => count(one, type)));
    await raise(own, place);
    const after = await Promise.all([own, ...others].map((one) => count(one, type)));
    expect(after).toEqual([before[0]! + 1, ...before.slice(1)]);
    if (shared) expect(await count(bystander, type)).toBe(1);

    if (scope === undefined) return;
    const without = await installed(
      acme,
      SCOPES.filter((one) => one !== scope),
    );
    await raise(without, placeIn(acme));
    expect(await count(without, type)).toBe(0);
  },
);

test("a scope that a new version declares counts for events once the organization accepted it", async () => {
  const { call } = await home.as({ [acme]: "admin", [rival]: "admin" });
  const input = publication({ organization: acme, script: SCRIPT, scopes: [], visibility: "public" });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName, organization: rival });
  const of = { call, integrationName, id, one: { integrationName, installationId: id } } as Installed;
  await call.integrations.publish({ ...input, scopes: SCOPES });
  const place = placeIn(rival);
  const shared = TYPES.filter((type) => CAUSES[type].scope !== undefined && CAUSES[type].shared);
  for (const type of shared) await CAUSES[type].raise(of, place);
  expect(await Promise.all(shared.map((type) => count(of, type)))).toEqual(shared.map(() => 0));
  expect((await get(of, `/sites/${place.site}/script`)).status).toBe(404);
  await call.installations.update({ ...of.one, externalIds: ["accepted"] });
  for (const type of shared) await CAUSES[type].raise(of, place);
  expect((await Promise.all(shared.map((type) => count(of, type)))).every((events) => events > 0)).toBe(true);
  expect((await get(of, `/sites/${place.site}/script`)).status).toBe(200);
});
