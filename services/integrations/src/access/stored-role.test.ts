import type { Caller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { userWith } from "@octavo/shared/testing/service";
import { expect, test } from "vitest";
import type { Ctx } from "../trpc.js";
import { withStoredRole } from "./stored-role.js";

/** A context of this caller, and an orgs in which ada has a role in acme; records its calls. */
function contextOf(caller: Caller, role?: Role | null) {
  const lookups: [organization: string, user: string][] = [];
  const membership = async (_: unknown, organization: string, user: string) => {
    lookups.push([organization, user]);
    return role === undefined ? undefined : { role };
  };
  return { ctx: { caller, orgs: { membership } } as unknown as Ctx, lookups };
}
const ada = userWith({ acme: "admin", beta: "read" });

test.each<[what: string, role: Role | null | undefined, organizations: object]>([
  ["a lowered role", "edit", { acme: "edit", beta: "read" }],
  ["the place of a guest", null, { acme: null, beta: "read" }],
  ["no membership", undefined, { beta: "read" }],
])(
  "a user has %s in the organization as orgs has it, and other roles as before",
  async (_, role, organizations) => {
    const { ctx, lookups } = contextOf(ada, role);
    const { caller } = await withStoredRole(ctx, "acme");
    expect(caller).toEqual({ ...ada, organizations });
    expect(lookups).toEqual([["acme", ada.id]]);
  },
);

test.each<[what: string, caller: Caller, organization: string]>([
  ["a user without a membership", ada, "gamma"],
  ["a user, in what every object has", ada, "constructor"],
  ["a service", { kind: "service", service: "content" }, "acme"],
])("%s has no role to check, and orgs is not called", async (_, caller, organization) => {
  const { ctx, lookups } = contextOf(caller, "admin");
  expect(await withStoredRole(ctx, organization)).toBe(ctx);
  expect(lookups).toEqual([]);
});
