import { newId } from "@octavo/shared/ids";
import { commitPrimary } from "../revisions/primary.js";
import { positionAt } from "../store/order.js";
import { lockBranch, type PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { ComputedSource } from "./source.js";

/** Adds a page that declares a source to a new space, in the transaction that makes the space. */
export async function addComputedPage(ctx: Ctx, space: string, computed: ComputedSource): Promise<void> {
  const head = await lockBranch(ctx, space);
  const now = ctx.clock().toISOString();
  const entry: PageEntry = {
    id: newId(),
    kind: "page",
    parent: null,
    position: positionAt([], 0),
    slug: null,
    title: "Computed pages",
    body: null,
    git_path: null,
    git_oid: null,
    created_at: now,
    updated_at: null,
    props: { type: "computed", computed: { ...computed } },
  };
  await commitPrimary(ctx, { space, head, type: "edits", changes: { put: [entry], remove: [] } });
}
