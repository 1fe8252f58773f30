import { createHash } from "node:crypto";
import { type WrittenJson, writeJson } from "@octavo/shared/rest/written-json";
import { expiryOf } from "../../files/download-url.js";
import { derivedOnce } from "../../revisions/cached.js";
import { tagRevision } from "../../revisions/tag.js";
import type { ResolvedTarget, Target } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";

/**
 * The whole content at a revision as the bytes of its response, tagged: the same for all who may read the space, as long as
 * `head`, what is said of the revision besides what it holds, and the addresses of its files are. Kept while it is asked
 * for.
 *
 * @throws NOT_MODIFIED when the client has the response.
 */
export async function writtenContent(
  ctx: Ctx,
  scope: ResolvedTarget,
  { changeRequestId, revisionId, metadata, computed }: Target & { metadata: boolean; computed: boolean },
  head: object,
  read: () => Promise<object>,
): Promise<WrittenJson> {
  const besides = digestOf([head, expiryOf(ctx)]);
  tagRevision(ctx, scope, false, besides);
  const at = { space: scope.space, version: { revision: `${scope.version.revision} ${besides}` } };
  return derivedOnce(ctx, at, {
    key: JSON.stringify(["content", changeRequestId, revisionId, metadata, computed]),
    ifAskedAgain: true,
    sizeOf: ({ held }) => held,
    // Other requests may wait for it when this client is gone.
    make: () => ctx.wholeReads({ caller: ctx.caller }, async () => writeJson(await read())),
  });
}

const digestOf = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
