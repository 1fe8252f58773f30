// A space that readers see, or that git has a copy of, is never `live`, whichever of the two comes first.

import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { gitTest } from "../../git/testing.js";
import { contentTest } from "../../testing/content.js";
import { waitsFor } from "../../testing/locks.js";
import { recomputeVisibility } from "../audience/recompute-visibility.js";

const t = await contentTest();
const git = gitTest(t);
afterAll(async () => {
  await git.close();
  await t.drop();
});
const admin = t.as({ acme: "admin" });

const live = async () =>
  (await admin.spaces.create({ organizationId: "acme", title: "Guide", editMode: "live" })).id;
const show = (db: typeof t.db, space: string, visibility: "public" | "unlisted" | "visitor-auth") =>
  db.insertInto("audience").values({ site: "site", space, visibility, url: null, backend: null }).execute();
const modeOf = async (spaceId: string) => (await admin.spaces.get({ spaceId })).editMode;

test.each([
  ["public", "locked"],
  ["unlisted", "locked"],
  ["visitor-auth", "live"],
] as const)("a live space that is shown as %s is %s", async (visibility, editMode) => {
  const spaceId = await live();
  await show(t.db, spaceId, visibility);
  await transact(t.ctx, (ctx) => recomputeVisibility(ctx, [spaceId]));
  expect(await modeOf(spaceId)).toBe(editMode);
});

test("a live space that is imported from git is locked", async () => {
  const spaceId = await live();
  const { url } = await git.repositoryOf({ "README.md": "# Guide\n\nText.\n" });
  await git.run(spaceId, url);
  expect(await modeOf(spaceId)).toBe("locked");
});

test("a space does not become live while it is being published", async () => {
  const { id: spaceId } = await admin.spaces.create({ organizationId: "acme" });
  const transaction = await t.db.startTransaction().execute();
  await show(transaction, spaceId, "public");
  await recomputeVisibility({ ...t.ctx, db: transaction }, [spaceId]);
  const outcome = admin.spaces.update({ spaceId, editMode: "live" }).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
  expect(await waitsFor(t.db, transaction, outcome)).toBe(true);
  await transaction.commit().execute();
  expect(await outcome).toBe("CONFLICT");
  expect(await modeOf(spaceId)).toBe("locked");
});
