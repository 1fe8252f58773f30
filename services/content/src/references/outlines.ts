import { sql } from "kysely";
import { batchesBySize } from "../store/batches.js";
import { bodiesOf, sizesOf } from "../store/bodies.js";
import type { Ctx } from "../trpc.js";

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
    await sql`insert into outline (space, body, anchors)
      select ${space}, o.body, o.anchors
      from jsonb_to_recordset(${JSON.stringify(outlines)}::jsonb) as o (body text, anchors text[])
      on conflict do nothing`.execute(ctx.db);
  }
}

const clean = (anchor: string) => anchor.replaceAll("\0", "");
