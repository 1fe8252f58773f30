import { filesIn } from "../../computed/files.js";
import { readTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { ListPublished } from "./schema.js";

/** Returns which content each file of a revision has; 404 for who may not see the revision. */
export async function list({ ctx, input }: Call<typeof ListPublished>) {
  const { scope, part } = await readTarget(ctx, input, "space.access", queries.hashesOfFiles, {});
  const computed = part.declares ? await filesIn(ctx, scope) : [];
  return { items: [...part.files, ...computed.map(({ id, body }) => ({ id, hash: body }))] };
}
