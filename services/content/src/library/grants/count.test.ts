import { GrantsCounted } from "@octavo/shared/contracts/events/content";
import { Envelope, type EventType } from "@octavo/shared/contracts/events/define";
import {
  InviteAccepted,
  MemberAdded,
  MemberRemoved,
  TeamChanged,
} from "@octavo/shared/contracts/events/orgs";
import { errorBody } from "@octavo/shared/errors";
import { deliver, emitted } from "@octavo/shared/testing/emitted";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { z } from "zod";
import { up } from "../../migrations/0009-grant-counts.js";
import { subscriptions } from "../../subscriptions.js";
import { contentTest } from "../../testing/content.js";
import { seeded } from "../../testing/trees.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });
const users = ["bob", "cat", "dan", "eve"];
const teams = ["writers", "readers"];
for (const user of users) t.directory.member("acme", { user, role: "read", teams: [] });
for (const team of teams) t.directory.team("acme", team);

/** What the events add up to: of each subject the latest count. */
async function publishedCounts(): Promise<Record<string, number>> {
  const counts = (await emitted(t.ctx, GrantsCounted)).filter(({ organization }) => organization === "acme");
  const latest = new Map<string, (typeof counts)[number]>();
  for (const count of counts) {
    const known = latest.get(count.subject.id);
    expect(count.version).toBeGreaterThan(known?.version ?? 0);
    expect(count.subject.type).toBe(users.includes(count.subject.id) ? "user" : "team");
    latest.set(count.subject.id, count);
  }
  return Object.fromEntries(
    [...latest].filter(([, { spaces }]) => spaces > 0).map(([id, c]) => [id, c.spaces]),
  );
}

async function recounted(): Promise<Record<string, number>> {
  const { rows } = await sql<{ subject: string; spaces: number }>`
    select subject, count(*) as spaces from content_grant join space on space.id = target
    where deleted_at is null and content_grant.organization = 'acme' group by subject`.execute(t.db);
  return Object.fromEntries(rows.map(({ subject, spaces }) => [subject, spaces]));
}

/** Makes somebody a member anew, whether or not they left. */
const comeBack = (user: string) => {
  t.directory.member("acme", { user, role: "read", teams: [], joinedAt: new Date().toISOString() });
  return deliver(t.ctx, subscriptions, MemberAdded, "acme", { organization: "acme", user, role: "read" });
};

/** Refusals are part of the game: what was meant may have gone meanwhile. */
const attempt = (call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    if (errorBody(error, "").status >= 500) throw error;
  });

test("after any operations, concurrent ones too, the published counts match the grants", async () => {
  const random = seeded(20264);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const spaces: string[] = [];
  const collections: string[] = [];
  const newSpace = async () => {
    const parent = random() < 0.5 ? one([...collections, undefined]) : undefined;
    const made = await admin.spaces.create({ organizationId: "acme", parent }).catch(() => undefined);
    if (made) spaces.push(made.id);
  };
  const newCollection = async () => {
    collections.push((await admin.collections.create({ organizationId: "acme" })).id);
  };
  const receive = <Payload extends z.ZodType>(event: EventType<Payload>, payload: z.input<Payload>) =>
    deliver(t.ctx, subscriptions, event, "acme", payload);
  const someone = () => ({ organization: "acme", user: one(users) });
  const replace = (team: string) => {
    teams.push(`${teams.splice(teams.indexOf(team), 1)}'`);
    t.directory.team("acme", teams.at(-1)!);
    return receive(TeamChanged, { organization: "acme", team, deleted: true });
  };
  const target = () => ({ type: "space" as const, id: one(spaces) });
  const moves: [weight: number, move: () => Promise<unknown>][] = [
    [2, newSpace],
    [1, newCollection],
    [
      9,
      () =>
        admin.spaceGrants.invite({
          spaceId: one(spaces),
          users: [one(users), one(users)],
          teams: [one(teams)],
          role: one(["read", "edit", null]),
        } as never),
    ],
    [
      2,
      () =>
        admin.collectionGrants.invite({
          collectionId: one(collections),
          users: [one(users)],
          role: "read",
        } as never),
    ],
    [
      2,
      () =>
        admin.spaceGrants.updateUser({
          spaceId: one(spaces),
          userId: one(users),
          role: one(["read", null]),
        } as never),
    ],
    [2, () => admin.spaceGrants.removeTeam({ spaceId: one(spaces), teamId: one(teams) } as never)],
    [2, () => admin.spaces.remove({ spaceId: one(spaces) })],
    [3, () => admin.spaces.restore({ spaceId: one(spaces) })],
    [0.3, () => admin.collections.remove({ collectionId: one(collections) })],
    [0.5, () => admin.spaces.transfer({ spaceId: one(spaces), organization: "beta" })],
    [0.2, () => admin.collections.transfer({ collectionId: one(collections), organization: "beta" })],
    [1, () => receive(MemberRemoved, someone())],
    [2, () => comeBack(one(users))],
    [0.5, () => replace(one(teams))],
    [2, () => receive(InviteAccepted, { ...someone(), target: target(), level: "comment" })],
  ];
  const total = moves.reduce((sum, [weight]) => sum + weight, 0);
  const move = () => {
    let left = random() * total;
    for (const [weight, move] of moves) {
      left -= weight;
      if (left < 0) return move;
    }
    return newSpace;
  };
  for (let index = 0; index < 3; index++) await Promise.all([newSpace(), newCollection()]);
  for (let round = 0; round < 40; round++) {
    await Promise.all(Array.from({ length: 5 }, () => attempt(move()())));
    expect(await publishedCounts()).toEqual(await recounted());
  }
  expect(Object.keys(await recounted()).length).toBeGreaterThan(1);
});

test("another role is no other count, and a grant on a collection is none on a space", async () => {
  await comeBack("bob");
  const { id: spaceId } = await admin.spaces.create({ organizationId: "acme" });
  const { id: collectionId } = await admin.collections.create({ organizationId: "acme" });
  await admin.spaceGrants.invite({ spaceId, users: ["bob"], role: "read" } as never);
  const before = await emitted(t.ctx, GrantsCounted);
  await admin.spaceGrants.updateUser({ spaceId, userId: "bob", role: "edit" } as never);
  await admin.collectionGrants.invite({ collectionId, users: ["bob"], role: "edit" } as never);
  expect(await emitted(t.ctx, GrantsCounted)).toEqual(before);
});

test("a member who comes back is counted again", async () => {
  const before = (await emitted(t.ctx, GrantsCounted)).length;
  await comeBack("bob");
  const counts = (await emitted(t.ctx, GrantsCounted)).slice(before);
  const { bob: spaces } = await recounted();
  expect(counts).toMatchObject([{ organization: "acme", subject: { type: "user", id: "bob" }, spaces }]);
});

test("grants from before the counters are published once, by the migration", async () => {
  const old = await contentTest();
  try {
    const [kept, trashed] = [await old.space(), await old.space({ deleted_at: "2026-01-01T00:00:00.000Z" })];
    const grant = { organization: "acme", role: "read" as const };
    await old.db
      .insertInto("content_grant")
      .values([
        { ...grant, target: kept, subject: "bob", subject_kind: "user" },
        { ...grant, target: trashed, subject: "bob", subject_kind: "user" },
        { ...grant, target: kept, subject: "writers", subject_kind: "team" },
      ])
      .execute();
    await sql`drop sequence grant_count_version`.execute(old.db);
    await up(old.db as never);
    const counts = await emitted(old.ctx, GrantsCounted);
    expect(counts.map(({ subject, spaces }) => [subject.type, subject.id, spaces]).sort()).toEqual([
      ["team", "writers", 1],
      ["user", "bob", 1],
    ]);
    expect(new Set(counts.map(({ version }) => version)).size).toBe(2);
    const rows = await old.db.selectFrom("outbox").selectAll().execute();
    for (const { id, name, aggregate, body } of rows.filter(({ name }) => name === GrantsCounted.name))
      expect(Envelope.parse(body)).toMatchObject({ id, name, aggregate });
  } finally {
    await old.drop();
  }
});
