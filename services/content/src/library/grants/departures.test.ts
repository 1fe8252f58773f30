import { InviteAccepted, MemberRemoved, TeamChanged } from "@octavo/shared/contracts/events/orgs";
import { errorBody } from "@octavo/shared/errors";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeEach, expect, test } from "vitest";
import { subscriptions } from "../../subscriptions.js";
import { contentTest } from "../../testing/content.js";
import { forgetDepartures } from "./departures.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin" }, { id: "ada" });
const [FIRST, SECOND] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
const join = (joinedAt: string) =>
  t.directory.member("acme", { user: "bob", role: "read", teams: [], joinedAt });
const leave = (joinedAt: string) =>
  deliver(t.ctx, subscriptions, MemberRemoved, "acme", { organization: "acme", user: "bob", joinedAt });
const lose = (team: string) =>
  deliver(t.ctx, subscriptions, TeamChanged, "acme", { organization: "acme", team, deleted: true });

let spaceId: string;
beforeEach(async () => {
  await t.db.deleteFrom("departure").execute();
  t.directory.clear();
  join(FIRST);
  t.directory.team("acme", "writers");
  ({ id: spaceId } = await admin.spaces.create({ organizationId: "acme" }));
});

const invite = (who: { users?: string[]; teams?: string[] }) =>
  admin.spaceGrants.invite({ spaceId, ...who, role: "edit" } as never).then(
    () => 204,
    (error: unknown) => errorBody(error, "").status,
  );
const granted = async () =>
  (await t.db.selectFrom("content_grant").select("subject").where("target", "=", spaceId).execute()).map(
    ({ subject }) => subject,
  );

test("a grant to a member whose departure was received meanwhile is 404, and works once they come back", async () => {
  await leave(FIRST);
  // Orgs was called before the end.
  expect(await invite({ users: ["bob"] })).toBe(404);
  join(SECOND);
  expect(await invite({ users: ["bob"] })).toBe(204);
  expect(await granted()).toEqual(["bob"]);
});

test("a departure takes the grants of its membership however late it is received, and none of the next one", async () => {
  expect(await invite({ users: ["bob"] })).toBe(204);
  await leave(FIRST);
  expect(await granted()).toEqual([]);
  join(SECOND);
  await invite({ users: ["bob"] });
  await leave(FIRST);
  expect(await granted()).toEqual(["bob"]);
  await leave(SECOND);
  expect(await granted()).toEqual([]);
});

test("departures are pruned after thirty days, a few at a time, except those that were received again", async () => {
  const old = Array.from({ length: 5 }, (_, at) => ({
    organization: "acme",
    subject: `gone-${at}`,
    joined_at: FIRST,
    departed_at: new Date(Date.now() - 31 * 86_400_000).toISOString(),
  }));
  await t.db.insertInto("departure").values(old).execute();
  await t.db
    .insertInto("departure")
    .values({ ...old[0]!, subject: "bob" })
    .execute();
  await leave(FIRST);
  expect([await forgetDepartures(t, 3), await forgetDepartures(t, 3), await forgetDepartures(t, 3)]).toEqual([
    3, 2, 0,
  ]);
  const left = await t.db.selectFrom("departure").select("subject").execute();
  expect(left.map(({ subject }) => subject)).toEqual(["bob"]);
});

test("a team that was deleted is granted nothing any more", async () => {
  expect(await invite({ teams: ["writers"] })).toBe(204);
  await lose("writers");
  expect(await granted()).toEqual([]);
  expect(await invite({ teams: ["writers"] })).toBe(404);
});

test("grants beside the end of the membership leave nothing behind", async () => {
  for (let round = 0; round < 10; round++) {
    await t.db.deleteFrom("departure").execute();
    await Promise.all([
      invite({ users: ["bob"] }),
      leave(FIRST),
      invite({ users: ["bob"], teams: ["writers"] }),
    ]);
    await lose("writers");
    expect(await granted()).toEqual([]);
  }
});

test("teams that are gone are neither listed nor counted", async () => {
  t.directory.team("acme", "readers");
  await invite({ teams: ["writers", "readers"] });
  t.directory.clear();
  t.directory.team("acme", "readers");
  for (const limit of [0, 1, 10]) {
    const page = await admin.spaceGrants.listTeams({ spaceId, limit } as never);
    expect(page).toMatchObject({ count: 1, items: limit === 0 ? [] : [{ team: { id: "readers" } }] });
    expect(page.next).toBeUndefined();
  }
});

test("a late event of an invite to an earlier membership ends no grant of the later one", async () => {
  join(SECOND);
  expect(await invite({ users: ["bob"] })).toBe(204);
  await deliver(t.ctx, subscriptions, InviteAccepted, "acme", {
    organization: "acme",
    user: "bob",
    level: "read",
    joinedAt: FIRST,
    target: { type: "space", id: spaceId },
  });
  await leave(FIRST);
  expect(await granted()).toEqual(["bob"]);
});
