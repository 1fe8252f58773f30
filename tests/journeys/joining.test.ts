import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { register } from "../harness/people.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

let stack: SharedStack;
let admin: Client;
let org: string;
let outer: string;
let space: string;

/** What a lost membership may take to be felt. */
const FELT_WITHIN_MS = 2_000;

interface Sent {
  users: string[];
  urls: Record<string, string>;
  tokens: Record<string, string>;
}

interface Counted {
  spaces: number;
}

const made = async <T = { id: string }>(path: string, body: object, method = "POST") => {
  const response = await admin<T>(method, path, body);
  if (response.status > 201) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};
const statusOf = async (call: Client, method: string, path: string, body?: object) =>
  (await call(method, path, body)).status;

/** Invites an address that has no account yet; returns its new user, who has accepted. */
async function invite(email: string, role: string | null = null) {
  const { users, urls, tokens } = await made<Sent>(`${org}/invites`, { emails: [{ email, role }] });
  const call = admin.as(tokens[email]);
  expect(await statusOf(call, "POST", urls[email]!)).toBe(200);
  return { id: users[0]!, call };
}

beforeAll(async () => {
  stack = await sharedStack();
  admin = createClient(stack);
  org = `/orgs/${(await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id}`;
  outer = (await made(`${org}/collections`, { title: "Outer" })).id;
  const inner = (await made(`${org}/collections`, { title: "Inner", parent: outer })).id;
  space = (await made(`${org}/spaces`, { title: "Handbook", parent: inner })).id;
});

test("who is invited joins, is let into a collection through a team, edits in it, and loses all at once", async () => {
  const { id: bob, call } = await invite("bob@example.com");
  expect(await statusOf(call, "GET", org)).toBe(200);
  expect(await statusOf(call, "GET", `/spaces/${space}`)).toBe(404);

  const team = (await made(`${org}/teams`, { title: "Writers", members: [bob] }, "PUT")).id;
  const grant = { teams: [team], role: "edit" };
  expect(await statusOf(admin, "POST", `/collections/${outer}/permissions`, grant)).toBe(204);
  expect(await statusOf(call, "GET", `/spaces/${space}`)).toBe(200);
  const opened = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, { subject: "Mine" });
  const changes = [{ operation: "insert_page", title: "Mine", document: { markdown: "Text.\n" } }];
  const content = `/spaces/${space}/change-requests/${opened.body.id}/content`;
  expect(await statusOf(call, "POST", content, { changes })).toBe(200);
  expect(await statusOf(call, "POST", content.replace("/content", "/merge"))).toBe(403);

  const more = { users: [bob], teams: [team], role: "comment" };
  expect(await statusOf(admin, "POST", `/spaces/${space}/permissions`, more)).toBe(204);
  const counted = async (spaces: number) =>
    (await admin<Counted>("GET", `${org}/members/${bob}`)).body.spaces === spaces &&
    (await admin<Counted>("GET", `${org}/teams/${team}`)).body.spaces === spaces;
  await eventually(() => counted(1));
  expect(await statusOf(admin, "DELETE", `/spaces/${space}`)).toBe(204);
  await eventually(() => counted(0));
  expect(await statusOf(admin, "POST", `/spaces/${space}/restore`)).toBe(200);
  await eventually(() => counted(1));
  expect(await statusOf(admin, "DELETE", `/spaces/${space}/permissions/users/${bob}`)).toBe(204);
  expect(await statusOf(admin, "DELETE", `/spaces/${space}/permissions/teams/${team}`)).toBe(204);
  await eventually(() => counted(0));

  expect(await statusOf(admin, "DELETE", `${org}/teams/${team}/members/${bob}`)).toBe(204);
  expect(await statusOf(call, "GET", `/spaces/${space}`)).toBe(404);
  expect(await statusOf(admin, "PUT", `${org}/teams/${team}/members/${bob}`)).toBe(204);
  expect(await statusOf(call, "GET", `/spaces/${space}`)).toBe(200);

  const { token } = await made<{ token: string }>(`${org}/members/${bob}/tokens`, { label: "Bound" });
  const bound = admin.as(token);
  expect(await statusOf(bound, "GET", `/spaces/${space}`)).toBe(200);
  expect(await statusOf(admin, "DELETE", `${org}/members/${bob}`)).toBe(204);
  await eventually(
    async () =>
      (await statusOf(call, "GET", `/spaces/${space}`)) === 401 &&
      (await statusOf(call, "GET", org)) === 401 &&
      (await statusOf(bound, "GET", `/spaces/${space}`)) === 401,
    FELT_WITHIN_MS,
  );
});

test("a link to a space lets in as a guest, who reads that space alone", async () => {
  const link = await made<{ id: string; space: object; urls: { accept: string } }>(`${org}/link-invites`, {
    level: "comment",
    space,
  });
  expect(link.space).toEqual((await admin("GET", `/spaces/${space}`)).body);
  const carl = admin.as((await register(stack, "Carl")).token);
  expect(await statusOf(carl, "GET", `/spaces/${space}`)).toBe(404);
  expect(await statusOf(carl, "POST", link.urls.accept)).toBe(200);
  await eventually(async () => (await statusOf(carl, "GET", `/spaces/${space}`)) === 200);
  expect(await statusOf(carl, "POST", `/spaces/${space}/change-requests`, {})).toBe(403);
  expect(await statusOf(carl, "GET", `/collections/${outer}`)).toBe(404);
  expect(await statusOf(admin, "DELETE", `${org}/link-invites/${link.id}`)).toBe(204);
  const dora = admin.as((await register(stack, "Dora")).token);
  expect(await statusOf(dora, "POST", link.urls.accept)).toBe(404);
});

test("a link to a space that is gone lets nobody in", async () => {
  const { id } = await made<{ id: string }>(`${org}/spaces`, { title: "Short" });
  const body = { level: "read", space: id };
  const link = await made<{ id: string; urls: { accept: string } }>(`${org}/link-invites`, body);
  expect(await statusOf(admin, "DELETE", `/spaces/${id}`)).toBe(204);
  const eve = admin.as((await register(stack, "Eve")).token);
  expect(await statusOf(eve, "POST", link.urls.accept)).toBe(404);
  expect(await statusOf(eve, "GET", org)).toBe(404);
  expect(await statusOf(admin, "POST", `${org}/link-invites`, body)).toBe(404);
});

test("a service account works by its token until it is deleted", async () => {
  const account = await made<{ id: string; urls: { location: string; tokens: string } }>(
    `${org}/service-accounts`,
    { title: "Deploys", role: "read" },
  );
  const { token } = await made<{ token: string }>(account.urls.tokens, {
    label: "CI",
    scopes: ["content:read"],
  });
  const robot = admin.as(token);
  expect(await statusOf(robot, "GET", `/spaces/${space}`)).toBe(200);
  expect(await statusOf(robot, "POST", `/spaces/${space}/change-requests`, {})).toBe(403);
  expect(await statusOf(robot, "GET", org)).toBe(403);
  expect(await statusOf(admin, "DELETE", account.urls.location)).toBe(204);
  await eventually(async () => (await statusOf(robot, "GET", `/spaces/${space}`)) === 401, FELT_WITHIN_MS);
});
