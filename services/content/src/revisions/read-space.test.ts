import { transact } from "@octavo/shared/database/transact";
import { counted } from "@octavo/shared/testing/counted";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { nothing, readSpace } from "./read-space.js";

const t = await contentTest();
afterAll(t.drop);

const admin = t.user({ acme: "admin" });
const member = t.user({ acme: "read" }, { id: "user-2" });
const other = t.user({ acme: "read" }, { id: "user-3" });

/** Reads a space so many times at once for each of the callers; the rows, and how many queries that took. */
async function readAtOnce(spaceId: string, callers: (typeof admin)[], times: number) {
  const { db, queries } = counted(t.ctx.db);
  const contexts = callers.map((caller) => ({ ...t.context(caller), db }));
  const rows = await Promise.all(
    Array.from({ length: times }, () => contexts.map((ctx) => readSpace(ctx, spaceId, nothing, {}))).flat(),
  );
  return { rows, queries: queries() };
}

test("reads of a space that come at once are two queries: for the first, and for all that came meanwhile", async () => {
  const spaceId = await t.space();
  expect((await readAtOnce(spaceId, [admin], 20)).queries).toBe(2);
  expect((await readAtOnce(spaceId, [admin, member], 20)).queries).toBe(4);
  expect((await readAtOnce(spaceId, [member, other], 20)).queries).toBe(4);
});

test("reads of different spaces that come at once share nothing", async () => {
  const [one, two] = [await t.space(), await t.space({ edit_mode: "live" })];
  const ctx = t.context(admin);
  const rows = await Promise.all([one, two, one, two].map((space) => readSpace(ctx, space, nothing, {})));
  expect(rows.map((row) => row?.edit_mode)).toEqual(["locked", "live", "locked", "live"]);
});

test("a read sees what was written before it, also while an earlier read of the space is under way", async () => {
  const spaceId = await t.space();
  const ctx = t.context(member);
  const read = () => readSpace(ctx, spaceId, nothing, {});
  for (const mode of ["live", "locked", "live"] as const) {
    const earlier = [read(), read()];
    await t.db.updateTable("space").set({ edit_mode: mode }).where("id", "=", spaceId).execute();
    const [row] = await Promise.all([read(), ...earlier]);
    expect(row?.edit_mode).toBe(mode);
  }
});

test("a read within a transaction sees what that has written, and others do not", async () => {
  const spaceId = await t.space();
  await transact(t.context(admin), async (ctx) => {
    await ctx.db.updateTable("space").set({ edit_mode: "live" }).where("id", "=", spaceId).execute();
    const outside = t.context(admin);
    const rows = await Promise.all(
      [outside, ctx, outside, ctx].map((one) => readSpace(one, spaceId, nothing, {})),
    );
    expect(rows.map((row) => row?.edit_mode)).toEqual(["locked", "live", "locked", "live"]);
  });
});
