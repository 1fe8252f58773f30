import { isVisitor } from "../../pages/published.js";
import { iso } from "../../pages/view.js";
import { changeRequestsById } from "../../review/change-requests/queries.js";
import { view as changeRequestView } from "../../review/change-requests/view.js";
import { revisionsById } from "../../revisions/queries.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/** A revision without what it holds. */
export async function revisionHead(ctx: Ctx, scope: ResolvedTarget, metadata: boolean) {
  const { space, version } = scope;
  const heads = await revisionHeads(ctx, [{ space, revision: version.revision }], metadata);
  const head = heads.get(version.revision)!;
  // Visitors see what is published, and not how it came about.
  return isVisitor(scope) ? { ...head, mergedFrom: undefined } : head;
}

/** Revisions of any spaces without what they hold, by their ids. */
export async function revisionHeads(
  ctx: Ctx,
  revisions: { space: string; revision: string }[],
  metadata: boolean,
) {
  const [rows, audiences] = await Promise.all([
    revisionsById(
      ctx,
      revisions.map(({ revision }) => revision),
    ),
    queries.audiencesOf(
      ctx,
      revisions.map(({ space }) => space),
    ),
  ]);
  const merged = await changeRequestsById(
    ctx,
    rows.flatMap(({ merged_from }) => merged_from ?? []),
  );
  const changeRequests = new Map(merged.map((row) => [row.id, changeRequestView(ctx)(row)]));
  return new Map(
    rows.map((row) => {
      const urls = audiences.filter(({ space, url }) => space === row.space && url);
      const head = {
        object: "revision" as const,
        id: row.id,
        parents: row.parents,
        type: row.type,
        mergedFrom: row.merged_from ? changeRequests.get(row.merged_from) : undefined,
        createdAt: iso(row.created_at),
        git: (metadata && row.git) || undefined,
        urls: {
          app: ctx.urls.app`/s/${row.space}/revisions/${row.id}`,
          published: urls[0]?.url ?? undefined,
          public: urls.find(({ visibility }) => visibility === "public")?.url ?? undefined,
        },
      };
      return [row.id, head] as const;
    }),
  );
}
