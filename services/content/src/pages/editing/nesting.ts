import { refuse } from "@octavo/shared/errors";
import { ancestorsOf, MAX_NESTING } from "../../store/entries.js";
import type { Entry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Draft } from "./draft.js";

/** 400 when a page with what is below it (itself first, parents before children) would be nested too deep under a parent. */
export async function checkNesting(
  ctx: Ctx,
  draft: Draft,
  parent: string | null,
  subtree: Entry[],
): Promise<void> {
  const deepest = (await levelOf(ctx, draft, parent)) + heightOf(subtree);
  if (deepest > MAX_NESTING) refuse("BAD_REQUEST", `Page: pages nest at most ${MAX_NESTING} deep`);
}

/** How many pages a page of the draft and those above it are; none for the top. */
async function levelOf(ctx: Ctx, draft: Draft, page: string | null): Promise<number> {
  const stored = new Map<string, Entry>();
  let level = 0;
  for (let at = page; at !== null && level <= MAX_NESTING; level += 1) {
    if (!draft.put.has(at) && !stored.has(at))
      for (const entry of await ancestorsOf(ctx, draft.version, at)) stored.set(entry.id, entry);
    at = (draft.put.get(at) ?? stored.get(at))?.parent ?? null;
  }
  return level;
}

function heightOf(subtree: Entry[]): number {
  const levels = new Map<string, number>();
  let height = 0;
  for (const { id, parent } of subtree) {
    const level = (levels.get(parent ?? "") ?? 0) + 1;
    levels.set(id, level);
    height = Math.max(height, level);
  }
  return height;
}
