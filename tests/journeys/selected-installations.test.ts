import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

let stack: SharedStack;
let tunnel: Tunnel;
let admin: Client;
let organization: string;

/** What a change of an installation may take to be felt. */
const FELT_WITHIN_MS = 2_000;
const NAME = "selected-witness";
const SCOPES = ["space:content:read", "space:content:write", "space:metadata:read", "site:metadata:read"];

interface Made {
  id: string;
}
const made = async <T = Made>(method: string, path: string, body: object) => {
  const response = await admin<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};

beforeAll(async () => {
  [stack, tunnel] = await Promise.all([sharedStack(), openTunnel()]);
  admin = createClient(stack);
  organization = (await admin<{ items: Made[] }>("GET", "/orgs")).body.items[0]!.id;
  const manifest = { title: "Writer", description: "Writes", scopes: SCOPES, visibility: "unlisted" };
  const script = { runtime: "v2", script: "export default {}", organization };
  await made("POST", `/integrations/${NAME}`, { ...manifest, ...script });
  await made("PUT", `/integrations/${NAME}/dev`, { tunnelUrl: tunnel.url, all: true });
});
afterAll(() => tunnel?.close());

async function space(title: string) {
  const { id } = await made("POST", `/orgs/${organization}/spaces`, { title });
  await addPage(admin, id, "First");
  return id;
}

/** What an installation that works in selected spaces and sites alone reaches. */
async function setUp() {
  const [inside, outside] = [await space("Inside"), await space("Outside")];
  // What it is installed on it reaches, although members do not.
  await made("PATCH", `/spaces/${inside}`, { defaultLevel: null });
  const shown = await made("POST", `/orgs/${organization}/sites`, { title: "Shown", spaces: [inside] });
  const hidden = await made("POST", `/orgs/${organization}/sites`, { title: "Hidden", spaces: [outside] });
  const { id: installation } = await made("POST", `/integrations/${NAME}/installations`, { organization });
  const one = `/integrations/${NAME}/installations/${installation}`;
  await made("PATCH", one, { space_selection: "selected", site_selection: "selected" });
  await made("POST", `${one}/spaces`, { space: inside });
  await made("POST", `${one}/sites`, { siteId: shown.id });
  const tokens = await eventually(async () => {
    const delivery = tunnel.received.find(({ event }) => event.installationId === installation);
    return delivery?.environment.apiTokens as { installation: string } | undefined;
  });
  return { inside, outside, shown: shown.id, hidden: hidden.id, one, script: admin.as(tokens.installation) };
}

const statusesOf = async (call: Client, paths: string[]) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await call("GET", path)).status])));

test("an installation on selected spaces and sites reads and writes these, is named for it, and loses them at once", async () => {
  const { inside, outside, shown, hidden, one, script } = await setUp();
  const sites = `/orgs/${organization}/sites`;
  const expected = {
    [`/spaces/${inside}`]: 200,
    [`/spaces/${inside}/content/pages`]: 200,
    [`/spaces/${inside}/change-requests`]: 200,
    [`/spaces/${outside}`]: 404,
    [`/spaces/${outside}/content/pages`]: 404,
    [`/spaces/${outside}/change-requests`]: 404,
    [`${sites}/${shown}`]: 200,
    [`${sites}/${hidden}`]: 404,
    [`/spaces/${inside}/permissions/users`]: 403,
  };
  expect(await statusesOf(script, Object.keys(expected))).toEqual(expected);
  const listed = (await script<{ items: Made[]; count: number }>("GET", sites)).body;
  expect([listed.items.map(({ id }) => id), listed.count]).toEqual([[shown], 1]);

  const requests = `/spaces/${inside}/change-requests`;
  const opened = await script<Made & { createdBy: object }>("POST", requests, { subject: "By a script" });
  expect([opened.status, opened.body.createdBy]).toEqual([
    201,
    {
      object: "user",
      id: `integration:${NAME}`,
      displayName: NAME,
      urls: { location: expect.stringContaining(`/integrations/${NAME}`) },
    },
  ]);
  const insert = { operation: "insert_page", title: "Written", document: { markdown: "By a script.\n" } };
  const at = `${requests}/${opened.body.id}`;
  expect((await script("POST", `${at}/content`, { changes: [insert] })).status).toBe(200);
  expect((await script("POST", `${at}/merge`)).body).toMatchObject({ result: "merge" });
  const { body } = await script<{ pages: { title: string }[] }>("GET", `/spaces/${inside}/content/pages`);
  expect(body.pages.map(({ title }) => title)).toContain("Written");
  for (const [method, path] of [
    ["POST", `/spaces/${outside}/change-requests`],
    ["POST", `/spaces/${outside}/git/import`],
    ["PATCH", `/spaces/${inside}`],
    ["DELETE", `/spaces/${inside}`],
  ] as const)
    expect([path, (await script(method, path, {})).status >= 403]).toEqual([path, true]);

  const actors = await eventually(async () => {
    const path = `/orgs/${organization}/audit-events?target=${opened.body.id}`;
    const { items } = (await admin<{ items: { action: string; actor: object }[] }>("GET", path)).body;
    const merged = items?.find(({ action }) => action === "change-request.merge");
    return merged && items.map(({ actor }) => actor);
  });
  const actor = { type: "integration", id: NAME, displayName: NAME };
  expect(actors).toEqual(actors.map(() => actor));

  const status = async (of = inside) => (await script("GET", `/spaces/${of}/content/pages`)).status;
  await made("POST", `${one}/spaces`, { space: outside });
  await eventually(async () => (await status(outside)) === 200, FELT_WITHIN_MS);
  await made("DELETE", `${one}/spaces/${inside}`, {});
  await eventually(async () => (await status()) === 404, FELT_WITHIN_MS);
  expect(await status(outside)).toBe(200);
  await made("DELETE", one, {});
  await eventually(async () => (await status(outside)) === 401, FELT_WITHIN_MS);
});

test("a space that moves to another organization is out of an installation's reach at once", async () => {
  const { inside, script, one } = await setUp();
  expect((await script("GET", `/spaces/${inside}/content`)).status).toBe(200);
  const elsewhere = await made("POST", "/orgs", { title: "Elsewhere" });
  const moved = await admin("POST", `/spaces/${inside}/transfer`, { organization: elsewhere.id });
  expect(moved.status).toBe(200);
  expect((await script("GET", `/spaces/${inside}/content`)).status).toBe(404);
  await made("DELETE", one, {});
});
