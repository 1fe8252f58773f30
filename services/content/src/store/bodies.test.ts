import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { watched } from "../testing/sizes.js";
import { bodiesOf, hashOf, keepBodies } from "./bodies.js";

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
  for (const insert of inserts) expect(insert).not.toContain('"value":[');
});
