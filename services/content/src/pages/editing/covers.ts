import { type Ref, refOf } from "@octavo/markdown/document/refs";
import { resolvePath } from "@octavo/markdown/text/destination";
import { relativeParts } from "../../documents/addresses.js";
import { ASSETS, entriesAt } from "../../references/paths.js";
import type { Ctx } from "../../trpc.js";
import { folderAt, type PageLocation } from "./addresses.js";
import type { Draft } from "./draft.js";

/**
 * Finds the files that a page names as its covers, by the addresses as they are written: relative ones from where the page
 * lies, to files of the repository and to those that were added to the space, in the same draft as well.
 */
export async function coverFiles(
  ctx: Ctx,
  draft: Draft,
  place: PageLocation,
  addresses: string[],
): Promise<Map<string, Ref>> {
  const files = new Map<string, Ref>();
  const paths = new Map<string, string>();
  const folder = addresses.length === 0 ? "" : await folderAt(ctx, draft, place);
  for (const address of addresses) {
    const ref = refOf(address);
    const parts = ref.kind === "url" ? relativeParts(address) : undefined;
    const path = parts && resolvePath(parts.path.startsWith("/") ? "" : folder, parts.path);
    if (ref.kind === "file") files.set(address, ref);
    else if (path) paths.set(address, path);
  }
  if (paths.size === 0) return files;
  const there = await entriesAt(ctx, draft.version, [...new Set(paths.values())]);
  const added = new Map(
    [...draft.put.values()].flatMap((entry) =>
      entry.kind === "file" ? [[entry.git_path ?? ASSETS + entry.title, entry] as const] : [],
    ),
  );
  for (const [address, path] of paths) {
    const entry = added.get(path) ?? there.get(path);
    if (entry?.kind === "file" && !draft.removed.has(entry.id))
      files.set(address, { kind: "file", file: entry.id });
  }
  return files;
}
