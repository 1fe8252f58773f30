import { transact } from "@octavo/shared/database/transact";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { waitsFor } from "../testing/locks.js";
import { watched } from "../testing/sizes.js";
import { bodiesOf, bodyOf, hashOf, keepBodies, textIn } from "./bodies.js";

const t = await contentTest();
afterAll(t.drop);

test("texts are written as they are, none of them in an array", async () => {
  const space = await t.space();
  const texts = ['"\\\n'.repeat(100_000), '"a" \\ {b,c} NULL', "", "😀", "", "NULL"];
  const { ctx, asked } = watched(t.ctx);
  expect(await keepBodies(ctx, space, texts)).toEqual(texts.map(hashOf));
  const kept = await bodiesOf(t.ctx, space, texts.map(hashOf));
  expect(texts.map((text) => kept.get(hashOf(text)) === text)).toEqual(texts.map(() => true));
  const inserts = asked.filter((question) => question.includes("insert into body"));
  expect(inserts.length).toBeGreaterThan(0);
  // The names of texts are.
  for (const insert of inserts)
    for (const [, array] of insert.matchAll(/"value":\[([^\]]*)/g))
      expect(array).toMatch(/^"[\w-]{43}"(?:,"[\w-]{43}")*$/);
});

test("texts are written in the order of their hashes, so that nobody waits for who waits for them", async () => {
  const space = await t.space();
  const [first, second] = ["one", "two", "three"].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)) as [
    string,
    string,
  ];
  const holder = await t.db.startTransaction().execute();
  try {
    await keepBodies({ ...t.ctx, db: holder }, space, [first]);
    const waiting = transact(t.ctx, (ctx) => keepBodies(ctx, space, [second, first]));
    expect(await waitsFor(t.db, holder, waiting)).toBe(true);
    // Whoever waits for the first one has not written the second one yet.
    await transact(t.ctx, (ctx) => keepBodies(ctx, space, [second]));
    await holder.commit().execute();
    expect(await waiting).toEqual([second, first].map(hashOf));
  } finally {
    if (!holder.isCommitted) await holder.rollback().execute();
  }
});

test("a text that the space does not have is an error, and never an empty text", async () => {
  const [space, other] = [await t.space(), await t.space()];
  const [hash] = (await keepBodies(t.ctx, other, ["text"])) as [string];
  expect(await bodyOf(t.ctx, other, hash)).toBe("text");
  await expect(bodyOf(t.ctx, space, hash)).rejects.toThrow(hash);
  expect(textIn(new Map([[hash, ""]]), hash)).toBe("");
});
