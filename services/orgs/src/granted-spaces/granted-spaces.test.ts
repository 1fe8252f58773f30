import { GrantsCounted } from "@octavo/shared/contracts/events/content";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptions } from "../subscriptions.js";
import { startOrgs } from "../testing/orgs.js";
import type { Ctx } from "../trpc.js";

let t: Awaited<ReturnType<typeof startOrgs>>;
beforeAll(async () => {
  t = await startOrgs();
});
afterAll(() => t.end());

test("members and teams show on how many spaces they hold a grant; a count that comes late changes nothing", async () => {
  const [organization, other] = await Promise.all([t.rows.organization(), t.rows.organization()]);
  const admin = await t.as({ [organization]: "admin", [other]: "admin" });
  const team = await t.rows.team(organization);
  const counted = (
    subject: { type: "user" | "team"; id: string },
    spaces: number,
    version: number,
    of = organization,
  ) =>
    deliver({ db: t.db } as Ctx, subscriptions, GrantsCounted, subject.id, {
      organization: of,
      subject,
      spaces,
      version,
    });
  const shown = async () => {
    const path = `/v1/orgs/${organization}`;
    const [member, group] = await Promise.all([
      admin.send("GET", `${path}/members/${admin.id}`),
      admin.send("GET", `${path}/teams/${team}`),
    ]);
    return [member.body.spaces, group.body.spaces];
  };
  expect(await shown()).toEqual([0, 0]);
  const [person, group] = [
    { type: "user" as const, id: admin.id },
    { type: "team" as const, id: team },
  ];
  await counted(person, 3, 11);
  await counted(group, 7, 12);
  expect(await shown()).toEqual([3, 7]);
  await counted(person, 9, 10);
  await counted(group, 1, 12);
  await counted({ type: "user", id: newId() }, 5, 99);
  await counted(person, 8, 99, other);
  expect(await shown()).toEqual([3, 7]);
  await counted(person, 0, 13);
  await counted(group, 8, 14);
  expect(await shown()).toEqual([0, 8]);
});
