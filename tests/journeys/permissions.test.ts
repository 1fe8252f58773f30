import { atLeast, ROLES, type Role } from "@octavo/shared/contracts/roles";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { furnish } from "../harness/furnish.js";
import { register } from "../harness/people.js";
import { type Ids, makerOf, type Permission, permissions } from "../harness/permissions.js";
import { requestOf } from "../harness/requests.js";
import { nameOf, type Route, routes } from "../harness/routes.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

const guarded = routes.filter(({ auth }) => auth !== "none");
const table = guarded
  .flatMap((route): [string, Route, Permission][] => {
    const permission = permissions[nameOf(route)];
    return permission ? [[nameOf(route), route, permission]] : [];
  })
  .sort(([, , one], [, , other]) => Number(one.last ?? false) - Number(other.last ?? false));

/** The callers: a member with a role, a guest, an administrator of another organization, or somebody without a token. */
const people = [...ROLES, "guest", "stranger", "nobody"] as const;
type Who = (typeof people)[number];

let stack: SharedStack;
let database: Database;
let first: Client;
let furniture: Ids;
const clients = {} as Record<Who, Client>;
const ids: Partial<Record<Who, string>> = {};

beforeAll(async () => {
  stack = await sharedStack();
  database = openDatabase(stack);
  first = createClient(stack);
  furniture = await furnish(first);
  await eventually(async () => {
    const { body } = await first<{ visibility: string }>("GET", `/spaces/${furniture.spaceId}`);
    return body.visibility === "public";
  });
  for (const who of people) {
    if (who === "nobody") continue;
    const { id, token } = await register(stack, `The-${who}`);
    const role = who === "guest" ? null : who;
    // They leave the organization that they registered with, before they are remembered anywhere.
    if (who !== "stranger") {
      await database.query("update orgs.member set organization = $1, role = $2 where person = $3", [
        furniture.organizationId,
        role,
        id,
      ]);
    }
    ids[who] = id;
    clients[who] = first.as(token);
  }
  clients.nobody = first.as(undefined);
});
afterAll(() => database?.close());

/** The status that a caller is to get. */
function expectedStatus(who: Who, { status }: Pick<Route, "status">, permission: Permission): number {
  const { needs, guest = 404, stranger = 404, allowed = status } = permission;
  if (who === "nobody") return 401;
  if (needs === "anybody") return allowed;
  if (who === "stranger") return stranger;
  if (needs === "guest") return allowed;
  if (who === "guest") return guest;
  if (needs === "themselves") return 403;
  return atLeast(who, needs) ? allowed : 403;
}

test("the table has the permission of every operation that the gateway routes", () => {
  expect(guarded.map(nameOf).filter((name) => !permissions[name])).toEqual([]);
});

/** What an operation takes in the reference. */
interface Declared {
  actions: { action: string; role: Role | "guest" }[];
  none?: string;
}

/**
 * Operations which a table of roles does not cover: who meets a user, whose address is of a domain, and where a
 * component is shown.
 */
const BESIDE_ROLES = [
  "GET /users/{userId}",
  "POST /orgs/{organizationId}/join",
  "GET /integrations/{integrationName}/render",
  "POST /integrations/{integrationName}/render",
];

test("the reference shows the permission of every operation, as the table has it", async () => {
  const { paths } = (
    await first<{
      paths: Record<string, Record<string, { "x-octavo-permission"?: Declared; description?: string }>>;
    }>("GET", `${stack.base}/v1/openapi.json`)
  ).body;
  const ladder = ["guest", ...ROLES];
  const shown = guarded.map((route) => {
    const operation = paths[route.path.replace("/v1", "").replace("*}", "}")]![route.method.toLowerCase()]!;
    const { actions, none } = operation["x-octavo-permission"]!;
    const highest = actions.map(({ role }) => ladder.indexOf(role)).reduce((a, b) => Math.max(a, b), -1);
    expect(operation.description).toContain(none ?? actions[0]!.action);
    return [nameOf(route), none ? "none" : ladder[highest]];
  });
  const known = guarded.map((route) => {
    const { needs } = permissions[nameOf(route)]!;
    const isFree = ["anybody", "themselves"].includes(needs) || BESIDE_ROLES.includes(nameOf(route));
    return [nameOf(route), isFree ? "none" : needs];
  });
  expect(shown).toEqual(known);
});

/** The service whose scopes an operation takes: that of a link is orgs', wherever it is handled. */
const scopesOf = ({ service, operation }: Route) => (operation.startsWith("linkInvites.") ? "orgs" : service);

/** Operations that read by a POST, so that their input stands in no address. */
const READ_BY_POST = [
  "POST /urls/published",
  "POST /spaces/{spaceId}/content/computed/document",
  "POST /spaces/{spaceId}/content/computed/revision",
  "POST /orgs/{organizationId}/sites/{siteId}/search",
  "POST /orgs/{organizationId}/sites/{siteId}/insights/events/aggregate",
];

test("of every operation, a restricted token does what its scopes name: it reads, or belongs to one service", async () => {
  const services = ["orgs", "content", "sites", "integrations"];
  const withScopes = async (scopes: string[]) => {
    const path = "/user/tokens";
    const { token } = await makerOf(first)<{ token: string }>("POST", path, { label: "Restricted", scopes });
    return first.as(token);
  };
  const reading = await withScopes(services.map((service) => `${service}:read`));
  const refused = async (client: Client, route: Route) => {
    const [path, body] = requestOf(route, permissions[nameOf(route)]!, {});
    const response = await client<{ error?: { reason: string } }>(route.method, path, body);
    return response.status === 403 && response.body?.error?.reason === "insufficient_scope";
  };
  for (const route of guarded) {
    const writes = route.method !== "GET" && !READ_BY_POST.includes(nameOf(route));
    expect([nameOf(route), await refused(reading, route)]).toEqual([nameOf(route), writes]);
  }
  for (const service of services) {
    const others = services.filter((other) => other !== service);
    const elsewhere = await withScopes(others.map((other) => `${other}:write`));
    for (const route of guarded.filter((route) => scopesOf(route) === service)) {
      expect([nameOf(route), await refused(elsewhere, route)]).toEqual([nameOf(route), true]);
    }
  }
});

test.each(table)("%s is for those alone who may", async (_, route, permission) => {
  const statuses: Partial<Record<Who, number>> = {};
  const expected: Partial<Record<Who, number>> = {};
  // Who may comes last: they change what the others are refused.
  for (const who of [...people].reverse()) {
    expected[who] = expectedStatus(who, route, permission);
    const may = ![401, 403, 404].includes(expected[who]);
    const fresh = may ? await permission.fresh?.(makerOf(first)) : undefined;
    const ids = { ...furniture, ...permission.ids, ...fresh };
    const [path, body] = requestOf(route, permission, ids);
    statuses[who] = (await clients[who](route.method, path, body)).status;
  }
  expect(statuses).toEqual(expected);
});

test.each(table.filter(([, , { own }]) => own))(
  "%s of oneself is for more than that",
  async (_, route, permission) => {
    const callers = people.filter((who) => ids[who]);
    const pending = callers.map(async (who) => {
      const [path, body] = requestOf(route, permission, { ...furniture, userId: ids[who]! });
      return [who, (await clients[who](route.method, path, body)).status];
    });
    const needs = permission.own!;
    expect(await Promise.all(pending)).toEqual(
      callers.map((who) => [who, expectedStatus(who, route, { ...permission, needs })]),
    );
  },
);

/** A space that no site shows. */
async function newSpaceIn(parent: string): Promise<string> {
  const path = `/orgs/${furniture.organizationId}/spaces`;
  return (await makerOf(first)("POST", path, { title: "Inside", parent })).id;
}

test("a role that is granted on a collection counts for all that lies in it, and for nothing else", async () => {
  const make = makerOf(first);
  const guest = (await clients.guest<{ id: string }>("GET", "/user")).body.id;
  const { collectionId, organizationId } = furniture;
  const spaceId = await newSpaceIn(collectionId!);
  const beside = (await make("POST", `/orgs/${organizationId}/spaces`, { title: "Beside" })).id;
  const may: [Role, string, string, object | undefined][] = [
    ["read", "GET", "content/pages", undefined],
    ["edit", "POST", "change-requests", {}],
    ["create", "POST", "restore", {}],
  ];
  for (const role of ROLES) {
    await make("POST", `/collections/${collectionId}/permissions`, { users: [guest], role });
    for (const [needs, method, path, body] of may) {
      const { status } = await clients.guest(method, `/spaces/${spaceId}/${path}`, body);
      expect([role, path, status < 300]).toEqual([role, path, atLeast(role, needs)]);
      expect((await clients.guest(method, `/spaces/${beside}/${path}`, body)).status).toBe(404);
    }
    expect((await clients.guest("GET", `/collections/${collectionId}/permissions/users`)).status).toBe(403);
  }
  await make("DELETE", `/collections/${collectionId}/permissions/users/${guest}`);
  expect((await clients.guest("GET", `/spaces/${spaceId}`)).status).toBe(404);
});

test("of a public space everybody is shown what its visitors see, and nothing of the work on it", async () => {
  const make = makerOf(first);
  const site = `/orgs/${furniture.organizationId}/sites/${furniture.siteId}`;
  const path = `/spaces/${furniture.spaceId}`;
  interface Shown {
    permissions: Record<string, boolean>;
    changeRequests: number;
    parent?: string;
  }
  const { status, body } = await clients.stranger<Shown>("GET", path);
  expect(status).toBe(200);
  const allowed = Object.entries(body.permissions).filter(([, may]) => may);
  expect(allowed).toEqual([["view", true]]);
  const own = (await first<Shown>("GET", path)).body;
  expect(own.changeRequests).toBeGreaterThan(0);
  expect([body.changeRequests, body.parent]).toEqual([0, undefined]);
  const visibleAs = async (visibility: string) => {
    await make("PATCH", site, { visibility });
    await eventually(async () => (await first("GET", path)).body.visibility === visibility);
    return Promise.all([clients.stranger("GET", path), clients.guest("GET", `${path}/content/pages`)]);
  };
  for (const visibility of ["unlisted", "share-link", "visitor-auth"]) {
    expect((await visibleAs(visibility)).map(({ status }) => status)).toEqual([404, 404]);
  }
  expect((await visibleAs("public")).map(({ status }) => status)).toEqual([200, 200]);
});

test("who is removed loses what was granted within two seconds, and does not find it again after a return", async () => {
  const make = makerOf(first);
  const { collectionId, organizationId } = furniture;
  const spaceId = await newSpaceIn(collectionId!);
  const guest = ids.guest!;
  const seen = async () => (await clients.guest("GET", `/spaces/${spaceId}`)).status;
  await make("POST", `/collections/${collectionId}/permissions`, { users: [guest], role: "edit" });
  expect(await seen()).toBe(200);
  expect((await clients.guest("POST", `/spaces/${spaceId}/change-requests`, {})).status).toBe(201);
  await make("DELETE", `/orgs/${organizationId}/members/${guest}`);
  await eventually(async () => (await seen()) === 404);
  await eventually(async () => {
    const path = `/collections/${collectionId}/permissions/users`;
    const { items } = await make<{ items: { user: { id: string } }[] }>("GET", path);
    return !items.some(({ user }) => user.id === guest);
  });
  const { email } = (await clients.guest<{ email: string }>("GET", "/user")).body;
  await make("POST", `/orgs/${organizationId}/invites`, {
    emails: [{ email, role: null }],
  });
  const { items } = await make<{ items: { id: string }[] }>(
    "GET",
    `/orgs/${organizationId}/invites?limit=1000`,
  );
  for (const { id } of items) await clients.guest("POST", `/orgs/${organizationId}/invites/${id}`);
  expect((await clients.guest("GET", `/orgs/${organizationId}`)).status).toBe(200);
  expect(await seen()).toBe(404);
});
