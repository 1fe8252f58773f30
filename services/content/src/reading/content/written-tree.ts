import { type WrittenJson, writeJson } from "@octavo/shared/rest/written-json";
import { inTurns } from "@octavo/shared/workers/yield";
import { withComputed } from "../../computed/expand.js";
import { pageTree } from "../../pages/view.js";
import { derivedOnce } from "../../revisions/cached.js";
import type { ResolvedTarget, Target } from "../../revisions/target.js";
import { entriesOfKind } from "../../store/entries.js";
import type { Ctx } from "../../trpc.js";
import { viewOptions } from "./show-page.js";

/**
 * The tree of pages as the bytes of its response: the same for all who may read the space. Made with turns for others in
 * between, and kept while it is asked for and the revision stays.
 */
export const writtenTree = (
  ctx: Ctx,
  scope: ResolvedTarget,
  { changeRequestId, revisionId, metadata, computed }: Target & { metadata: boolean; computed: boolean },
): Promise<WrittenJson> =>
  derivedOnce(ctx, scope, {
    key: JSON.stringify(["tree", changeRequestId, revisionId, metadata, computed]),
    ifAskedAgain: true,
    sizeOf: ({ held }) => held,
    make: () =>
      // Other requests may wait for it when this client is gone.
      ctx.wholeReads({ caller: ctx.caller }, async () => {
        // As rows, which come in pieces, and not as one value.
        const entries = await entriesOfKind(ctx, scope.version, "page");
        // What a source makes anew is shown by a revision of its own.
        const shown = computed ? await withComputed(ctx, scope, entries) : entries;
        return writeJson({ pages: await inTurns(pageTree(shown, viewOptions(ctx, scope, metadata))) });
      }),
  });
