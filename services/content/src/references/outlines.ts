import { sql } from "kysely";
import { batchesBySize } from "../store/batches.js";
import { bodiesOf, sizesOf } from "../store/bodies.js";
import type { Ctx } from "../trpc.js";

/** Counts up when a text has other anchors than before: those that another release has kept are read again. */
export const READING = 1;

/**
 * Sees to it that the anchors of these texts are known. They never change, so they are read once, and only of texts
 * that something points into.
 */
export async function keepOutlines(ctx: Ctx, space: string, bodies: string[]): Promise<void> {
  for await (const batch of batchesBySize(bodies, (some) => sizesOf(ctx, space, some))) {
    const texts = await bodiesOf(ctx, space, batch);
    const outlines: { body: string; anchors: string[] }[] = [];
    for (const [body, markdown] of texts)
      outlines.push({ body, anchors: (await ctx.work.run("anchorsOf", markdown)).map(clean) });
    await sql`insert into outline (space, body, anchors, reading)
      select ${space}, o.body, o.anchors, ${READING}::smallint
      from jsonb_to_recordset(${JSON.stringify(outlines)}::jsonb) as o (body text, anchors text[])
      on conflict (space, body) do update set anchors = excluded.anchors, reading = excluded.reading
      where outline.reading < excluded.reading`.execute(ctx.db);
  }
}

const clean = (anchor: string) => anchor.replaceAll("\0", "");
