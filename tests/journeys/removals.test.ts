import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { furnishParents } from "../harness/parents.js";
import { register } from "../harness/people.js";
import { type Ids, makerOf } from "../harness/permissions.js";
import { keysOf, nameOf, pathWith, type Route, routes } from "../harness/routes.js";
import { sharedStack } from "../harness/shared-stack.js";

// What is removed, what was never there, and what one may not see: a removal responds the same for all three.

const removals = routes
  .filter(({ method, auth }) => method === "DELETE" && auth !== "none")
  .sort((one, other) => other.path.length - one.path.length);
const table = removals.map((route): [string, Route] => [nameOf(route), route]);

let admin: Client;
let database: Database;
let things: Ids;
const others: Record<string, Client> = {};

/** One thing of every kind that can be removed; content is closed to all but administrators. */
async function furnished(): Promise<Ids> {
  const make = makerOf(admin);
  const ids = await furnishParents(make);
  const { organizationId, spaceId, changeRequestId, collectionId, teamId, userId } = ids;
  const org = `/orgs/${organizationId}`;
  const body = { body: { markdown: "A reply" } };
  const inSpace = `/spaces/${spaceId}/comments/${ids.commentId}/replies`;
  const inRequest = `/spaces/${spaceId}/change-requests/${changeRequestId}/comments/${ids.changeRequestCommentId}/replies`;
  const address = `${userId!.toLowerCase()}@example.com`;
  await make("POST", `${org}/invites`, { emails: [address] });
  const invites = await make<{ items: { id: string; email: string }[] }>("GET", `${org}/invites?limit=1000`);
  await make("PUT", `${org}/teams/${teamId}/members/${userId}`, {});
  for (const path of [`/spaces/${spaceId}`, `/collections/${collectionId}`]) {
    await make("PATCH", path, { defaultLevel: null });
    await make("POST", `${path}/permissions`, { users: [userId], teams: [teamId], role: "review" });
  }
  await make("POST", `/spaces/${spaceId}/change-requests/${changeRequestId}/requested-reviewers`, {
    users: [userId],
  });
  const site = `${org}/sites/${ids.siteId}`;
  const hostname = `docs.removed-${userId!.toLowerCase()}.example`;
  await make("PATCH", site, { hostname });
  return {
    ...ids,
    hostname,
    shareLinkId: (await make("POST", `${site}/share-links`, { name: "Removed" })).id,
    commentReplyId: (await make("POST", inSpace, body)).id,
    changeRequestReplyId: (await make("POST", inRequest, body)).id,
    tokenId: (await make("POST", `${org}/members/${userId}/tokens`, { label: "Removed" })).id,
    ownTokenId: (await make("POST", "/user/tokens", { label: "Removed" })).id,
    inviteId: invites.items.find(({ email }) => email === address)!.id,
    linkId: (await make("POST", `${org}/link-invites`, { role: "read" })).id,
  };
}

/** What is closed to members: of the organization's own things they see and remove some. */
const CLOSED = /^DELETE .(spaces|collections)/;

async function remove(call: Client, route: Route, values: string[]) {
  const { status, body } = await call("DELETE", pathWith(route, values));
  const { error } = (body ?? {}) as { error?: { message: string; reason: string } };
  return { status, message: error?.message, reason: error?.reason };
}

/** How much there is of all that can be removed. */
const counted = async () => {
  const { organizationId, spaceId, collectionId, integrationName, siteId } = things;
  const [counts] = await database.query(
    `select
      (select count(*) from content.space where id = $1 and deleted_at is null) as spaces,
      (select count(*) from content.collection where id = $2) as collections,
      (select count(*) from content.comment where space = $1) as comments,
      (select count(*) from content.content_grant where target in ($1, $2)) as grants,
      (select count(*) from integrations.installation where organization = $3 and deleted_at is null) as installations,
      (select count(*) from integrations.integration where name = $4 and deleted_at is null) as integrations,
      (select count(*) from sites.site where organization = $3) as sites,
      (select count(*) from sites.site_redirect where site = $6) as redirects,
      (select count(*) from orgs.member where organization = $3) as members,
      (select count(*) from orgs.team where organization = $3) as teams,
      (select count(*) from orgs.invite where organization = $3) as invites,
      (select count(*) from orgs.token where organization = $3 or id = $5) as tokens,
      (select count(*) from orgs.saml_provider where organization = $3) as providers`,
    [spaceId, collectionId, organizationId, integrationName, things.ownTokenId, siteId],
  );
  return counts;
};

beforeAll(async () => {
  const stack = await sharedStack();
  database = openDatabase(stack);
  admin = createClient(stack);
  for (const [who, role] of [
    ["a member", "create"],
    ["a guest", null],
    ["a stranger", undefined],
  ] as const) {
    const { id, token } = await register(stack, who.split(" ")[1]!);
    others[who] = admin.as(token);
    if (role === undefined) continue;
    const { items } = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body;
    const moved = "update orgs.member set organization = $1, role = $2 where person = $3";
    await database.query(moved, [items[0]!.id, role, id]);
  }
  things = await furnished();
});
afterAll(() => database?.close());

test("there is something to remove for every place in a path of the gateway's table", () => {
  expect(removals.flatMap((route) => keysOf(route).filter((key) => !things[key]))).toEqual([]);
});

test.each(table)(
  "%s gives the same response for what is hidden as for what does not exist",
  async (name, route) => {
    const before = await counted();
    const values = keysOf(route).map((key) => things[key]!);
    // Content, which is closed to all of them, and integrations have no part of their path as an id.
    const unknown = values.map((value) => (value === things.organizationId ? value : "unknown"));
    for (const [who, call] of Object.entries(others)) {
      if (who === "a member" && !CLOSED.test(name)) continue;
      const refused = await remove(call, route, values);
      expect([who, refused]).toEqual([who, await remove(call, route, values.with(-1, "unknown"))]);
      expect([who, refused]).toEqual([who, await remove(call, route, unknown)]);
    }
    const stranger = others["a stranger"]!;
    const nothing = values.map(() => "unknown");
    expect(await remove(stranger, route, values)).toEqual(await remove(stranger, route, nothing));
    expect(await counted()).toEqual(before);
  },
);

test.each(table)(
  "%s is 204 for what is there, for what is not there any more, and for what never was",
  async (_, route) => {
    const values = keysOf(route).map((key) => things[key]!);
    for (const keys of [values.with(-1, "unknown"), values, values]) {
      expect(await remove(admin, route, keys)).toEqual({
        status: 204,
        message: undefined,
        reason: undefined,
      });
    }
  },
);
