import { newId } from "@octavo/shared/ids";
import { auditSpec } from "../../audit.js";
import { authorOf } from "../../people/author.js";
import type { Ctx } from "../../trpc.js";
import { enqueueProcessing } from "../processing/jobs.js";
import * as queries from "../store/specs.js";
import type { Source } from "./schema.js";
import { columnsOf, sourceName } from "./source.js";

/** Inserts a specification, which is processed in the background; undefined when the organization has one with that slug. */
export async function insertSpec(ctx: Ctx, organization: string, slug: string, source: Source) {
  const now = ctx.clock();
  const row = await queries.insert(ctx, {
    id: newId(),
    organization,
    slug,
    ...columnsOf(source),
    created_by: await authorOf(ctx),
    created_at: now,
    updated_at: now,
  });
  if (!row) return undefined;
  await auditSpec(ctx, "openapi-spec.create", row, { slug, source: sourceName(source) });
  await enqueueProcessing(ctx, row);
  return row;
}
