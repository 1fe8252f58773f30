import { changesOf, type Draft, openDraft } from "../pages/editing/draft.js";
import { insertPage } from "../pages/editing/pages.js";
import { commitPrimary } from "../revisions/primary.js";
import { keepBodies } from "../store/bodies.js";
import { type BranchHead, versionOfBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { TemplatePage } from "./catalog.js";

/** Adds pages behind those of a space, as one revision of its primary content, which is locked in this transaction. */
export async function addPages(
  ctx: Ctx,
  space: string,
  head: BranchHead,
  pages: TemplatePage[],
): Promise<void> {
  const draft = openDraft(versionOfBranch(space, head));
  await insert(ctx, draft, null, pages);
  await keepBodies(ctx, space, [...draft.texts.values()]);
  await commitPrimary(ctx, { space, head, type: "edits", changes: changesOf(draft) });
}

async function insert(ctx: Ctx, draft: Draft, parent: string | null, pages: TemplatePage[]): Promise<void> {
  for (const { slug, markdown, pages: below } of pages) {
    const { id } = await insertPage(ctx, draft, { slug }, { parent }, markdown);
    await insert(ctx, draft, id, below);
  }
}
