import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { addPage } from "../harness/editing.js";
import { install, publishIntegration } from "../harness/integration.js";
import { type Stack, startStack } from "../harness/stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

let stack: Stack;
let tunnel: Tunnel;
let database: Database;
let call: Client;
/** The two organizations, and the installation of the integration in each. */
const [from, to] = [
  { id: "", installation: "" },
  { id: "", installation: "" },
];

beforeAll(async () => {
  [stack, tunnel] = await Promise.all([startStack(), openTunnel()]);
  database = openDatabase(stack);
  call = createClient({ ...stack, patienceMs: 30_000 });
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  from.id = body.items[0]!.id;
});
afterAll(async () => {
  await database?.close();
  await Promise.allSettled([stack?.stop(), tunnel?.close()]);
});

test("POST /orgs takes effect in every service by the very next request", async () => {
  for (let round = 0; round < 5; round++) {
    const created = await call<{ id: string }>("POST", "/orgs", { title: `Branch ${round}` });
    expect(created.status).toBe(201);
    const space = await call("POST", `/orgs/${created.body.id}/spaces`, { title: "First" });
    expect(space).toMatchObject({ status: 201, body: { organization: created.body.id } });
    expect((await call("GET", `/orgs/${created.body.id}/sites`)).status).toBe(200);
    expect(created.headers.get("x-octavo-identity-changed")).toBeNull();
    to.id = created.body.id;
  }
});

/** A space with a page, shown on a published site of the old organization, and granted to people of it. */
async function publishedSpace(title: string) {
  const { body: space } = await call<{ id: string }>("POST", `/orgs/${from.id}/spaces`, { title });
  await addPage(call, space.id, "Before");
  const site = await call<{ id: string }>("POST", `/orgs/${from.id}/sites`, { title, spaces: [space.id] });
  const sitePath = `/orgs/${from.id}/sites/${site.body.id}`;
  expect((await call("POST", `${sitePath}/publish`)).status).toBe(200);
  await eventually(async () => (await call("GET", `/spaces/${space.id}`)).body.visibility === "public");
  for (const [subject, kind] of [
    ["somebody", "user"],
    ["writers", "team"],
  ]) {
    await database.query(
      `insert into content.content_grant (target, subject, subject_kind, organization, role)
       values ($1, $2, $3, $4, 'edit')`,
      [space.id, subject, kind, from.id],
    );
  }
  return { space: space.id, site: sitePath };
}

/** What must hold of a space that moved, once everybody has followed. */
async function expectMoved(space: string, site: string) {
  const moved = await call<{ organization: string; visibility: string; urls: object }>(
    "GET",
    `/spaces/${space}`,
  );
  expect(moved.body).toMatchObject({ organization: to.id, visibility: "private" });
  expect(moved.body.urls).not.toHaveProperty("published");
  const owners = await Promise.all([from, to].map(({ id }) => spacesOf(id)));
  expect(owners.map((spaces) => spaces.filter((id) => id === space).length)).toEqual([0, 1]);
  await eventually(async () => (await call("GET", site)).body.siteSpaces === 0);
  expect((await call("GET", site)).body).toMatchObject({ published: false, siteSpaces: 0 });
  expect((await call("GET", `${site}/site-spaces`)).body).toMatchObject({ items: [], count: 0 });
  expect((await call("GET", `${site}/published`)).status).toBe(404);
  const grants = await database.query("select subject from content.content_grant where target = $1", [space]);
  expect(grants).toEqual([]);
  const audience = await database.query("select site from content.audience where space = $1", [space]);
  expect(audience).toEqual([]);
  const { body: pages } = await call<{ pages: { title: string }[] }>("GET", `/spaces/${space}/content/pages`);
  expect(pages.pages.map(({ title }) => title)).toContain("Before");
}

const spacesOf = async (organization: string) =>
  (await call<{ items: { id: string }[] }>("GET", `/orgs/${organization}/spaces?limit=1000`)).body.items.map(
    ({ id }) => id,
  );

/** The events of a space that an installation received, in the order it arrived. */
const eventsOf = (installation: string, space: string) =>
  tunnel.received
    .filter(({ event }) => event.installationId === installation && event.spaceId === space)
    .map(({ event }) => event);

test("a transferred space has one owner; sites, grants and integrations of the old one let go of it", async () => {
  await publishIntegration(call, { name: "witness", organization: from.id, tunnelUrl: tunnel.url });
  for (const organization of [from, to]) {
    organization.installation = await install(call, "witness", organization.id);
  }
  const { space, site } = await publishedSpace("Moving");
  await eventually(async () => eventsOf(from.installation, space).length === 2);

  const moved = await call("POST", `/spaces/${space}/transfer`, { organization: to.id });
  expect(moved).toMatchObject({ status: 200, body: { id: space, organization: to.id } });
  await expectMoved(space, site);
  const before = eventsOf(from.installation, space).length;
  const revision = await addPage(call, space, "After");
  await eventually(async () =>
    eventsOf(to.installation, space).some((event) => event.revisionId === revision),
  );
  expect(eventsOf(from.installation, space)).toHaveLength(before);

  const again = await call("POST", `/spaces/${space}/transfer`, { organization: to.id });
  expect(again).toMatchObject({ status: 409, body: { error: { reason: "same_organization" } } });
  const unknown = await call("POST", `/spaces/${space}/transfer`, { organization: "nowhere" });
  expect(unknown.status).toBe(404);
});

test("a site that shows another space as well stays published without the one that left", async () => {
  const { space, site } = await publishedSpace("Leaving");
  const { body: other } = await call<{ id: string }>("POST", `/orgs/${from.id}/spaces`, { title: "Staying" });
  expect((await call("POST", `${site}/site-spaces`, { spaceId: other.id })).status).toBe(201);
  await call("POST", `/spaces/${space}/transfer`, { organization: to.id });
  await eventually(async () => (await call("GET", site)).body.siteSpaces === 1);
  expect((await call("GET", `${site}/published`)).body).toMatchObject({
    structure: { structure: [{ space: { id: other.id }, default: true }] },
  });
  await eventually(async () => (await call("GET", `/spaces/${space}`)).body.visibility === "private");
  expect((await call("GET", `/spaces/${other.id}`)).body).toMatchObject({ visibility: "public" });
});

test("a transfer that content dies in the middle of is not done by half, and is done when it is sent again", async () => {
  const { space, site } = await publishedSpace("Crashing");
  const once = createClient(stack);
  const block = await database.block("content.outbox");
  const cut = once("POST", `/spaces/${space}/transfer`, { organization: to.id });
  await block.waits("insert into");
  await stack.kill("services/content");
  await block.release();
  expect((await cut).status).toBe(502);
  await stack.ready();
  expect((await call("GET", `/spaces/${space}`)).body).toMatchObject({ organization: from.id });
  expect(await transfersOf(space)).toBe(0);
  const again = await call("POST", `/spaces/${space}/transfer`, { organization: to.id });
  expect(again.status).toBe(200);
  await expectMoved(space, site);
  expect(await transfersOf(space)).toBe(1);
});

test("sites that die in the middle of following a transfer, and content after it, follow it all the same", async () => {
  const { space, site } = await publishedSpace("Following");
  const block = await database.block("sites.site_space");
  const moved = await call("POST", `/spaces/${space}/transfer`, { organization: to.id });
  expect(moved.status).toBe(200);
  await block.waits("site_space");
  await Promise.all(["services/sites", "services/content", "services/integrations"].map(stack.kill));
  await block.release();
  await stack.ready();
  await expectMoved(space, site);
  expect(await transfersOf(space)).toBe(1);
});

/** How many events of a transfer of the space there are. */
async function transfersOf(space: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int from content.outbox where name = 'content.space.transferred' and aggregate = $1`,
    [space],
  );
  return row!.count;
}

test("a collection takes its spaces along, the nested ones and those on sites too", async () => {
  const { body: top } = await call<{ id: string }>("POST", `/orgs/${from.id}/collections`, { title: "Team" });
  const { body: nested } = await call<{ id: string }>("POST", `/orgs/${from.id}/collections`, {
    title: "Nested",
    parent: top.id,
  });
  const { space, site } = await publishedSpace("Collected");
  await call("POST", `/spaces/${space}/move`, { parent: nested.id });
  const moved = await call("POST", `/collections/${top.id}/transfer`, { organization: to.id });
  expect(moved).toMatchObject({ status: 200, body: { organization: to.id } });
  await eventually(async () => (await call("GET", site)).body.published === false);
  expect((await call("GET", `/spaces/${space}`)).body).toMatchObject({
    organization: to.id,
    parent: nested.id,
  });
  expect((await call("GET", `/collections/${nested.id}`)).body).toMatchObject({ organization: to.id });
  await eventually(async () => (await call("GET", `/spaces/${space}`)).body.visibility === "in-collection");
  const grants = await database.query("select subject from content.content_grant where target = $1", [space]);
  expect(grants).toEqual([]);
});
