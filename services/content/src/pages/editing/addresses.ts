import { posix } from "node:path";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { refsIn } from "../../documents/refs.js";
import { type Addresses, idOf } from "../../documents/targets.js";
import { entriesAt, folderOf, pathOf, withAncestorsOf } from "../../references/paths.js";
import { MAX_DEPTH } from "../../store/entries.js";
import type { Entry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { type Draft, draftEntry } from "./draft.js";

/** The page or reusable content whose text a document becomes: where it lies, or will lie. */
export interface PageLocation {
  git_path: string | null;
  parent: string | null;
}

/**
 * The relative addresses of what the refs of a document name, as far as these lead back to the same. Pages and files that
 * are new or move in the same draft have none: they are named by their ids.
 */
export async function addressesFor(
  ctx: Ctx,
  draft: Draft,
  place: PageLocation,
  document: JSONDocument,
): Promise<Addresses> {
  const ids = [...new Set(refsIn(document).flatMap((ref) => idOf(ref) ?? []))];
  if (ids.length === 0) return new Map();
  const reusables = [...draft.put.values()].filter(({ kind }) => kind === "reusable");
  const lines = await withAncestorsOf(ctx, draft.version, ids, reusables);
  const paths = new Map(
    [...lines].filter(([, line]) => line.every(isSettled(draft))).map(([id, line]) => [id, pathOf(line)]),
  );
  const leading = await entriesAt(ctx, draft.version, [...new Set(paths.values())]);
  const folder = await folderAt(ctx, draft, place);
  // The version may not have them yet, and no other entry has their addresses.
  const isReusable = (id: string) => draft.put.get(id)?.kind === "reusable";
  const back = [...paths].filter(([id, path]) => isReusable(id) || leading.get(path)?.id === id);
  return new Map(
    back.map(([id, path]) => [
      id,
      posix.relative(`/${folder}`, `/${path}`).replace(/[%#?]/g, encodeURIComponent),
    ]),
  );
}

/** Whether an entry lies where it did before the draft. */
const isSettled = ({ put, removed }: Draft) => {
  return ({ id, slug, parent, git_path }: Entry): boolean => {
    const now = put.get(id);
    if (removed.has(id)) return false;
    return !now || (now.slug === slug && now.parent === parent && now.git_path === git_path);
  };
};

/** The folder in which a page lies, or would lie by the slugs above it. */
export async function folderAt(ctx: Ctx, draft: Draft, { git_path, parent }: PageLocation): Promise<string> {
  if (git_path !== null) return folderOf(git_path);
  const slugs: string[] = [];
  for (let at = parent; at !== null && slugs.length < MAX_DEPTH; ) {
    const page = await draftEntry(ctx, draft, at);
    if (page?.slug) slugs.unshift(page.slug);
    at = page?.parent ?? null;
  }
  return slugs.join("/");
}
