import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { furnish, mounts, text } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const as = (id: string) => t.as({ acme: "comment" }, { id });

test.each(mounts)(
  "GET commenters of $what returns the members who commented or replied there",
  async (mount) => {
    const { at, spaceId, changeRequestId } = await furnish(t, mount);
    t.directory.clear();
    for (const user of ["ada", "bob", "eve", "silent"])
      t.directory.member("acme", { user, role: "comment", teams: [] });
    const { id: commentId } = await mount.of(as("bob")).post({ ...at, body: text("x") });
    await mount.of(as("ada")).postReply({ ...at, commentId, body: text("x") });
    await mount.of(as("ada")).post({ ...at, body: text("x") });
    await mount.of(as("gone")).post({ ...at, body: text("x") });
    const elsewhere = mounts.find((other) => other !== mount)!;
    await elsewhere.of(as("eve")).post({ spaceId, changeRequestId, body: text("x") });

    const list = (paging: object = {}) => mount.of(as("silent")).listCommenters({ ...at, ...paging });
    const { items, count } = await list();
    expect([items.map(({ id }) => id), count]).toEqual([["ada", "bob"], 2]);
    expect(items[0]).toMatchObject({
      object: "member",
      role: "comment",
      user: { object: "user", id: "ada" },
    });
    const first = await list({ limit: 1 });
    expect([first.items.length, first.count]).toEqual([1, 2]);
    expect((await list({ limit: 1, page: first.next!.page })).items.map(({ id }) => id)).toEqual(["bob"]);

    await mount.of(as("bob")).remove({ ...at, commentId });
    expect((await list()).items.map(({ id }) => id)).toEqual(["ada"]);
  },
);

test("commenters are 404 for a caller who may not read, and 403 for a guest", async () => {
  const [mount] = mounts;
  const { at, spaceId } = await furnish(t, mount);
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  await expect(mount.of(stranger).listCommenters(at)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const guest = t.as({ acme: null }, { id: "guest" });
  await expect(mount.of(guest).listCommenters(at)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await t.db
    .insertInto("content_grant")
    .values({
      target: spaceId,
      subject: "guest",
      subject_kind: "user",
      organization: "acme",
      role: "comment",
    })
    .execute();
  await mount.of(guest).post({ ...at, body: text("x") });
  await expect(mount.of(guest).listCommenters(at)).rejects.toMatchObject({ code: "FORBIDDEN" });
});
