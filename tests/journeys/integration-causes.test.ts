import { afterAll, beforeAll, expect, test } from "vitest";
import { PlatformEvent } from "../contract/integration-shapes.js";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { addPage } from "../harness/editing.js";
import { HANDBOOK, importFolder } from "../harness/furnish.js";
import { sharedStack } from "../harness/shared-stack.js";

// What happens to spaces and sites, as the script of an installation receives it: each from its real cause.

const NAME = "journey-causes";
/** Logs each event as it came. */
const SCRIPT = `export default { async fetch(request) {
  console.log((await request.formData()).get("event"));
  return new Response("OK");
} };`;

type Event = Record<string, unknown> & { type: string };
let call: Client;
let database: Database;
let organization: string;
let installation: string;

const made = async <T = { id: string }>(method: string, path: string, body?: object) => {
  const response = await call<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};
const one = () => `/integrations/${NAME}/installations/${installation}`;

/** A space, or a site with a space, on which the integration is installed by itself. */
async function newSpace() {
  const { id } = await made("POST", `/orgs/${organization}/spaces`, { title: "Handbook" });
  await made("POST", `${one()}/spaces`, { space: id });
  return id;
}

/** An event that the script has logged, the first one of which this holds. */
const received = (type: string, about: Record<string, unknown>) =>
  eventually(async () => {
    const { items } = (
      await call<{ items: { id: string; payload: Event; status: string }[] }>(
        "GET",
        `/integrations/${NAME}/events?limit=1000`,
      )
    ).body;
    const found = items.find(
      ({ payload }) =>
        payload.type === type && Object.entries(about).every(([name, value]) => payload[name] === value),
    );
    if (!found) return undefined;
    const { trace } = (
      await call<{ trace: { logs: { message: string }[] } }>(
        "GET",
        `/integrations/${NAME}/events/${found.id}`,
      )
    ).body;
    const logged = trace.logs.find(({ message }) => message.startsWith("{"));
    if (!logged) return undefined;
    // It came in the shape of the interface, and is recorded as it came.
    const event = JSON.parse(logged.message) as Event;
    expect(PlatformEvent.safeParse(event).error?.message ?? "").toBe("");
    expect(found.payload).toEqual(event);
    return event;
  });

beforeAll(async () => {
  const stack = await sharedStack();
  call = createClient(stack);
  database = openDatabase(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  await made("POST", `/integrations/${NAME}`, {
    title: "Witness",
    description: "Logs events",
    runtime: "v2",
    script: SCRIPT,
    organization,
    scopes: ["space:content:read", "space:metadata:read", "site:metadata:read"],
  });
  installation = (await made("POST", `/integrations/${NAME}/installations`, { organization })).id;
});
afterAll(() => database?.close());

test("an installation and its places are told of themselves, then a merge of its revision", async () => {
  expect(await received("installation_setup", { installationId: installation })).toMatchObject({
    status: "active",
  });
  const space = await newSpace();
  expect(await received("space_installation_setup", { spaceId: space })).toMatchObject({ status: "active" });
  const revisionId = await addPage(call, space, "First");
  expect(await received("space_content_updated", { spaceId: space, revisionId })).toMatchObject({
    installationId: installation,
  });
});

test("a git import is told with its revision and its commit as it starts, and as it has ended", async () => {
  const space = await newSpace();
  await importFolder(call, space, HANDBOOK);
  const completed = await received("space_gitsync_completed", { spaceId: space });
  const { revision } = (await call<{ revision: string }>("GET", `/spaces/${space}`)).body;
  expect(completed).toMatchObject({
    state: "success",
    revisionId: revision,
    commitId: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  const { commitId } = completed;
  expect(await received("space_gitsync_started", { spaceId: space })).toMatchObject({
    commitId,
    revisionId: expect.any(String),
  });
});

test("publishing a site makes its space public, unpublishing private; deleting the site ends its installation with what it was", async () => {
  const space = await newSpace();
  const { id: site } = await made("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space] });
  const path = `/orgs/${organization}/sites/${site}`;
  await made("POST", `${one()}/sites`, { siteId: site });
  await made("PATCH", `${one()}/sites/${site}`, { configuration: { key: "kept" } });
  await made("POST", `${path}/publish`);
  expect(await received("space_visibility_updated", { spaceId: space, visibility: "public" })).toMatchObject({
    previousVisibility: "private",
  });
  await made("POST", `${path}/unpublish`);
  expect(await received("space_visibility_updated", { spaceId: space, visibility: "private" })).toMatchObject(
    { previousVisibility: "public" },
  );
  await made("DELETE", path);
  expect(await received("site_installation_deleted", { siteId: site })).toMatchObject({
    previous: { configuration: { key: "kept" } },
  });
});

test("a space that is purged ends its installation, with what it was", async () => {
  const space = await newSpace();
  await made("PATCH", `${one()}/spaces/${space}`, { configuration: { key: "kept" } });
  await made("DELETE", `/spaces/${space}`);
  await database.query("update content.space set deleted_at = deleted_at - interval '8 days' where id = $1", [
    space,
  ]);
  await database.query(`select content_jobs.add_job('spaces.purge-due', '{"payload": {}}')`);
  expect(await received("space_installation_deleted", { spaceId: space })).toMatchObject({
    previous: { configuration: { key: "kept" } },
  });
  expect((await call("GET", `${one()}/spaces/${space}`)).status).toBe(404);
});

test("uninstalling is told last, with what it was", async () => {
  await made("PATCH", one(), { configuration: { key: "kept" } });
  await made("DELETE", one());
  expect(await received("installation_deleted", { installationId: installation })).toMatchObject({
    previous: { configuration: { key: "kept" } },
  });
});
