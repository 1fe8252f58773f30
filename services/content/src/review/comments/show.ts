import { found } from "@octavo/shared/errors";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import { commentKey } from "./place.js";
import { presentComments } from "./present.js";
import * as queries from "./queries.js";
import type { Format } from "./schema.js";

/** A comment as it is shown; 404 when there is none on this version. */
export async function show(ctx: Ctx, scope: ResolvedTarget, id: string, format: Format) {
  const row = found(await queries.find(ctx, commentKey(scope, id)), "Comment");
  return (await presentComments(ctx, scope, [row], format))[0]!;
}
