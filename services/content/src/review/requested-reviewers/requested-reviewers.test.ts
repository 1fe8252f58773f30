import type { EventType } from "@octavo/shared/contracts/events/define";
import { MemberRemoved, TeamChanged } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { listeners } from "./listeners.js";

const t = await contentTest();
afterAll(t.drop);
const author = t.as({ acme: "edit" }, { id: "author" });
const bob = t.as({ acme: "review" }, { id: "bob", teams: ["docs"] });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });

beforeAll(() => {
  const members = { author: "edit", bob: "review", cleo: "admin", rita: "read", gus: null } as const;
  for (const [user, role] of Object.entries(members))
    t.directory.member("acme", { user, role, teams: user === "bob" ? ["docs"] : [] });
  t.directory.member("acme", { user: "eve", role: "edit", teams: ["writers"] });
  t.directory.member("beta", { user: "stranger", role: "admin", teams: ["away"] });
  for (const team of ["docs", "writers"]) t.directory.team("acme", team);
  t.directory.team("beta", "away");
});

const [FIRST, SECOND] = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];
const receive = (event: EventType, payload: object) =>
  transact(t.ctx, async (ctx) => {
    const listener = listeners.find((one) => one.event.name === event.name)!;
    const occurredAt = new Date(Date.now() + 1000).toISOString();
    await listener.handle({
      ctx,
      payload,
      event: { id: "e", name: event.name, aggregate: "acme", occurredAt },
    });
  });

async function draft() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await author.changeRequests.create({ spaceId, subject: "Draft" });
  return { spaceId, changeRequestId };
}

const counters = (spaceId: string) =>
  t.db
    .selectFrom("space")
    .select(["change_requests_open as open", "change_requests_draft as draft"])
    .where("id", "=", spaceId)
    .executeTakeFirstOrThrow();
const requestedOf = async (one: Awaited<ReturnType<typeof draft>>) =>
  (await author.requestedReviewers.list(one)).items.map((item) =>
    item.kind === "user" ? item.user.id : item.team.id,
  );

test("POST requested-reviewers opens a draft, may name it, and returns the requests with reviewer and author", async () => {
  const one = await draft();
  expect(await counters(one.spaceId)).toEqual({ open: 0, draft: 1 });
  const { users, teams } = await author.requestedReviewers.request({
    ...one,
    users: ["bob", "cleo", "bob"],
    subject: "Ready",
  });
  const { revision, status, subject } = await author.changeRequests.get(one);
  expect([status, subject]).toEqual(["open", "Ready"]);
  expect(await counters(one.spaceId)).toEqual({ open: 1, draft: 0 });
  expect(teams).toBeUndefined();
  expect(users).toMatchObject([
    {
      object: "change-request-requested-reviewer",
      kind: "user",
      user: { id: "bob", displayName: "Name of bob" },
      requestedBy: { id: "author", displayName: "Name of author" },
      revision,
    },
    { kind: "user", user: { id: "cleo", displayName: "Name of cleo" } },
  ]);
  const listed = await author.requestedReviewers.list(one);
  expect(listed).toMatchObject({ count: 2, items: users });
  const first = await author.requestedReviewers.list({ ...one, limit: 1 });
  const second = await author.requestedReviewers.list({ ...one, limit: 1, page: first.next!.page });
  expect([...first.items, ...second.items]).toEqual(listed.items);
});

test("POST requested-reviewers requests a team, and an empty list just opens the draft", async () => {
  const one = await draft();
  expect(await author.requestedReviewers.request({ ...one, users: [] })).toEqual({ users: [] });
  expect((await author.changeRequests.get(one)).status).toBe("open");
  const { teams } = await author.requestedReviewers.request({ ...one, users: [], teams: ["docs"] });
  expect(teams).toMatchObject([{ kind: "team", team: { object: "team", id: "docs" } }]);
  expect(await counters(one.spaceId)).toEqual({ open: 1, draft: 0 });
});

test("POST requested-reviewers refuses everybody who could not review, one by one, and changes nothing", async () => {
  const one = await draft();
  const request = author.requestedReviewers.request({
    ...one,
    users: ["bob", "author", "rita", "stranger", "gus"],
    teams: ["docs", "writers", "away"],
    subject: "Not yet",
  });
  await expect(request).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: {
      issues: [
        { path: "body.users.1", message: "is the author of the change request" },
        { path: "body.users.2", message: "may not review the space: needs the role review" },
        { path: "body.users.3", message: "is no member of the organization" },
        { path: "body.users.4", message: "may not review the space: needs the role review" },
        { path: "body.teams.1", message: "has nobody else who may review the space" },
        { path: "body.teams.2", message: "is no team of the organization" },
      ],
    },
  });
  expect(await author.changeRequests.get(one)).toMatchObject({ status: "draft", subject: "Draft" });
  expect(await requestedOf(one)).toEqual([]);
  const many = Array.from({ length: 51 }, (_, at) => `user-${at}`);
  await expect(author.requestedReviewers.request({ ...one, users: many })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("a guest with the role on the space itself can be requested, and a member without it there cannot", async () => {
  const one = await draft();
  const grant = { target: one.spaceId, organization: "acme", subject_kind: "user" as const };
  await t.db
    .insertInto("content_grant")
    .values([
      { ...grant, subject: "gus", role: "review" },
      { ...grant, subject: "bob", role: "read" },
    ])
    .execute();
  await author.requestedReviewers.request({ ...one, users: ["gus"] });
  expect(await requestedOf(one)).toEqual(["gus"]);
  await expect(author.requestedReviewers.request({ ...one, users: ["bob"] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("requested reviewers are 404 to strangers, shown to readers, and changed by editors", async () => {
  const one = await draft();
  const reader = t.as({ acme: "read" }, { id: "rita" });
  await expect(stranger.requestedReviewers.list(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await reader.requestedReviewers.list(one)).items).toEqual([]);
  await expect(reader.requestedReviewers.request({ ...one, users: [] })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(reader.requestedReviewers.remove({ ...one, userId: "bob" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test.each(["archived", "merged"] as const)("what is %s can not be put up for review", async (status) => {
  const one = await draft();
  if (status === "merged") await bob.changeRequests.merge(one);
  else await author.changeRequests.update({ ...one, status });
  await expect(author.requestedReviewers.request({ ...one, users: ["bob"] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: `Change request: it is ${status}, and can not be put up for review`,
  });
  expect((await author.changeRequests.get(one)).status).toBe(status);
});

test("DELETE requested-reviewers/{userId} takes the request back, from a team too, however often", async () => {
  const one = await draft();
  await author.requestedReviewers.request({ ...one, users: ["bob", "cleo"], teams: ["docs"] });
  for (const userId of ["bob", "docs", "bob", "nobody"])
    await author.requestedReviewers.remove({ ...one, userId });
  expect(await requestedOf(one)).toEqual(["cleo"]);
  expect((await author.changeRequests.get(one)).status).toBe("open");
});

test("departed members and deleted teams are requested no more in that organization", async () => {
  const one = await draft();
  await author.requestedReviewers.request({ ...one, users: ["bob", "cleo"], teams: ["docs"] });
  const left = { organization: "acme", user: "bob" };
  await receive(MemberRemoved, { organization: "beta", user: "bob", joinedAt: SECOND });
  await receive(MemberRemoved, { ...left, joinedAt: "2025-01-01T00:00:00.000Z" });
  await receive(TeamChanged, { organization: "acme", team: "docs" });
  expect(await requestedOf(one)).toEqual(["bob", "cleo", "docs"]);
  await receive(MemberRemoved, { ...left, joinedAt: FIRST });
  await receive(TeamChanged, { organization: "acme", team: "docs", deleted: true });
  expect(await requestedOf(one)).toEqual(["cleo"]);
});

test("a departure during a request removes it, a returning member stays, whenever the departure is received", async () => {
  const join = (joinedAt: string) =>
    t.directory.member("acme", { user: "joe", role: "review", teams: [], joinedAt });
  const leave = (joinedAt: string) => receive(MemberRemoved, { organization: "acme", user: "joe", joinedAt });
  join(FIRST);
  t.directory.team("acme", "short");
  t.directory.member("acme", { user: "kim", role: "review", teams: ["short"] });
  const one = await draft();
  const request = (who: { users: string[]; teams?: string[] }) =>
    author.requestedReviewers.request({ ...one, ...who });
  await Promise.allSettled([request({ users: ["joe"] }), leave(FIRST), request({ users: ["joe"] })]);
  expect(await requestedOf(one)).toEqual([]);
  await receive(TeamChanged, { organization: "acme", team: "short", deleted: true });
  for (const who of [{ users: ["joe"] }, { users: [], teams: ["short"] }]) {
    await expect(request(who)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  join(SECOND);
  await request({ users: ["joe"] });
  await leave(FIRST);
  expect(await requestedOf(one)).toEqual(["joe"]);
  await leave(SECOND);
  expect(await requestedOf(one)).toEqual([]);
});

test("a space that is transferred leaves the requests to people of its old organization behind", async () => {
  const one = await draft();
  await author.requestedReviewers.request({ ...one, users: ["cleo"] });
  const both = t.as({ acme: "admin", beta: "admin" }, { id: "both" });
  await both.spaces.transfer({ spaceId: one.spaceId, organization: "beta" });
  expect((await both.requestedReviewers.list(one)).items).toEqual([]);
  const listed = await both.changeRequests.listInOrganization({ organizationId: "beta" });
  expect(listed.items.map(({ id }) => id)).toContain(one.changeRequestId);
});
