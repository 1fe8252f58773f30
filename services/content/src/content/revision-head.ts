import { changeRequestById } from "../change-requests/queries.js";
import { view as changeRequestView } from "../change-requests/view.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import type { Scope } from "./scope.js";
import { iso } from "./view.js";

/** A revision without what it holds. */
export async function revisionHead(ctx: Ctx, { space, version }: Scope, metadata: boolean) {
  const [row, audiences] = await Promise.all([
    queries.revisionById(ctx, space, version.revision),
    queries.audiencesOf(ctx, space),
  ]);
  return {
    object: "revision" as const,
    id: row.id,
    parents: row.parents,
    type: row.type,
    mergedFrom: row.merged_from ? await mergedFrom(ctx, row.merged_from) : undefined,
    createdAt: iso(row.created_at),
    git: (metadata && row.git) || undefined,
    urls: {
      app: ctx.urls.app`/s/${space}/revisions/${row.id}`,
      published: audiences.find(({ url }) => url)?.url ?? undefined,
      public: audiences.find(({ url, visibility }) => url && visibility === "public")?.url ?? undefined,
    },
  };
}

/** The change request that a merge brought in. */
export async function mergedFrom(ctx: Ctx, id: string) {
  const row = await changeRequestById(ctx, id);
  return row && changeRequestView(ctx)(row);
}
