import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });
const organizationId = "acme";

test("GET /orgs/{organizationId}/change-requests lists those of the spaces that the caller may read", async () => {
  const open = await t.space();
  const closed = await t.space({ default_level: null });
  const trashed = await t.space();
  const foreign = await t.space({ organization: "beta" });
  const beta = t.as({ beta: "admin" }, { id: "bea" });
  const made: Record<string, string> = {};
  for (const [name, spaceId] of Object.entries({ open, closed, trashed }))
    made[name] = (await admin.changeRequests.create({ spaceId })).id;
  made.foreign = (await beta.changeRequests.create({ spaceId: foreign })).id;
  await admin.spaces.remove({ spaceId: trashed });

  const seen = async (caller: typeof admin) =>
    (await caller.changeRequests.listInOrganization({ organizationId, status: "draft" })).items.map(
      ({ id }) => id,
    );
  expect((await seen(admin)).sort()).toEqual([made.closed, made.open].sort());
  expect(await seen(t.as({ acme: "read" }, { id: "rita" }))).toEqual([made.open]);
  const guest = t.as({ acme: null }, { id: "gus" });
  expect(await seen(guest)).toEqual([]);
  await t.db
    .insertInto("content_grant")
    .values({ target: closed, subject: "gus", subject_kind: "user", organization: "acme", role: "read" })
    .execute();
  expect(await seen(guest)).toEqual([made.closed]);
  await expect(seen(beta)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("it takes one status (open by default), a creator and a contributor, and goes page by page", async () => {
  const spaces = await Promise.all([t.space(), t.space()]);
  const bob = t.as({ acme: "edit" }, { id: "bob" });
  const changes = [{ operation: "insert_page" as const, title: "Page", document: {} }];
  const ids: string[] = [];
  for (let at = 0; at < 6; at++) {
    const spaceId = spaces[at % 2]!;
    const { id: changeRequestId } = await (at < 3 ? bob : admin).changeRequests.create({ spaceId });
    await admin.changeRequests.update({ spaceId, changeRequestId, status: "open" });
    if (at === 5) await bob.changeRequests.edit({ spaceId, changeRequestId, changes });
    ids.unshift(changeRequestId);
  }
  const call = admin.changeRequests.listInOrganization;
  const whole = await call({ organizationId });
  expect(whole.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const walked: string[] = [];
  for (let page: string | undefined; ; ) {
    const response = await call({ organizationId, limit: 4, page });
    expect(response.count).toBe(6);
    walked.push(...response.items.map(({ id }) => id));
    page = response.next?.page;
    if (!page) break;
  }
  expect(walked).toEqual(whole.items.map(({ id }) => id));
  expect((await call({ organizationId, creator: "bob" })).count).toBe(3);
  const contributed = await call({ organizationId, contributor: "bob" });
  expect(contributed.items.map(({ id }) => id)).toEqual([ids[0]]);
  expect((await call({ organizationId, status: "merged" })).items).toEqual([]);
  await expect(call({ organizationId, status: "closed" as never })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});
