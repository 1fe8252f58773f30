import type { UserCaller } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { Refusal, refuse } from "@octavo/shared/errors";
import { auditChangeRequest, auditSpace } from "../audit.js";
import * as changeRequests from "../review/change-requests/queries.js";
import { contribute } from "../review/contributors/contribute.js";
import { commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { keepBodies } from "../store/bodies.js";
import { MAX_NESTING } from "../store/entries.js";
import type { Entry, FileEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { collect } from "./collect.js";
import { entriesFor, type Target } from "./entries.js";
import { receiveFiles } from "./files.js";
import { withDataImages } from "./material/data-images.js";
import type { Material } from "./material/material.js";
import { Skipped } from "./material/skipped.js";
import type { Source } from "./material/sources.js";
import * as queries from "./queries.js";
import { type Destination, lockDestination } from "./target.js";
import { type Tree, treeOf } from "./tree.js";

/** An import that takes longer has failed, and says so; before the job's own deadline. */
const DEADLINE_MS = 4 * 60_000;

/** What an import was asked to do, and by whom, as it is kept (sealed) with it. */
export interface ImportRequest extends Destination {
  url: string;
  source: Source;
  caller: UserCaller;
  ip?: string;
}

interface Collected {
  material: Material;
  tree: Tree;
  files: Map<string, FileEntry>;
  skipped: Skipped;
}

/**
 * Runs an import: fetches what lies at the address, and adds it as one revision, in the name of who asked, if they still
 * may. What it is refused for is kept with it, and the content stays as it was. Safe to run again after a crash at any
 * point.
 */
export async function runImport(ctx: Ctx, id: string, stopping: AbortSignal): Promise<void> {
  const row = await queries.begin(ctx, id);
  if (!row) return;
  const { caller, ip, ...request } = JSON.parse(
    ctx.vault.open(row.request, queries.requestOf(id)),
  ) as ImportRequest;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([stopping, deadline]);
  const skipped = new Skipped();
  const asked = { ...ctx, caller, ip, signal };
  try {
    const collected = await collectAll(asked, request, { skipped, signal });
    const { texts } = collected.material;
    await queries.noteFound(ctx, id, texts.length + collected.files.size, skipped);
    signal.throwIfAborted();
    await write(asked, id, request, collected);
  } catch (error) {
    if (stopping.aborted) throw error;
    const refusal = deadline.aborted ? TOO_SLOW : error;
    if (!(refusal instanceof Refusal)) throw error;
    const { code, message, details } = refusal;
    await queries.fail(ctx, id, { code, message, reason: details.reason });
  }
}

const TOO_SLOW = new Refusal("BAD_REQUEST", "body.url: to fetch what lies there took too long", {
  reason: "too_slow",
});

/** Ends an import that no try is left for. */
export const abandon = (ctx: Ctx, id: string) =>
  queries.fail(ctx, id, {
    code: "SERVICE_UNAVAILABLE",
    message: "Import: it failed unexpectedly",
    reason: "import_failed",
  });

/** Fetches what there is to import, before anything is locked. */
async function collectAll(
  ctx: Ctx,
  { url, source }: Pick<ImportRequest, "url" | "source">,
  { skipped, signal }: { skipped: Skipped; signal: AbortSignal },
): Promise<Collected> {
  const material = withDataImages(await collect(ctx, { url, source, skipped, signal }));
  try {
    const tree = treeOf(material, skipped);
    if (tree.nodes.length === 0)
      refuse("BAD_REQUEST", "body.url: there is no page to import", { reason: "nothing_to_import" });
    return { material, tree, files: await receiveFiles(ctx, material, { skipped, signal }), skipped };
  } finally {
    await material.close?.();
  }
}

/** Writes an import, and that it has ended, in one transaction; the permission is decided on as it is by then. */
async function write(
  ctx: Ctx,
  id: string,
  { url, source, ...destination }: Omit<ImportRequest, "caller" | "ip">,
  { skipped, ...imported }: Collected,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { scope, head, target } = await lockDestination(ctx, destination, { hasWaited: true });
    const { pages, texts } = await entriesFor(ctx, imported, target);
    failOnDepth(pages, target);
    const { space, organization, changeRequest } = scope;
    await keepBodies(ctx, space, texts);
    const entries: Entry[] = [...pages, ...imported.files.values()];
    const changes = { put: entries, remove: [] };
    const made = await (changeRequest
      ? commit(ctx, { space, head, type: "edits", changes })
      : commitPrimary(ctx, { space, head, type: "edits", changes }));
    const details = {
      host: new URL(url).host,
      source,
      revision: made.id,
      pages: pages.length,
      files: imported.files.size,
    };
    if (changeRequest) {
      await changeRequests.set(ctx, changeRequest.id, {});
      await contribute(ctx, changeRequest.id, "edit");
      await auditChangeRequest(ctx, "change-request.import", { id: changeRequest.id, organization }, details);
    } else await auditSpace(ctx, "space.content.import", { id: space, organization }, details);
    await queries.complete(ctx, id, { revision: made.id, imported: entries.length, skipped });
  });
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
