import { afterAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = () => t.as({ acme: "admin" });
const stranger = () => t.as({ other: "admin" }, { id: "stranger" });
const create = (title: string) => admin().spaces.create({ organizationId: "acme", title });

test("DELETE /spaces/{spaceId} hides the space from all but those who may restore it", async () => {
  const { id: spaceId } = await create("Trash");
  await stranger().spaces.remove({ spaceId });
  await expect(t.as({ acme: "review" }).spaces.remove({ spaceId })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect(await admin().spaces.remove({ spaceId })).toBeUndefined();
  expect(await admin().spaces.remove({ spaceId })).toBeUndefined();
  expect(await admin().spaces.remove({ spaceId: "unknown" })).toBeUndefined();
  const events = (await t.emitted("content.space.deleted")).filter(
    (event) => (event as { space: string }).space === spaceId,
  );
  expect(events).toHaveLength(1);
  expect(await t.as({ acme: "create" }).spaces.get({ spaceId })).toMatchObject({
    deletedAt: expect.any(String),
  });
  await expect(t.as({ acme: "review" }).spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const attempt of [
    () => admin().spaces.update({ spaceId, title: "x" }),
    () => admin().spaces.move({ spaceId }),
    () => admin().spaces.duplicate({ spaceId }),
    () => admin().spaces.transfer({ spaceId, organization: "beta" }),
    () => admin().content.pages({ spaceId }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const { items } = await admin().spaces.list({ organizationId: "acme", limit: 1000 });
  expect(items.map(({ id }) => id)).not.toContain(spaceId);
  expect(await admin().spaces.lookup({ ids: [spaceId] })).toEqual([]);
});

test("POST /spaces/{spaceId}/restore brings a space back for seven days", async () => {
  const { id: spaceId } = await create("Back");
  const live = await admin().spaces.restore({ spaceId });
  expect(live).toMatchObject({ title: "Back", deletedAt: undefined });
  await admin().spaces.remove({ spaceId });
  for (const caller of [stranger(), t.as({ acme: "review" })]) {
    await expect(caller.spaces.restore({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const inDays = (days: number) =>
    createCaller(router)({
      ...t.context(t.user({ acme: "create" })),
      clock: () => new Date(Date.now() + days * 86_400_000),
    });
  await expect(inDays(7).spaces.restore({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(inDays(7).spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await inDays(6.9).spaces.restore({ spaceId })).toMatchObject({ deletedAt: undefined });
  expect(await t.emitted("content.space.restored")).toEqual([{ space: spaceId, organization: "acme" }]);
  expect(await t.as({ acme: "read" }).content.pages({ spaceId })).toEqual({ pages: [] });
});
