// What a script sent, as it is kept.

import type { Addresses } from "../documents/targets.js";
import type { FileEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { idOf, type Made } from "./made.js";
import type { FilledFile, FilledPage } from "./schema.js";

/** Bytes of files that all sources of a space show at a time. */
const MOST_BYTES = 1024 ** 3;

/** A file, and how the documents of its source name it. */
interface Sent {
  named: string;
  entry: FileEntry;
}

/** Files as they were sent, under ids that are the same for each result of a source; of two of one name the last. */
export function placedFiles(
  files: FilledFile[],
  { space, key, now }: { space: string; key: string; now: string },
): Sent[] {
  const placed = new Map<string, Sent>();
  for (const { id, name, hash, props } of files) {
    const named = id ?? name;
    placed.set(named, {
      named,
      entry: {
        id: idOf(`${space} ${key}`, `file ${named}`),
        kind: "file",
        parent: null,
        position: "",
        slug: null,
        title: name,
        body: hash,
        props,
        git_path: null,
        git_oid: null,
        created_at: now,
        updated_at: null,
      },
    });
  }
  return [...placed.values()];
}

/** The addresses by which texts name files: they read back as the ids of these. */
export const addressesOf = (files: Sent[]): Addresses =>
  new Map(files.map(({ named, entry }) => [named, `/broken/files/${entry.id}`]));

/** The files for which a space has room, with so many bytes of its other sources; adds the names of the others to `left`. */
export function withinRoom(files: Sent[], bytesBeside: number, left: string[]): FileEntry[] {
  const sizes = new Map<string, number>();
  let bytes = bytesBeside;
  return files.flatMap(({ entry }) => {
    const { title, body, props } = entry;
    const more = sizes.has(body) ? 0 : props.size;
    if (bytes + more > MOST_BYTES) {
      left.push(title);
      return [];
    }
    sizes.set(body, props.size);
    bytes += more;
    return [entry];
  });
}

/** Pages as they were sent, with their documents as markdown. */
export async function madePages(
  ctx: Ctx,
  pages: FilledPage[],
  addresses: Addresses,
  above: string[] = [],
): Promise<Made[]> {
  const made: Made[] = [];
  const taken = new Set<string>();
  for (const [at, page] of pages.entries()) {
    const { type, title, slug, description, emoji, icon, computed } = page;
    const name = page.id ?? slug ?? title;
    const line = [...above, taken.has(name) ? `${at} ${name}` : name];
    taken.add(name);
    const markdown = await textOf(ctx, page, addresses);
    const shown = { type, title, slug, description, emoji, icon, computed };
    const below = await madePages(ctx, page.pages, addresses, line);
    made.push({ ...shown, key: JSON.stringify(line), markdown, pages: below });
  }
  return made;
}

async function textOf(ctx: Ctx, { document, markdown = "" }: FilledPage, addresses: Addresses) {
  if (!document) return markdown;
  return ctx.work.run("renderSent", { json: JSON.stringify(document), title: "", addresses });
}
