import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { install, publishIntegration } from "../harness/integration.js";
import { type Person, register } from "../harness/people.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

let stack: SharedStack;
let tunnel: Tunnel;
let admin: Client;
let bea: Person;
let organization: string;
let space: string;
let closed: string;
let site: string;

/** What a lost installation may take to be felt. */
const FELT_WITHIN_MS = 2_000;
const NAME = "token-witness";

const made = async <T = { id: string }>(method: string, path: string, body: object) => {
  const response = await admin<T>(method, path, body);
  if (response.status > 201) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};

beforeAll(async () => {
  [stack, tunnel] = await Promise.all([sharedStack(), openTunnel()]);
  admin = createClient(stack);
  organization = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  bea = await register(stack, "Bea");
  space = (await made("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })).id;
  await addPage(admin, space, "First");
  closed = (await made("POST", `/orgs/${organization}/spaces`, { title: "Closed" })).id;
  await made("PATCH", `/spaces/${closed}`, { defaultLevel: null });
  await made("PATCH", `/spaces/${space}`, { defaultLevel: "admin" });
  site = (await made("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space] })).id;
  await publishIntegration(admin, { name: NAME, organization, tunnelUrl: tunnel.url });
});
afterAll(() => tunnel?.close());

/** Installs the integration; returns its installation, and clients with the tokens that its script is handed. */
async function installed(of = organization, as = admin) {
  const installation = await install(as, NAME, of);
  const tokens = await eventually(async () => {
    const delivery = tunnel.received.find(({ event }) => event.installationId === installation);
    return delivery?.environment.apiTokens as { integration: string; installation: string } | undefined;
  });
  return {
    installation,
    asIntegration: admin.as(tokens.integration),
    asInstallation: admin.as(tokens.installation),
  };
}

const statusesOf = async (call: Client, paths: string[]) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await call("GET", path)).status])));

test("an installation reads what the scopes of its integration name, in its organization, and writes nothing but itself", async () => {
  const { installation, asInstallation, asIntegration } = await installed();
  const mine = `/integrations/${NAME}/installations`;
  const other = await installed(bea.organization, admin.as(bea.token));
  const expected = {
    [`/spaces/${space}`]: 200,
    [`/spaces/${space}/content`]: 200,
    [`/spaces/${space}/content/pages`]: 200,
    [`/spaces/${space}/change-requests`]: 200,
    [`${mine}/${installation}`]: 200,
    [`/orgs/${organization}`]: 200,
    [`/orgs/${organization}/sso`]: 200,
    "/integrations": 200,
    [`/integrations/${NAME}`]: 200,
    [`/integrations/${NAME}/events`]: 200,
    // For members alone, closed to them, or another organization's.
    [`/spaces/${closed}`]: 404,
    [`/spaces/${closed}/content/pages`]: 404,
    [`${mine}/${other.installation}`]: 404,
    "/integrations/unknown/installations": 404,
    // No operation of an integration, or none of its scopes.
    [`/spaces/${space}/permissions/users`]: 403,
    [`/orgs/${bea.organization}`]: 404,
    [`/orgs/${bea.organization}/sso`]: 404,
    [`/orgs/${organization}/members`]: 403,
    [`/orgs/${organization}/spaces`]: 403,
    [`/orgs/${organization}/sites`]: 403,
    [`/orgs/${organization}/sites/${site}`]: 403,
    [`/orgs/${organization}/sites/${site}/publishing/auth`]: 403,
    [`/urls/content?url=${stack.base}/app/s/${space}`]: 403,
    [`/urls/content?url=${stack.base}/app/s/${closed}`]: 403,
    "/user": 403,
    "/user/tokens": 403,
  };
  expect(await statusesOf(asInstallation, Object.keys(expected))).toEqual(expected);
  const { body } = await asInstallation<{ permissions: Record<string, boolean> }>("GET", `/spaces/${space}`);
  const allowed = Object.entries(body.permissions).filter(([, may]) => may);
  expect(Object.fromEntries(allowed)).toEqual({ view: true, access: true });
  const listed = async (call: Client) =>
    (await call<{ items: { id: string }[] }>("GET", mine)).body.items.map(({ id }) => id).sort();
  expect(await listed(asInstallation)).toEqual([installation]);
  expect(await listed(asIntegration)).toEqual([installation, other.installation].sort());
  expect((await asIntegration("GET", `/spaces/${space}`)).status).toBe(403);
  expect((await other.asInstallation("GET", `/spaces/${space}`)).status).toBe(404);
  expect(
    await statusesOf(asIntegration, ["/integrations", `/integrations/${NAME}`, `/orgs/${organization}`]),
  ).toEqual({
    "/integrations": 200,
    [`/integrations/${NAME}`]: 200,
    // It works for no organization by itself.
    [`/orgs/${organization}`]: 404,
  });

  const tokens = `${mine}/${installation}/tokens`;
  const minted = await asIntegration<{ token: string }>("POST", tokens);
  expect([minted.status, minted.body]).toEqual([200, { token: expect.stringMatching(/^oci_/) }]);
  expect((await admin.as(minted.body.token)("GET", `/spaces/${space}`)).status).toBe(200);
  expect((await asIntegration("POST", `${mine}/unknown/tokens`)).status).toBe(404);
  for (const call of [admin, asInstallation, admin.as(minted.body.token)]) {
    expect((await call("POST", tokens)).status).toBe(403);
  }

  type Events = { items: { id: string; installationId: string }[] };
  const eventsOf = async (call: Client) =>
    (await call<Events>("GET", `/integrations/${NAME}/events`)).body.items;
  const own = await eventually(async () => (await eventsOf(asInstallation))[0]);
  const everybodys = await eventually(async () => {
    const items = await eventsOf(asIntegration);
    return items.length > 1 ? items : undefined;
  });
  expect(own.installationId).toBe(installation);
  expect(everybodys.map((event) => event.installationId)).toContain(other.installation);
  const traced = async (call: Client) =>
    Object.keys((await call<object>("GET", `/integrations/${NAME}/events/${own.id}`)).body);
  expect(await traced(asInstallation)).toEqual(["event"]);
  expect(await traced(asIntegration)).toEqual(["event", "trace"]);

  const writes: [string, string, object?][] = [
    ["PATCH", `/spaces/${space}`, { title: "Taken" }],
    ["DELETE", `/spaces/${space}`],
    ["POST", `/spaces/${space}/change-requests`, {}],
    ["POST", `/orgs/${organization}/spaces`, {}],
    ["POST", `/orgs/${organization}/ping`],
    ["POST", "/user/tokens", { label: "More" }],
    ["DELETE", `${mine}/${installation}`],
    ["DELETE", `/integrations/${NAME}`],
  ];
  for (const [method, path, body] of writes) {
    const response = await asInstallation(method, path, body);
    expect([method, path, response.status]).toEqual([method, path, 403]);
    expect(response.body).toMatchObject({ error: { reason: "insufficient_scope" } });
  }

  const one = `${mine}/${installation}`;
  const tagged = await asInstallation<{ externalIds: string[] }>("PATCH", one, { externalIds: ["x"] });
  expect([tagged.status, tagged.body.externalIds]).toEqual([200, ["x"]]);
  expect((await asInstallation("PATCH", one, { space_selection: "selected" })).status).toBe(403);
  expect((await other.asInstallation("PATCH", one, { externalIds: ["x"] })).status).toBe(404);
  expect((await admin("PATCH", one, { space_selection: "selected" })).status).toBe(200);
  const status = async () => (await asInstallation("GET", `/spaces/${space}`)).status;
  await eventually(async () => (await status()) === 404, FELT_WITHIN_MS);
  expect((await admin("PATCH", one, { space_selection: "all" })).status).toBe(200);
  await eventually(async () => (await status()) === 200, FELT_WITHIN_MS);

  expect((await admin("DELETE", one)).status).toBe(204);
  await eventually(async () => (await status()) === 401, FELT_WITHIN_MS);
  expect((await other.asInstallation("GET", `${mine}/${other.installation}`)).status).toBe(200);
  expect((await admin("DELETE", `/integrations/${NAME}`)).status).toBe(204);
  const gone = async (call: Client) => (await call("GET", mine)).status === 401;
  await eventually(
    async () => (await gone(other.asInstallation)) && (await gone(asIntegration)),
    FELT_WITHIN_MS,
  );
});
