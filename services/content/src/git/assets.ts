import { nameAt } from "../files/name.js";
import { MAX_FILE, receive } from "../files/receive.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { type Existing, keyOf, otherEntry } from "./entries.js";
import type { Repository } from "./repository.js";
import type { SourceTree } from "./source-tree.js";

/** Bytes; a larger file is not held in memory. */
const STREAM_ABOVE = 8 * 1024 * 1024;

/** The assets of a commit as entries; only those that are new or changed are read. */
export async function assetEntries(
  ctx: Ctx,
  repository: Repository,
  { assets }: SourceTree,
  existing: Existing,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  const unread = assets.filter(({ path, oid, size }) => {
    const fields = { kind: "file" as const, title: nameAt(path), git_path: path };
    const known = existing.byKey.get(keyOf({ ...fields, slug: null, parent: null, props: {} }));
    if (known?.git_oid === oid) entries.push(known);
    return known?.git_oid !== oid && size <= MAX_FILE;
  });
  const small = unread.filter(({ size }) => size <= STREAM_ABOVE);
  let at = 0;
  for await (const content of repository.contents(small.map(({ oid }) => oid))) {
    entries.push(await fileEntry(ctx, existing, small[at++]!, Buffer.from(content)));
  }
  for (const file of unread.filter(({ size }) => size > STREAM_ABOVE)) {
    entries.push(await fileEntry(ctx, existing, file, repository.stream(file.oid)));
  }
  return entries;
}

async function fileEntry(
  ctx: Ctx,
  existing: Existing,
  { path, oid }: { path: string; oid: string },
  content: Parameters<typeof receive>[1],
): Promise<Entry> {
  const title = nameAt(path);
  const { hash, props } = await receive(ctx, content, { name: title });
  return otherEntry(existing, {
    kind: "file",
    title,
    body: hash,
    git_path: path,
    git_oid: oid,
    props: { ...props },
  });
}
