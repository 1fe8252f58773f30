import { found } from "@octavo/shared/errors";
import { whenComplete } from "../../references/backfill.js";
import { withAncestorsOf } from "../../references/paths.js";
import { type ResolvedTarget, resolveTarget, type Target } from "../../revisions/target.js";
import type { Entry, Version } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { listBacklinks } from "./list-backlinks.js";
import { listLinks } from "./list-links.js";
import type {
  ListChangeRequestLinks,
  ListFileBacklinks,
  ListLinks,
  ListPageBacklinks,
  ListPageLinks,
} from "./schema.js";

/**
 * Lists what the pages and reusable contents of a version refer to; 404 for content out of reach. Of a change request,
 * `brokenContext` distinguishes what it broke from what was broken before.
 */
export async function list({ ctx, input }: Call<typeof ListLinks | typeof ListChangeRequestLinks>) {
  return listLinks(ctx, await scopeFor(ctx, input), input);
}

/** Lists what one page refers to; 404 when there is no such page. */
export async function listOfPage({ ctx, input }: Call<typeof ListPageLinks>) {
  const scope = await scopeFor(ctx, input);
  await loadWithAncestors(ctx, scope.version, input.pageId, "page");
  return listLinks(ctx, scope, input);
}

/** Lists what refers to a page; 404 when there is no such page. */
export async function pageBacklinks({ ctx, input }: Call<typeof ListPageBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await loadWithAncestors(ctx, scope.version, input.pageId, "page"), input);
}

/** Lists what refers to a file; 404 when there is no such file. */
export async function fileBacklinks({ ctx, input }: Call<typeof ListFileBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await loadWithAncestors(ctx, scope.version, input.fileId, "file"), input);
}

async function scopeFor(ctx: Ctx, target: Target): Promise<ResolvedTarget> {
  const scope = await resolveTarget(ctx, target);
  await whenComplete(ctx, scope.space);
  return scope;
}

async function loadWithAncestors(
  ctx: Ctx,
  version: Version,
  id: string,
  kind: Entry["kind"],
): Promise<Entry[]> {
  const line = (await withAncestorsOf(ctx, version, [id])).get(id);
  return found(line?.[0]?.kind === kind ? line : undefined, kind === "page" ? "Page" : "File");
}
