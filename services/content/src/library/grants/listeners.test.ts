import type { EventType } from "@octavo/shared/contracts/events/define";
import {
  InviteAccepted,
  MemberAdded,
  MemberRemoved,
  TeamChanged,
} from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeEach, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { listeners } from "./listeners.js";

const t = await contentTest();
afterAll(() => t.drop());

const TIMES = {
  old: "2026-01-01T00:00:00.000Z",
  event: "2026-02-01T00:00:00.000Z",
  late: "2026-03-01T00:00:00.000Z",
};

beforeEach(async () => {
  await t.db.deleteFrom("content_grant").execute();
  const grant = { subject_kind: "user" as const, role: "edit" as const, created_at: TIMES.old };
  await t.db
    .insertInto("content_grant")
    .values([
      { ...grant, target: "s1", subject: "ada", organization: "acme" },
      { ...grant, target: "s2", subject: "ada", organization: "beta" },
      { ...grant, target: "s1", subject: "bob", organization: "acme" },
      { ...grant, target: "s3", subject: "ada", organization: "acme", joined_at: TIMES.late },
      { ...grant, target: "s1", subject: "team", subject_kind: "team", organization: "acme" },
    ])
    .execute();
});

const receive = ({ name }: EventType, payload: object) =>
  transact(t.ctx, async (ctx) => {
    const event = { id: "e", name, aggregate: "acme", occurredAt: TIMES.event };
    const subscription = listeners.find((listener) => listener.event.name === name)!;
    await subscription.handle({ ctx, payload, event });
  });
const left = async () =>
  (
    await t.db
      .selectFrom("content_grant")
      .select(["target", "subject"])
      .orderBy("target")
      .orderBy("subject")
      .execute()
  ).map(({ target, subject }) => `${target} ${subject}`);

test("a member who leaves loses the grants of that organization, but none of a membership after", async () => {
  await receive(MemberRemoved, { organization: "acme", user: "ada", joinedAt: TIMES.event });
  expect(await left()).toEqual(["s1 bob", "s1 team", "s2 ada", "s3 ada"]);
});

test("for a new member it publishes on how many spaces of the organization they hold a grant", async () => {
  const target = await t.space();
  const grant = { subject: "ada", subject_kind: "user", role: "edit" } as const;
  await t.db
    .insertInto("content_grant")
    .values({ ...grant, target, organization: "acme" })
    .execute();
  await receive(MemberAdded, { organization: "acme", user: "ada", role: null });
  expect((await t.emitted("content.grants.counted")).at(-1)).toMatchObject({
    organization: "acme",
    subject: { type: "user", id: "ada" },
    spaces: 1,
  });
});

test("a team that is deleted loses its grants, one that changed keeps them", async () => {
  await receive(TeamChanged, { organization: "acme", team: "team" });
  expect(await left()).toContain("s1 team");
  await receive(TeamChanged, { organization: "acme", team: "team", deleted: true });
  expect(await left()).not.toContain("s1 team");
});

test("who accepts an invite is granted what it promised, and keeps what is higher", async () => {
  const [space, elsewhere, trashed, purged] = await Promise.all([
    t.space(),
    t.space({ organization: "beta" }),
    t.space({ deleted_at: TIMES.old }),
    t.space({ deleted_at: TIMES.old, purging_at: TIMES.old }),
  ]);
  const accept = (id: string, level: string | null, type = "space") =>
    receive(InviteAccepted, { organization: "acme", user: "eve", target: { type, id }, level });
  const granted = () =>
    t.db.selectFrom("content_grant").select(["target", "role"]).where("subject", "=", "eve").execute();
  await accept(space, null);
  await accept(space, "owner");
  await accept(elsewhere, "edit");
  await accept(purged, "edit");
  await accept(space, "edit", "collection");
  await accept("unknown", "edit");
  expect(await granted()).toEqual([]);
  await accept(space, "edit");
  await accept(space, "read");
  expect(await granted()).toEqual([{ target: space, role: "edit" }]);
  await accept(space, "review");
  expect(await granted()).toEqual([{ target: space, role: "review" }]);
  await accept(trashed, "edit");
  expect(await granted()).toContainEqual({ target: trashed, role: "edit" });
  await receive(MemberRemoved, { organization: "acme", user: "eve" });
  expect(await granted()).toEqual([]);
});

test("an acceptance that is delivered again after the member was removed grants nothing, nor to a membership after it", async () => {
  const id = await t.space();
  const target = { type: "space", id };
  const accept = (joinedAt?: string) =>
    receive(InviteAccepted, { organization: "acme", user: "fay", joinedAt, target, level: "edit" });
  const granted = () => t.db.selectFrom("content_grant").select("role").where("target", "=", id).execute();
  await accept(TIMES.old);
  expect(await granted()).toEqual([{ role: "edit" }]);
  await receive(MemberRemoved, { organization: "acme", user: "fay", joinedAt: TIMES.old });
  await accept(TIMES.old);
  expect(await granted()).toEqual([]);
  await receive(MemberAdded, { organization: "acme", user: "fay", role: null });
  await accept(TIMES.old);
  expect(await granted()).toEqual([]);
  await accept(TIMES.late);
  expect(await granted()).toEqual([{ role: "edit" }]);
});
