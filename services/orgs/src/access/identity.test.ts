import type { Role } from "@octavo/shared/contracts/roles";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../testing/orgs.js";

const { rows, as, queriesOf, end } = await startOrgs();
afterAll(end);

type Call = Parameters<typeof queriesOf>[1];

test.each<Role>(["read", "create", "admin"])(
  "for the role %s a permission check adds no query to a read, and one where the identity has no role",
  async (role) => {
    const organizationId = await rows.organization();
    const ada = await as({ [organizationId]: role });
    const teamId = await rows.team(organizationId, { [ada.id]: "owner" });
    const reads: [queries: number, call: Call][] = [
      [1, (call) => call.organizations.get({ organizationId })],
      [1, (call) => call.saml.listSsoLogins({ organizationId })],
      // The member, and how many teams they are in.
      [2, (call) => call.members.get({ organizationId, userId: ada.id })],
      // The team, and how many people are in it.
      [2, (call) => call.teams.get({ organizationId, teamId })],
    ];
    const older = { ...ada.caller, organizations: {} };
    for (const [queries, call] of reads) {
      expect(await queriesOf(ada.caller, call)).toBe(queries);
      expect(await queriesOf(older, call)).toBe(queries + 1);
    }
  },
);

test("a write that changes roles makes two more queries: for the lock, and for the role under it", async () => {
  const organizationId = await rows.organization();
  const { caller } = await as({ [organizationId]: "admin" });
  const userId = await rows.member({ organization: organizationId });
  // The lock, the caller's role, the member, and how many teams they are in.
  expect(await queriesOf(caller, (call) => call.members.update({ organizationId, userId }))).toBe(4);
});
