import { SpacePurged, SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deliver } from "../events/deliver.js";
import { listeners } from "../events/listeners.js";
import type { PublishInput } from "../integrations/schema.js";
import { around, sender } from "../testing/identities.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { startTunnel } from "../testing/tunnel.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let rival: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
});
afterAll(() => home.end());

const KINDS = ["space", "site"] as const;
type Kind = (typeof KINDS)[number];
const PLURAL = { space: "spaces", site: "sites" } as const;

const place = (kind: Kind, organization = acme) =>
  kind === "space" ? home.content.space(organization) : home.sites.site(organization);
const bodyFor = (kind: Kind, id: string) => (kind === "space" ? { space: id } : { siteId: id });

/** An integration of acme, installed there; the paths of its installations on spaces or sites. */
async function installed(kind: Kind, over: Partial<PublishInput> = {}) {
  const { send } = await home.as({ [acme]: "create" });
  const input = publication({ organization: acme, visibility: "public", ...over });
  await send("POST", `/integrations/${input.integrationName}`, input);
  const name = input.integrationName;
  const { body } = await send("POST", `/integrations/${name}/installations`, { organization: acme });
  const installation: string = body.id;
  const path = `/integrations/${name}/installations/${installation}`;
  return { name, installation, send, path, all: `${path}/${PLURAL[kind]}` };
}

const payloads = async (installation: string) => {
  const rows = await home.db
    .selectFrom("event")
    .select("payload")
    .where("installation", "=", installation)
    .orderBy("id")
    .execute();
  return rows.map(({ payload }) => payload);
};

/** What the script of an integration calls with: its own token, or one of an installation. */
async function scriptOf(name: string, scopes: string[], installation?: string) {
  const caller = {
    kind: "integration" as const,
    integration: name,
    organization: acme,
    token: newId(),
    installation,
    scopes: ["integration:installation:read", "integration:installation:update", ...scopes],
  };
  return sender(home.address, await around.sign(caller));
}

test.each(KINDS)("POST …/%ss installs there, notifies the integration, and can be read", async (kind) => {
  const { send, all, name, installation, path } = await installed(kind);
  const id = place(kind);
  const made = await send("POST", all, bodyFor(kind, id));
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`http://octavo.test/v1${all}/${id}`);
  expect(made.body).toEqual({
    integration: name,
    installation,
    status: "active",
    configuration: {},
    externalIds: [],
    urls: {
      location: `http://octavo.test/v1${all}/${id}`,
      publicEndpoint: `http://octavo.test/v1${all}/${id}/public`,
    },
    [kind]: id,
  });
  expect((await send("GET", `${all}/${id}`)).body).toEqual(made.body);
  expect((await send("GET", all)).body).toEqual({ items: [made.body], count: 1 });
  expect((await send("GET", `/integrations/${name}/${PLURAL[kind]}`)).body).toEqual({
    items: [made.body],
    count: 1,
  });
  expect((await send("GET", path)).body.spaces).toBe(kind === "space" ? 1 : 0);
  expect((await payloads(installation)).at(-1)).toEqual({
    eventId: expect.any(String),
    installationId: installation,
    type: `${kind}_installation_setup`,
    [`${kind}Id`]: id,
    status: "active",
  });
  expect((await send("POST", all, bodyFor(kind, id))).body.error.reason).toBe("already_installed");
});

test.each(KINDS)(
  "…/%ss is pending until its configuration has what is required, then active",
  async (kind) => {
    const form = {
      properties: { region: { type: "string" as const, default: "eu" }, key: { type: "string" as const } },
      required: ["key"],
    };
    const { send, all, installation } = await installed(kind, { configurations: { [kind]: form } });
    const id = place(kind);
    const made = await send("POST", all, bodyFor(kind, id));
    expect(made.body).toMatchObject({ status: "pending", configuration: { region: "eu" } });
    const one = `${all}/${id}`;
    const configuration = { region: "eu", key: "k" };
    const ready = await send("PATCH", one, { configuration, externalIds: ["github:1"] });
    expect(ready.body).toMatchObject({ status: "active", configuration, externalIds: ["github:1"] });
    await send("PATCH", one, { configuration });
    const [, first, second, ...more] = await payloads(installation);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ status: "pending" });
    expect(second).toMatchObject({
      status: "active",
      previous: { status: "pending", configuration: { region: "eu" } },
    });
  },
);

test.each(KINDS)("…/%ss extended shows the things themselves, all of a page by one call", async (kind) => {
  const { send, all, name, installation } = await installed(kind);
  const ids = [place(kind), place(kind), place(kind)];
  for (const id of ids) await send("POST", all, bodyFor(kind, id));
  const before = home.content.asked.length;
  const { body } = await send("GET", `${all}?extended=true&limit=2`);
  expect(body.items.map((item: Record<string, { object: string; id: string }>) => item[kind])).toMatchObject(
    ids.slice(0, 2).map((id) => ({ object: kind, id })),
  );
  if (kind === "space") expect(home.content.asked.slice(before)).toEqual([ids.slice(0, 2)]);
  expect(body).toMatchObject({ count: 3, next: {} });
  const rest = await send("GET", `${all}?limit=2&page=${body.next.page}`);
  expect(rest.body.items).toMatchObject([{ [kind]: ids[2] }]);
  const metadata = await scriptOf(name, [`${kind}:metadata:read`], installation);
  expect((await metadata("GET", `${all}/${ids[0]}?extended=true`)).body[kind]).toMatchObject({ id: ids[0] });
  const without = await scriptOf(name, [], installation);
  expect((await without("GET", `${all}/${ids[0]}?extended=true`)).body[kind]).toBe(ids[0]);
});

test.each(KINDS)(
  "the integration finds its own …/%ss by externalId and configures them, without an event",
  async (kind) => {
    const { send, all, name, installation } = await installed(kind);
    const ids = [place(kind), place(kind)];
    for (const id of ids) await send("POST", all, bodyFor(kind, id));
    const script = await scriptOf(name, [], installation);
    const one = `${all}/${ids[1]}`;
    const before = (await payloads(installation)).length;
    const set = await script("PATCH", one, { externalIds: ["x:7"], configuration: { webhook: 1 } });
    expect(set).toMatchObject({ status: 200, body: { configuration: { webhook: 1 } } });
    expect(await payloads(installation)).toHaveLength(before);
    const own = await scriptOf(name, []);
    const found = await own("GET", `/integrations/${name}/${PLURAL[kind]}?externalId=x:7`);
    expect(found.body.items).toMatchObject([{ [kind]: ids[1] }]);
    const stranger = await scriptOf(`other-${name}`, [], installation);
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { externalIds: [] }],
    ] as const)
      expect((await stranger(method, one, body)).status).toBe(404);
    expect((await script("DELETE", one)).status).toBe(403);
  },
);

test.each(KINDS)(
  "…/%ss refuses the wrong caller, other organizations and wrong targets, and writes nothing",
  async (kind) => {
    const { send, all } = await installed(kind);
    const id = place(kind);
    const one = `${all}/${id}`;
    expect((await send("POST", all, bodyFor(kind, id))).status).toBe(201);
    const [elsewhere, free] = [place(kind, rival), place(kind)];
    const both = await home.as({ [acme]: "create", [rival]: "create" });
    const reader = await home.as({ [acme]: "review" });
    const guest = await home.as({ [acme]: null });
    const stranger = await home.as({ [rival]: "admin" });
    const narrow = await installed(kind, { target: kind === "space" ? "site" : "space" });
    const statuses = [
      (await both.send("POST", all, bodyFor(kind, elsewhere))).status,
      (await both.send("POST", all, bodyFor(kind, newId()))).status,
      (await reader.send("POST", all, bodyFor(kind, free))).status,
      (await guest.send("POST", all, bodyFor(kind, free))).status,
      (await stranger.send("POST", all, bodyFor(kind, free))).status,
      (await narrow.send("POST", narrow.all, bodyFor(kind, free))).status,
      (await send("POST", all, bodyFor(kind, ""))).status,
      (await reader.send("PATCH", one, { externalIds: ["x"] })).status,
      (await stranger.send("PATCH", one, { externalIds: ["x"] })).status,
      (await send("PATCH", one, { externalIds: [1], configuration: { a: "\0" } })).status,
      (await reader.send("DELETE", one)).status,
      (await reader.send("GET", all)).status,
      (await stranger.send("GET", all)).status,
      (await stranger.send("GET", one)).status,
      (await reader.send("GET", one)).status,
    ];
    expect(statuses).toEqual([404, 404, 403, 404, 404, 409, 400, 403, 404, 400, 403, 403, 404, 404, 200]);
    expect((await send("GET", all)).body).toMatchObject({ count: 1, items: [{ externalIds: [] }] });
  },
);

test("the right to install on a space is the one on the space, whatever the role in the organization", async () => {
  const { all, send } = await installed("space");
  const [closed, open, hidden] = [
    home.content.space(acme, "read"),
    home.content.space(acme, "create"),
    home.content.space(acme, null),
  ];
  const reader = await home.as({ [acme]: "read" });
  expect((await send("POST", all, { space: closed })).status).toBe(403);
  expect((await reader.send("POST", all, { space: open })).status).toBe(201);
  expect((await send("POST", all, { space: hidden })).status).toBe(404);
  expect((await reader.send("DELETE", `${all}/${open}`)).status).toBe(204);
});

test.each(KINDS)(
  "DELETE …/%ss/{id} sends what it was, and all of it is gone when that is delivered",
  async (kind) => {
    const tunnel = await startTunnel();
    const { send, all, name, installation } = await installed(kind);
    await send("PUT", `/integrations/${name}/dev`, { tunnelUrl: tunnel.url });
    const id = place(kind);
    await send("POST", all, bodyFor(kind, id));
    await send("PATCH", `${all}/${id}`, { configuration: { hook: "h" } });
    for (const status of [204, 204]) expect((await send("DELETE", `${all}/${id}`)).status).toBe(status);
    expect((await send("GET", `${all}/${id}`)).status).toBe(404);
    expect((await send("POST", all, bodyFor(kind, id))).status).toBe(201);
    const last = await home.db
      .selectFrom("event")
      .select("id")
      .where("installation", "=", installation)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    // The last job delivers what waits before it, in order.
    await deliver(home.ownContext(), last.id);
    expect(tunnel.deliveries.map(({ event }) => event.type)).toEqual([
      "installation_setup",
      `${kind}_installation_setup`,
      `${kind}_installation_setup`,
      `${kind}_installation_deleted`,
      `${kind}_installation_setup`,
    ]);
    const removal = tunnel.deliveries[3]!;
    expect(removal.event).toMatchObject({ [`${kind}Id`]: id, previous: { configuration: { hook: "h" } } });
    expect(removal.environment[`${kind}Installation`]).toMatchObject({
      [kind]: id,
      configuration: { hook: "h" },
    });
    const { signingSecrets } = removal.environment;
    expect(signingSecrets[`${kind}Installation`]).toMatch(/^.{43}$/);
    expect(signingSecrets[`${kind}Installation`]).not.toBe(signingSecrets.installation);
    const rows = await home.db
      .selectFrom("content_installation")
      .select("deleted_at")
      .where("installation", "=", installation)
      .execute();
    expect(rows).toEqual([{ deleted_at: null }]);
    await tunnel.end();
  },
);

test("what leaves the organization loses its installations, and so does what is uninstalled altogether", async () => {
  const spaces = await installed("space");
  const sites = `${spaces.path}/sites`;
  const [moved, purged, stays, site] = [place("space"), place("space"), place("space"), place("site")];
  for (const id of [moved, purged, stays]) await spaces.send("POST", spaces.all, { space: id });
  await spaces.send("POST", sites, { siteId: site });
  const happens = (name: string, payload: object) =>
    transact(home.ownContext(), (ctx) =>
      listeners.find(({ event }) => event.name === name)!.handle({ ctx, payload } as never),
    );
  await happens(SpaceTransferred.name, { space: moved, from: acme, to: rival });
  await happens(SpacePurged.name, { space: purged, organization: acme });
  await happens(SiteDeleted.name, { site, organization: acme });
  const left = await spaces.send("GET", spaces.all);
  expect(left.body.items.map(({ space }: { space: string }) => space)).toEqual([stays]);
  expect((await spaces.send("GET", sites)).body.count).toBe(0);
  expect((await spaces.send("DELETE", spaces.path)).status).toBe(204);
  const ends = (await payloads(spaces.installation)).slice(-5).map((event) => event.type);
  expect(ends).toEqual([
    "space_installation_deleted",
    "space_installation_deleted",
    "site_installation_deleted",
    "space_installation_deleted",
    "installation_deleted",
  ]);
});
