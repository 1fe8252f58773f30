import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { auditChangeRequest, auditSpace } from "../audit.js";
import { lockUnmerged } from "../review/change-requests/lock-unmerged.js";
import * as changeRequests from "../review/change-requests/queries.js";
import { contribute } from "../review/contributors/contribute.js";
import { commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { lockTarget, type ResolvedTarget } from "../revisions/target.js";
import { keepBodies } from "../store/bodies.js";
import { ancestorsOf, MAX_NESTING, siblingsUnder } from "../store/entries.js";
import {
  type BranchHead,
  type Entry,
  lockBranch,
  ofKind,
  type ReadPoint,
  versionOfBranch,
} from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import { collect } from "./collect.js";
import { entriesFor, type Target } from "./entries.js";
import { receiveFiles } from "./files.js";
import type { ImportContent, ImportIntoPage } from "./schema.js";
import { Skipped } from "./skipped.js";
import { treeOf } from "./tree.js";

/** The gateway waits no longer than a minute. */
const DEADLINE_MS = 50_000;

type Input = Call<typeof ImportContent>["input"] & { pageId?: string };

/**
 * Imports what lies at an address behind the pages that are there, as one revision of the space or of the change
 * request. 400 when it cannot be had, is not what `source` says, or holds no page; nothing has changed then.
 */
export const importContent = ({ ctx, input }: Call<typeof ImportContent>) => importInto(ctx, input);

/** Imports what lies at an address as pages below a page. 404 when there is no such page. */
export const importIntoPage = ({ ctx, input }: Call<typeof ImportIntoPage>) => importInto(ctx, input);

async function importInto(ctx: Ctx, input: Input) {
  // Who may not is refused before anything is fetched; decided once more under the lock that the change holds.
  await transact(ctx, async (ctx) => targetOf(ctx, input));
  const signal = deadline(ctx);
  const skipped = new Skipped();
  const { url, source } = input;
  const material = await collect(ctx, { url, source, skipped, signal });
  const tree = treeOf(material, source, skipped);
  if (tree.nodes.length === 0)
    refuse("BAD_REQUEST", "body.url: there is no page to import", { reason: "nothing_to_import" });
  const files = await receiveFiles(ctx, material, { skipped, signal });
  signal.throwIfAborted();
  return transact(ctx, async (ctx) => {
    const { scope, head, target } = await targetOf(ctx, input, true);
    const { pages, texts } = await entriesFor(ctx, { material, tree, files }, target);
    failOnDepth(pages, target);
    const { space, organization, changeRequest } = scope;
    await keepBodies(ctx, space, texts);
    const entries: Entry[] = [...pages, ...files.values()];
    const changes = { put: entries, remove: [] };
    const made = await (changeRequest
      ? commit(ctx, { space, head, type: "edits", changes })
      : commitPrimary(ctx, { space, head, type: "edits", changes }));
    // Of the address only the host: the rest may hold secrets.
    const details = {
      host: new URL(url).host,
      source,
      revision: made.id,
      pages: pages.length,
      files: files.size,
    };
    if (changeRequest) {
      await changeRequests.set(ctx, changeRequest.id, {});
      await contribute(ctx, changeRequest.id, "edit");
      await auditChangeRequest(ctx, "change-request.import", { id: changeRequest.id, organization }, details);
    } else await auditSpace(ctx, "space.content.import", { id: space, organization }, details);
    ctx.reply.headers.location = ctx.urls.api`/spaces/${space}/revisions/${made.id}`;
    const importedResources = entries.length;
    const left = skipped.list();
    return {
      revision: made.id,
      importedResources,
      totalResources: importedResources + skipped.total,
      ...(left.length > 0 && { skipped: left }),
    };
  });
}

function deadline({ signal }: Ctx): AbortSignal {
  const late = AbortSignal.timeout(DEADLINE_MS);
  return signal ? AbortSignal.any([signal, late]) : late;
}

/** The content that is imported into, locked, and where in it the pages go. */
async function targetOf(
  ctx: Ctx,
  { pageId, ...input }: Input,
  waited = false,
): Promise<{ scope: ResolvedTarget; head: BranchHead; target: Target }> {
  const scope = await lockTarget(ctx, input, "space.edit", waited);
  const { space, changeRequest } = scope;
  const head = await lockBranch(ctx, changeRequest?.branch ?? space);
  if (changeRequest) await lockUnmerged(ctx, changeRequest.id, "edited");
  const version = versionOfBranch(space, head);
  const above = pageId === undefined ? [] : await pagesAbove(ctx, version, pageId);
  const siblings = await siblingsUnder(ctx, version, pageId ?? null);
  const slugs = above.flatMap(({ slug }) => slug ?? []).reverse();
  return { scope, head, target: { parent: pageId ?? null, slugs, siblings } };
}

/** The page that is imported into, and those above it. */
async function pagesAbove(ctx: Ctx, version: ReadPoint, pageId: string) {
  const line = await ancestorsOf(ctx, version, pageId);
  const page = found(ofKind(line[0], "page"), "Page");
  const { type } = page.props;
  if (type !== "document" && type !== "group") refuse("BAD_REQUEST", `Page: a ${type} can not hold pages`);
  return line;
}

function failOnDepth(pages: Entry[], { slugs }: Target): void {
  const depths = new Map<string, number>();
  for (const { id, parent } of pages) {
    const depth = (depths.get(parent ?? "") ?? slugs.length) + 1;
    depths.set(id, depth);
    if (depth > MAX_NESTING)
      refuse("BAD_REQUEST", `body.url: pages nest at most ${MAX_NESTING} deep`, { reason: "too_deep" });
  }
}
