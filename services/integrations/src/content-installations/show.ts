import type * as queries from "../store/content-installations.js";
import type { Ctx } from "../trpc.js";
import type { ContentKind } from "./kinds.js";
import { views } from "./view.js";

/** One as the caller sees it. */
export async function show(
  ctx: Ctx,
  kind: ContentKind,
  { integrationName, extended }: { integrationName: string; extended: boolean },
  row: queries.Row,
) {
  const [view] = await views(ctx, kind, integrationName, [row], extended);
  return view!;
}
