import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptions } from "../subscriptions.js";
import { startOrgs } from "../testing/orgs.js";

let home: Awaited<ReturnType<typeof startOrgs>>;
beforeAll(async () => {
  home = await startOrgs();
});
afterAll(() => home.end());

async function administered() {
  const organization = await home.rows.organization();
  const admin = await home.as({ [organization]: "admin" });
  return { organization, admin, path: `/v1/orgs/${organization}/audit-events` };
}

type Entry = (typeof AuditRecorded)["payload"]["_output"];

const entry = (over: Partial<Entry> & { organization: string }): Entry => ({
  id: newId(),
  service: "content",
  action: "space.transfer",
  actor: { type: "user", id: "ada", displayName: "Ada" },
  requestId: newId(),
  target: { type: "space", id: "handbook" },
  occurredAt: "2026-01-02T03:04:05.678Z",
  ...over,
});

const arrive = (payload: Entry) =>
  deliver(home as never, subscriptions as never, AuditRecorded, payload.target.id, payload);

test("GET /orgs/{organizationId}/audit-events returns who did what to which thing, when, from where, with which token", async () => {
  const { organization, admin, path } = await administered();
  const requestId = newId();
  const client = { "x-forwarded-for": "203.0.113.7", "x-request-id": requestId };
  await admin.send("PATCH", `/v1/orgs/${organization}`, { title: "Renamed", sso: false }, client);

  const { status, body } = await admin.send("GET", path);
  expect(status).toBe(200);
  const [event] = body.items;
  expect(body).toEqual({ items: [event], count: 1 });
  expect(event).toEqual({
    object: "audit-event",
    id: expect.any(String),
    organization,
    service: "orgs",
    action: "organization.update",
    actor: { type: "user", id: admin.id, displayName: `Person ${admin.id}` },
    token: (admin.caller as { token: string }).token,
    ip: "203.0.113.7",
    requestId,
    target: { type: "organization", id: organization },
    occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
    details: { title: { from: "Acme", to: "Renamed" } },
    urls: { location: `http://octavo.test${path}/${event.id}` },
  });

  const one = await admin.send("GET", `${path}/${event.id}`);
  expect([one.status, one.body]).toEqual([200, event]);
});

test("GET /orgs/{organizationId}/audit-events pages from the newest to the oldest, missing none", async () => {
  const { organization, admin, path } = await administered();
  const all = Array.from({ length: 7 }, (_, index) =>
    entry({ organization, occurredAt: `2026-01-0${1 + Math.floor(index / 2)}T00:00:00.000Z` }),
  );
  for (const each of all) await arrive(each);
  const seen: { id: string; occurredAt: string }[] = [];
  for (let page: string | undefined = ""; page !== undefined; ) {
    const { body } = await admin.send("GET", `${path}?limit=2${page && `&page=${page}`}`);
    expect(body.count).toBe(7);
    seen.push(...body.items);
    page = body.next?.page;
  }
  const sorted = all.toSorted((a, b) => (a.occurredAt + a.id < b.occurredAt + b.id ? 1 : -1));
  expect(seen.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
});

test.each([
  ["actor=ada", "transfer"],
  ["actor=content", "purge"],
  ["action=space.purge", "purge"],
  ["target=handbook", "transfer"],
  ["targetType=page", "purge"],
  ["from=2026-02-01T00:00:00Z", "purge"],
  ["to=2026-02-01T00:00:00Z", "transfer"],
  ["from=2026-01-02T04:04:05.678%2B01:00&to=2026-01-31T00:00:00Z", "transfer"],
])("GET /orgs/{organizationId}/audit-events?%s returns those alone", async (query, expected) => {
  const { organization, admin, path } = await administered();
  const transfer = entry({ organization });
  const purge = entry({
    organization,
    action: "space.purge",
    actor: { type: "service", id: "content", displayName: "content" },
    target: { type: "page", id: "welcome" },
    occurredAt: "2026-02-01T00:00:00.000Z",
  });
  for (const each of [transfer, purge]) await arrive(each);
  const { body } = await admin.send("GET", `${path}?${query}`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([{ transfer, purge }[expected]!.id]);
});

test.each([
  "from=yesterday",
  "to=2026-13-01T00:00:00Z",
  "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
  "limit=1001",
  "page=nothing",
  "action=",
])("GET /orgs/{organizationId}/audit-events?%s is 400", async (query) => {
  const { admin, path } = await administered();
  const { status, body } = await admin.send("GET", `${path}?${query}`);
  expect([status, body.error.code]).toEqual([400, 400]);
});

test("audit events are for administrators: 403 for other members and guests, 404 for strangers", async () => {
  const { organization, admin, path } = await administered();
  const event = entry({ organization });
  await arrive(event);
  for (const address of [path, `${path}/${event.id}`]) {
    for (const role of ["create", "read", null] as const) {
      expect((await (await home.as({ [organization]: role })).send("GET", address)).status).toBe(403);
    }
    expect((await (await home.as()).send("GET", address)).status).toBe(404);
    expect((await admin.send("GET", address)).status).toBe(200);
  }
});

test("GET /orgs/{organizationId}/audit-events/{auditEventId} of another organization, or of none, is 404", async () => {
  const [mine, theirs] = [await administered(), await administered()];
  const event = entry({ organization: theirs.organization });
  await arrive(event);
  expect((await mine.admin.send("GET", `${mine.path}/${event.id}`)).status).toBe(404);
  expect((await mine.admin.send("GET", `${mine.path}/unknown`)).status).toBe(404);
});

test("an entry that is delivered twice is there once, as it came first", async () => {
  const { organization, admin, path } = await administered();
  const event = entry({ organization });
  await arrive(event);
  await arrive({ ...event, action: "space.delete" });
  const { body } = await admin.send("GET", path);
  expect(body.items).toMatchObject([{ id: event.id, action: "space.transfer" }]);
});

test("a write that is refused leaves no audit event", async () => {
  const { organization, admin, path } = await administered();
  const taken = await home.rows.organization({ hostname: newId().toLowerCase() });
  const { hostname } = await home.db
    .selectFrom("organization")
    .select("hostname")
    .where("id", "=", taken)
    .executeTakeFirstOrThrow();
  expect((await admin.send("PATCH", `/v1/orgs/${organization}`, { hostname })).status).toBe(409);
  expect((await admin.send("DELETE", `/v1/orgs/${organization}/members/${admin.id}`)).status).toBe(409);
  expect((await admin.send("GET", path)).body.items).toEqual([]);
});

test("a new token is recorded by its id and nowhere as itself, for the organization that it is bound to alone", async () => {
  const { organization, admin, path } = await administered();
  const label = { label: "My own", scopes: ["content:read"] };
  const own = await admin.send("POST", "/v1/user/tokens", label);
  expect(own.status).toBe(201);
  await admin.send("DELETE", `/v1/user/tokens/${own.body.id}`);
  await admin.send("PATCH", `/v1/users/${admin.id}`, { displayName: "Countess" });
  expect((await admin.send("GET", path)).body.items).toEqual([]);
  const member = await home.rows.member({ organization });
  const tokens = `/v1/orgs/${organization}/members/${member}/tokens`;
  const { body: bound } = await admin.send("POST", tokens, { label: "CI" });
  const resolved = await home.gateway.call.tokens.resolve({ token: bound.token });
  const holder = home.asCaller(resolved!.caller);
  const { body: child } = await holder.send("POST", "/v1/user/tokens", { label: "Child" });
  await holder.send("DELETE", `/v1/user/tokens/${child.id}`);
  const { body } = await admin.send("GET", path);
  expect(body.items).toMatchObject([
    { action: "token.revoke", target: { type: "token", id: child.id }, actor: { id: member } },
    { action: "token.create", target: { type: "token", id: child.id }, details: { label: "Child" } },
    { action: "token.create", target: { type: "token", id: bound.id }, details: { label: "CI" } },
  ]);
  expect(JSON.stringify(body)).not.toContain(bound.token);
  expect(JSON.stringify(body)).not.toContain("My own");
});

test("the database refuses to change or remove an audit event, for any role", async () => {
  const { organization } = await administered();
  const { id } = entry({ organization });
  await arrive(entry({ organization, id }));
  const refused = /append-only/;
  await expect(
    sql`update audit_event set actor = 'mallory' where id = ${id}`.execute(home.db),
  ).rejects.toThrow(refused);
  await expect(sql`delete from audit_event where id = ${id}`.execute(home.db)).rejects.toThrow(refused);
  await expect(sql`truncate audit_event`.execute(home.db)).rejects.toThrow(refused);
});
