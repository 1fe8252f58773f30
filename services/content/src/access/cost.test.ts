import type { Role } from "@octavo/shared/contracts/roles";
import { counted } from "@octavo/shared/testing/counted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { createCaller } from "../trpc.js";

const t = await contentTest();
afterAll(() => t.drop());

let spaceId: string;
let collectionId: string;
beforeAll(async () => {
  const admin = t.as({ acme: "admin" });
  const outer = await admin.collections.create({ organizationId: "acme" });
  collectionId = (await admin.collections.create({ organizationId: "acme", parent: outer.id })).id;
  spaceId = (await admin.spaces.create({ organizationId: "acme", parent: collectionId })).id;
  // Where a revision lies is looked up once.
  await admin.content.pages({ spaceId });
  const grant = { organization: "acme", subject: "writers", subject_kind: "team" } as const;
  await t.db
    .insertInto("content_grant")
    .values({ ...grant, target: outer.id, role: "edit" })
    .execute();
});

/** How many queries an operation takes for somebody with this role, a member of the team that is granted `edit`. */
async function queriesOf(
  role: Role | null,
  call: (caller: ReturnType<typeof t.as>) => Promise<unknown>,
): Promise<number> {
  const ctx = t.context(t.user({ acme: role }, { teams: ["writers"] }));
  const { db, queries } = counted(ctx.db);
  await call(createCaller(router)({ ...ctx, db }));
  return queries();
}

const roles = [null, "read", "create", "admin"] as const;
test.each(roles)("for the role %s a permission check adds no query to a read", async (role) => {
  expect(await queriesOf(role, (caller) => caller.spaces.get({ spaceId }))).toBe(1);
  expect(await queriesOf(role, (caller) => caller.collections.get({ collectionId }))).toBe(1);
  // The rows of a tree come apart from the space that admits the caller, at the revision that it names.
  expect(await queriesOf(role, (caller) => caller.content.pages({ spaceId }))).toBe(2);
  expect(await queriesOf(role, (caller) => caller.spaces.lookup({ ids: [spaceId] }))).toBe(1);
});

test("a list takes at most two more than an administrator's: for the collections and for the page", async () => {
  const input = { organizationId: "acme" };
  expect(await queriesOf("admin", (caller) => caller.spaces.list(input))).toBe(1);
  expect(await queriesOf("read", (caller) => caller.spaces.list(input))).toBe(3);
  expect(await queriesOf("read", (caller) => caller.collections.list(input))).toBe(2);
});
