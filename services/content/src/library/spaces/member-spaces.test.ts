import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

const key = { organizationId: "acme", userId: "bob" };
let open: string;
let closed: string;

beforeAll(async () => {
  t.directory.member("acme", { user: "bob", role: "comment", teams: ["writers"] });
  t.directory.member("beta", { user: "eve", role: "admin", teams: [] });
  open = await t.space({ created_at: "2026-01-01T00:00:00.000Z" });
  closed = await t.space({ created_at: "2026-01-02T00:00:00.000Z", default_level: null });
  await t.space({ created_at: "2026-01-03T00:00:00.000Z", deleted_at: "2026-01-04T00:00:00.000Z" });
  await t.space({ organization: "beta" });
});

test("GET /orgs/{organizationId}/members/{userId}/spaces shows what the member may do, the latest first", async () => {
  const admin = t.as({ acme: "admin" }, { id: "ada" });
  const list = async (input = {}) => {
    const { items } = await admin.spaces.listOfMember({ ...key, ...input });
    return items.map(({ permission, space }) => [space.id, permission, space.permissions.admin]);
  };
  expect(await list()).toEqual([[open, "comment", true]]);
  const grant = { target: closed, subject: "writers", subject_kind: "team", role: "edit" } as const;
  await t.db
    .insertInto("content_grant")
    .values({ ...grant, organization: "acme" })
    .execute();
  const expected = [
    [closed, "edit", true],
    [open, "comment", true],
  ];
  expect(await list()).toEqual(expected);
  expect(await list({ order: "asc" })).toEqual(expected.toReversed());
  const first = await admin.spaces.listOfMember({ ...key, limit: 1 });
  expect(first).toMatchObject({ items: [{ space: { id: closed } }], count: 2 });
  const second = await admin.spaces.listOfMember({ ...key, limit: 1, page: first.next!.page });
  expect(second.items).toMatchObject([{ space: { id: open } }]);
});

test("GET /orgs/{organizationId}/members/{userId}/spaces is for the member and administrators", async () => {
  const own = await t.as({ acme: "comment" }, { id: "bob", teams: ["writers"] }).spaces.listOfMember(key);
  expect(own.items).toMatchObject([
    { permission: "edit", space: { id: closed, permissions: { edit: true, admin: false } } },
    { permission: "comment", space: { id: open } },
  ]);
  const guest = t.as({ acme: null }, { id: "gus" });
  expect((await guest.spaces.listOfMember({ ...key, userId: "gus" })).items).toEqual([]);
  const forbidden = { code: "FORBIDDEN" };
  await expect(guest.spaces.listOfMember(key)).rejects.toMatchObject(forbidden);
  await expect(t.as({ acme: "create" }).spaces.listOfMember(key)).rejects.toMatchObject(forbidden);
  const missing = { code: "NOT_FOUND" };
  await expect(t.as({ beta: "admin" }).spaces.listOfMember(key)).rejects.toMatchObject(missing);
  const admin = t.as({ acme: "admin" }, { id: "ada" });
  await expect(admin.spaces.listOfMember({ ...key, userId: "eve" })).rejects.toMatchObject(missing);
});
