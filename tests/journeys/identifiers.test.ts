import { beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { furnish } from "../harness/furnish.js";
import { operations } from "../harness/operations.js";
import { furnishParents } from "../harness/parents.js";
import { register } from "../harness/people.js";
import { type Ids, makerOf, type Permission, permissions } from "../harness/permissions.js";
import { keysOf, nameOf, parametersOf, pathWith, type Route, routes } from "../harness/routes.js";
import { sharedStack } from "../harness/shared-stack.js";

// Whoever knows the id of a thing finds it by its own way alone: under another parent it is as if there were none.

const nested = routes.filter((route) => parametersOf(route).length > 1 && route.auth !== "none");

/** A parent takes any member of the organization in: the user is named, not found there. */
const TAKES_IN = new Set(["PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}"]);
const UNKNOWN: Ids = { emailDomain: "unknown.example" };

/** A caller, and where they look for what is in the furniture of Ada's organization. */
interface Attempt {
  call: Client;
  where: Ids;
}

let furniture: Ids;
const attempts: Record<string, Attempt> = {};
let ada: Client;

beforeAll(async () => {
  const stack = await sharedStack();
  ada = createClient(stack);
  const bob = ada.as((await register(stack, "Bob")).token);
  const beside = await furnishParents(makerOf(ada));
  furniture = await furnish(ada);
  const link = await makerOf(ada)("POST", `/orgs/${furniture.organizationId}/link-invites`, { role: "read" });
  furniture.linkId = link.id;
  const { userId, teamId, organizationId, spaceId, collectionId } = furniture;
  const make = makerOf(ada);
  for (const path of [`/spaces/${spaceId}`, `/collections/${collectionId}`])
    await make("POST", `${path}/permissions`, { users: [userId], teams: [teamId], role: "create" });
  const tokens = `/orgs/${organizationId}/members/${userId}/tokens`;
  furniture.tokenId = (await make("POST", tokens, { label: "Of a member" })).id;
  await make("PUT", `/orgs/${organizationId}/teams/${teamId}/members/${userId}`, {});
  const theirs = await furnishParents(makerOf(bob));
  attempts["beside it in the same organization"] = { call: ada, where: beside };
  attempts["in an organization of one's own, of what is another's"] = { call: bob, where: theirs };
  attempts["in an organization that is another's"] = { call: ada, where: theirs };
});

function withQuery(path: string, { query }: Pick<Permission, "query">): string {
  const search = typeof query === "function" ? query(furniture) : query;
  return search ? `${path}?${search}` : path;
}

async function ask(call: Client, route: Route, values: string[]) {
  const name = nameOf(route);
  const permission = permissions[name]!;
  const writes = route.method !== "GET" && route.method !== "DELETE";
  const body = writes ? { ...operations[name]?.good, ...permission.body?.(furniture) } : undefined;
  const path = pathWith(route, values);
  const response = await call(route.method, withQuery(path, permission), body);
  const { error } = (response.body ?? {}) as { error?: { message: string; reason: string } };
  return { status: response.status, message: error?.message, reason: error?.reason };
}

test("there is something to be found for every place in a path of the gateway's table", () => {
  const missing = nested.flatMap((route) => keysOf(route).filter((key) => !furniture[key]));
  expect(missing).toEqual([]);
});

test.each(nested.map((route): [string, Route] => [nameOf(route), route]))(
  "%s finds nothing under another parent",
  async (name, route) => {
    const keys = keysOf(route);
    const own = keys.map((key) => furniture[key]!);
    for (const [which, { call, where }] of Object.entries(attempts)) {
      for (let at = 1; at < keys.length; at++) {
        if (TAKES_IN.has(name) && where.organizationId === furniture.organizationId && at === keys.length - 1)
          continue;
        const unknown = UNKNOWN[keys[at]!] ?? "unknown";
        const elsewhere = keys.map((key, place) => (place < at ? (where[key] ?? own[place]!) : own[place]!));
        // Where there is no other parent, it is found rightly.
        if (elsewhere.every((value, place) => value === own[place])) continue;
        const nothing = elsewhere.with(at, unknown);
        expect([which, elsewhere, await ask(call, route, elsewhere)]).toEqual([
          which,
          elsewhere,
          await ask(call, route, nothing),
        ]);
      }
    }
  },
);

/** Addresses at which nothing is, and a space that is kept in step with no repository. */
const ABSENT = ["GET /urls/content", "GET /urls/published", "GET /spaces/{spaceId}/git/sync"];

test("what was looked for elsewhere is where it was", async () => {
  const reads = routes.filter(({ method, auth }) => method === "GET" && auth !== "none");
  for (const route of reads) {
    const path = pathWith(
      route,
      keysOf(route).map((key) => furniture[key]!),
    );
    const { status } = await ada("GET", withQuery(path, permissions[nameOf(route)] ?? {}));
    expect([nameOf(route), status]).toEqual([nameOf(route), ABSENT.includes(nameOf(route)) ? 404 : 200]);
  }
});
