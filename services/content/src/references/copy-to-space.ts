import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { completeReferences } from "./backfill.js";
import { TEXT } from "./record.js";

/** Lets a new space refer to what the one refers to that it is a copy of: ids are the same in both. */
export async function copyReferences(ctx: Ctx, from: string, to: string): Promise<void> {
  await completeReferences(ctx, from);
  await sql`insert into reference (space, source, body, ordinal, kind, url, path, anchor, target, target_space)
    select ${to}, r.source, r.body, r.ordinal, r.kind, r.url, r.path, r.anchor, r.target, r.target_space
    from entry e join reference r on r.space = ${from} and r.source = e.id and r.body = ${TEXT}
    where e.branch = ${to}`.execute(ctx.db);
}
