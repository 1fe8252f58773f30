import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishInput } from "../integrations/schema.js";
import { publication, startIntegrations } from "../testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let rival: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
});
afterAll(() => home.end());

/** A public integration of acme; returns the path of its installations. */
async function published(over: Partial<PublishInput> = {}) {
  const { call } = await home.as({ [acme]: "create" });
  const { name } = await call.integrations.publish(
    publication({ organization: acme, visibility: "public", ...over }),
  );
  return { name, path: `/integrations/${name}/installations` };
}
const waiting = (installation: string) =>
  home.db.selectFrom("event").selectAll().where("installation", "=", installation).orderBy("id").execute();

test("POST /integrations/{integrationName}/installations installs it and notifies the integration and the services", async () => {
  const { name, path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const { status, headers, body } = await send("POST", path, { organization: rival });
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(`http://octavo.test/v1${path}/${body.id}`);
  expect(body).toMatchObject({
    status: "active",
    space_selection: "all",
    site_selection: "all",
    spaces: 0,
    configuration: {},
    externalIds: [],
    target: { organization: rival },
  });
  const [event, ...more] = await waiting(body.id);
  expect(more).toEqual([]);
  const payload = {
    eventId: event!.id,
    type: "installation_setup",
    installationId: body.id,
    status: "active",
  };
  expect(event).toMatchObject({ organization: rival, status: null });
  expect(event!.payload).toEqual(payload);
  expect(event!.publisher).toBe(acme);
  const emitted = { integration: name, installation: body.id, organization: rival };
  expect(await home.emitted(body.id)).toEqual([["installation.created", emitted]]);
});

test("POST /integrations/{integrationName}/installations is pending while required configuration is missing", async () => {
  const region = { type: "string" as const, default: "eu", enum: ["eu", "us"] };
  const properties = {
    token: { type: "button" as const, callback_url: "/oauth", button_text: "Connect" },
    region,
  };
  const { path } = await published({
    configurations: { account: { properties, required: ["token", "region"] } },
  });
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  expect(body).toMatchObject({ status: "pending", configuration: { region: "eu" } });
  const one = `${path}/${body.id}`;
  const wrong = await send("PATCH", one, { configuration: { token: { access: "t" }, region: "mars" } });
  expect(wrong.body.status).toBe("pending");
  const right = await send("PATCH", one, { configuration: { token: { access: "t" }, region: "us" } });
  expect(right).toMatchObject({ status: 200, body: { status: "active" } });
  const [, second, third] = (await waiting(body.id)).map(({ payload }) => payload);
  expect(second).toMatchObject({ previous: { status: "pending", configuration: { region: "eu" } } });
  expect(third).toMatchObject({ status: "active", previous: { status: "pending" } });
});

test("PATCH /integrations/{integrationName}/installations/{installationId} is pending while a value breaks its declaration", async () => {
  const properties = {
    count: { type: "number" as const },
    loud: { type: "boolean" as const },
    region: { type: "string" as const, enum: ["eu", "us"] },
    name: { type: "string" as const },
    constructor: { type: "string" as const },
  };
  const { path } = await published({
    configurations: { account: { properties, required: ["name"] } },
  });
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  const statusWith = async (configuration: object) =>
    (await send("PATCH", `${path}/${body.id}`, { configuration })).body.status;
  expect(await statusWith({ region: "eu" })).toBe("pending");
  expect(await statusWith({ name: "" })).toBe("pending");
  for (const wrong of [{ count: "1" }, { loud: 1 }, { region: "mars" }, { name: ["a"] }, { name: {} }])
    expect([wrong, await statusWith({ name: "a", ...wrong })]).toEqual([wrong, "pending"]);
  const undeclared = { tokens: { access: "t" }, list: [1] };
  expect(await statusWith({ name: "a", count: 1, loud: false, region: "us", ...undeclared })).toBe("active");
  expect(await statusWith({ name: "a", count: null, region: "" })).toBe("active");
});

test("POST /integrations/{integrationName}/installations is refused to the wrong caller, and nothing is written", async () => {
  const { path } = await published();
  const secret = await published({ visibility: "private" });
  const both = { [acme]: "admin" as const, [rival]: "admin" as const };
  const cases = [
    { roles: { [rival]: "review" as const }, path, organization: rival, status: 403 },
    { roles: { [acme]: "admin" as const }, path, organization: rival, status: 404 },
    { roles: both, path: `/integrations/${newId()}/installations`, organization: rival, status: 404 },
    { roles: { [rival]: "admin" as const }, path: secret.path, organization: rival, status: 404 },
    { roles: both, path: secret.path, organization: rival, status: 403 },
    { roles: both, path, organization: 7, status: 400 },
  ];
  const count = () => home.db.selectFrom("installation").select("id").execute();
  const before = await count();
  for (const { roles, path, organization, status } of cases) {
    const { send } = await home.as(roles);
    expect((await send("POST", path, { organization })).status).toBe(status);
  }
  expect(await count()).toEqual(before);
});

test("POST /integrations/{integrationName}/installations five times at once installs it once, the rest are 409", async () => {
  const { path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const all = await Promise.all(Array.from({ length: 5 }, () => send("POST", path, { organization: rival })));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect(all.find(({ status }) => status === 409)!.body.error.reason).toBe("already_installed");
});

test("GET /integrations/{integrationName}/installations shows all to its administrators, to others their own", async () => {
  const { name, path } = await published();
  const third = home.orgs.add();
  for (const organization of [acme, rival, third]) {
    await (await home.as({ [organization]: "create" })).send("POST", path, { organization });
  }
  const seen = async (roles: Parameters<typeof home.as>[0], query = "") => {
    const { status, body } = await (await home.as(roles)).send("GET", path + query);
    expect(status).toBe(200);
    return body.items.map(({ target }: { target: { organization: string } }) => target.organization);
  };
  expect(await seen({ [acme]: "create" })).toEqual([acme, rival, third]);
  expect(await seen({ [acme]: "review", [rival]: "read" })).toEqual([acme, rival]);
  expect(await seen({ [rival]: null })).toEqual([]);
  const { send } = await home.as({ [acme]: "admin" });
  const first = await send("GET", `${path}?limit=2`);
  expect(first.body).toMatchObject({ count: 3, next: {} });
  expect(await seen({ [acme]: "create" }, `?limit=2&page=${first.body.next.page}`)).toEqual([third]);
  const list = await home.internal.installations.list({ integrationName: name });
  expect(list.count).toBe(3);
});

test("GET /integrations/{integrationName}/installations finds them by externalId", async () => {
  const { path } = await published();
  const { send } = await home.as({ [acme]: "create" });
  const { body } = await send("POST", path, { organization: acme });
  await send("PATCH", `${path}/${body.id}`, { externalIds: ["github:42", "x"] });
  const found = await send("GET", `${path}?externalId=github:42`);
  expect(found.body.items).toMatchObject([{ id: body.id, externalIds: ["github:42", "x"] }]);
  expect((await send("GET", `${path}?externalId=github:4`)).body).toEqual({ items: [], count: 0 });
});

test("GET /integrations/{integrationName}/installations/{installationId} is for its organization and the publisher's administrators", async () => {
  const { name, path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  const status = async (roles: Parameters<typeof home.as>[0], at = `${path}/${body.id}`) =>
    (await (await home.as(roles)).send("GET", at)).status;
  expect(await status({ [rival]: "read" })).toBe(200);
  expect(await status({ [acme]: "create" })).toBe(200);
  expect(await status({ [acme]: "review" })).toBe(404);
  expect(await status({ [rival]: null })).toBe(404);
  expect(await status({ [rival]: "read" }, `/integrations/other-${name}/installations/${body.id}`)).toBe(404);
});

test("PATCH /integrations/{integrationName}/installations/{installationId} sends an event of what changed and of nothing else", async () => {
  const { name, path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  const one = `${path}/${body.id}`;
  const configuration = { webhook: { url: "https://example.com" }, list: [1, null] };
  const changed = await send("PATCH", one, { configuration, space_selection: "selected" });
  expect(changed.body).toMatchObject({ configuration, space_selection: "selected", site_selection: "all" });
  await send("PATCH", one, { configuration: { list: [1, null], webhook: { url: "https://example.com" } } });
  await send("PATCH", one, { site_selection: "selected" });
  const events = await waiting(body.id);
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { type: "installation_setup" },
    { type: "installation_setup", status: "active", previous: { status: "active", configuration: {} } },
  ]);
  expect((await home.emitted(body.id)).at(-1)).toEqual([
    "installation.configured",
    { integration: name, installation: body.id, organization: rival },
  ]);
});

test("PATCH and DELETE of an installation by the wrong caller or with bad input change nothing", async () => {
  const { path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  const one = `${path}/${body.id}`;
  const publisher = await home.as({ [acme]: "admin" });
  const reader = await home.as({ [rival]: "read" });
  const stranger = await home.as({ [home.orgs.add()]: "admin" });
  for (const method of ["PATCH", "DELETE"]) {
    expect((await publisher.send(method, one)).status).toBe(403);
    expect((await reader.send(method, one)).status).toBe(403);
    expect((await stranger.send(method, one)).status).toBe(method === "DELETE" ? 204 : 404);
    expect((await reader.send("GET", one)).status).toBe(200);
  }
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  for (const configuration of [{ a: "\0" }, { a: "\ud800" }, { a: deep(200) }, { a: "x".repeat(200_000) }]) {
    const bad = await send("PATCH", one, { configuration, externalIds: ["1", "2", "3", "4", "5", "6"] });
    expect(bad.status).toBe(400);
    expect(bad.body.error.issues).toMatchObject([
      { path: "body.externalIds" },
      { path: "body.configuration" },
    ]);
  }
  expect((await send("GET", one)).body).toMatchObject({
    configuration: {},
    externalIds: [],
    updatedAt: body.updatedAt,
  });
});

test("DELETE /integrations/{integrationName}/installations/{installationId} removes it and sends what it was", async () => {
  const { name, path } = await published();
  const { send } = await home.as({ [rival]: "create" });
  const { body } = await send("POST", path, { organization: rival });
  const one = `${path}/${body.id}`;
  await send("PATCH", one, { configuration: { webhook: "https://example.com" } });
  expect((await send("DELETE", one)).status).toBe(204);
  expect((await send("DELETE", one)).status).toBe(204);
  expect((await send("GET", one)).status).toBe(404);
  const last = (await waiting(body.id)).at(-1)!;
  expect(last.payload).toMatchObject({
    type: "installation_deleted",
    previous: { configuration: { webhook: "https://example.com" } },
  });
  expect((await home.emitted(body.id)).at(-1)).toEqual([
    "installation.deleted",
    { integration: name, installation: body.id, organization: rival },
  ]);
  expect((await send("POST", path, { organization: rival })).status).toBe(201);
});

test("DELETE /integrations/{integrationName} removes its installations and sends an event for each", async () => {
  const { name, path } = await published();
  const ids: string[] = [];
  for (const organization of [acme, rival]) {
    const { body } = await (await home.as({ [organization]: "create" })).send("POST", path, { organization });
    ids.push(body.id);
  }
  const { send } = await home.as({ [acme]: "create" });
  expect((await send("DELETE", `/integrations/${name}`)).status).toBe(204);
  for (const id of ids) {
    expect((await waiting(id)).at(-1)!.payload.type).toBe("installation_deleted");
    expect((await home.emitted(id)).map(([name]) => name)).toEqual([
      "installation.created",
      "installation.deleted",
    ]);
  }
  expect((await send("GET", path)).status).toBe(404);
});
